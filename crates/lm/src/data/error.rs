//! Why there is no text to learn from.

use super::Part;
use crate::tokenizer::TokenizerError;

/// Why text could not be read, or not be learned from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DataError {
    /// The system could not read a file or folder, or there is none.
    #[error("cannot read {name}: {problem}")]
    Read {
        /// The file or folder.
        name: String,
        /// What the system says.
        problem: String,
    },
    /// A folder without text.
    #[error("{folder} has no file to learn from; the names of such files end in {endings}")]
    NoFiles {
        /// The folder.
        folder: String,
        /// What the names of text files end in.
        endings: String,
    },
    /// More files than can be put into an order.
    #[error("{files} files are too many; at most {most} can be learned from at once: join some of them")]
    TooManyFiles {
        /// How many there are.
        files: usize,
        /// How many there may be.
        most: usize,
    },
    /// Nothing in any file.
    #[error("the text is empty; there must be some to learn from")]
    Empty,
    /// Bytes that are no text.
    #[error("{name} is not UTF-8 at byte {at}{hint}")]
    NotUtf8 {
        /// The file.
        name: String,
        /// Bytes before the first wrong one.
        at: u64,
        /// What it may be instead and what to do, after a colon, or nothing.
        hint: &'static str,
    },
    /// A page of a MediaWiki dump that is no XML, has no end, or is too long.
    #[error("the page at byte {at} of {name} cannot be read: {problem}")]
    Page {
        /// The file.
        name: String,
        /// Where the page begins.
        at: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// Too little text for one window.
    #[error(
        "the text is too short: {part} has {tokens} tokens, and a window takes {needed}; give more text or a shorter context"
    )]
    TooShort {
        /// Which part of the text.
        part: Part,
        /// How many tokens it has.
        tokens: usize,
        /// How many it must have.
        needed: usize,
    },
    /// Text that the tokenizer has no tokens for.
    #[error("the tokenizer does not fit {name}, in the text from byte {at} on: {problem}")]
    Tokens {
        /// The file.
        name: String,
        /// Where the piece or the page begins that holds the text.
        at: u64,
        /// What the tokenizer says.
        problem: TokenizerError,
    },
    /// A place that this text does not have.
    #[error("{place} is not in this text, which has {allowed}: it is not the text that training began with")]
    Position {
        /// Which pool or window.
        place: String,
        /// What there is.
        allowed: String,
    },
}
