//! Errors of reading training data.

use super::DataSplit;
use crate::tokenizer::TokenizerError;

/// Error of reading or tokenizing training data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DataError {
    /// A file or folder is missing or unreadable.
    #[error("cannot read {name}: {problem}")]
    Read {
        /// Path of the file or folder.
        name: String,
        /// Error message of the operating system.
        problem: String,
    },
    /// A folder contains no files with a supported extension.
    #[error("{folder} has no text files (extensions: {endings})")]
    NoFiles {
        /// Path of the folder without text files.
        folder: String,
        /// List of the supported file extensions.
        endings: String,
    },
    /// The corpus has more files than a chunk permutation can index.
    #[error("too many files: {files} (limit {most}); concatenate some of them")]
    TooManyFiles {
        /// Number of files of the corpus.
        files: usize,
        /// Maximum number of files of a corpus.
        most: usize,
    },
    /// All files of the training text are empty.
    #[error("the training text is empty")]
    Empty,
    /// A file of the training text is not UTF-8.
    #[error("{name} is not UTF-8 at byte {at}{hint}")]
    NotUtf8 {
        /// Name of the file in which the error occurred.
        name: String,
        /// Byte offset of the first invalid byte in the file.
        at: u64,
        /// Suffix of the error message with the detected encoding and the remedy, starting with punctuation; may be
        /// empty.
        hint: &'static str,
    },
    /// A page of a MediaWiki dump is invalid XML, incomplete or too long.
    #[error("cannot read the page at byte {at} of {name}: {problem}")]
    Page {
        /// Name of the file in which the error occurred.
        name: String,
        /// Byte offset of the page in the file.
        at: u64,
        /// Cause of the error, as part of a sentence.
        problem: String,
    },
    /// The training or validation split of the text has fewer tokens than one window (training sequence).
    #[error(
        "the text is too short: the {split} split has {tokens} tokens (a window needs {needed}); use more text or a shorter context"
    )]
    TooShort {
        /// The data split that is too short.
        split: DataSplit,
        /// Number of tokens of the data split.
        tokens: usize,
        /// Number of tokens that one window (training sequence) needs.
        needed: usize,
    },
    /// The tokenizer cannot encode a part of the training text.
    #[error("cannot tokenize {name} from byte {at} on: {problem}")]
    Tokens {
        /// Name of the file in which the error occurred.
        name: String,
        /// Byte offset in the file at which the chunk or wiki page with the invalid text starts.
        at: u64,
        /// Error of the tokenizer, such as a character outside its vocabulary.
        problem: TokenizerError,
    },
    /// A saved [`TextPosition`](super::TextPosition) does not exist in this training text.
    #[error(
        "{place} is not in this text, which has {allowed}: the text differs from the original training text"
    )]
    Position {
        /// Shuffle buffer or window (training sequence) that does not exist, such as "window 9 of shuffle buffer 2".
        place: String,
        /// Description of the shuffle buffers or windows that exist, for the error message.
        allowed: String,
    },
}
