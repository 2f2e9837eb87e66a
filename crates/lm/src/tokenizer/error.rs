//! Errors of tokenizers.

/// Error of encoding, decoding, or building a tokenizer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenizerError {
    /// The text from which a vocabulary should be built is empty.
    #[error("the text is empty; a vocabulary needs at least one character")]
    Empty,
    /// A character is not in the vocabulary.
    #[error("the character {character:?} at byte {at} is not in the vocabulary; allowed: {allowed:?}")]
    UnknownCharacter {
        /// First character outside the vocabulary.
        character: char,
        /// Byte offset of the character in the text.
        at: usize,
        /// All characters of the vocabulary.
        allowed: String,
    },
    /// A token is not in the vocabulary.
    #[error("token {token} is not in the vocabulary; allowed: 0 to {last}")]
    UnknownToken {
        /// The invalid token.
        token: u32,
        /// Last valid token of the vocabulary.
        last: u32,
    },
    /// The vocabulary is too small for byte-level BPE.
    #[error("vocabulary size {vocabulary} is too small; BPE needs at least {minimum}")]
    Vocabulary {
        /// Requested vocabulary size.
        vocabulary: usize,
        /// Minimum vocabulary size.
        minimum: usize,
    },
    /// A `tokenizer.json` file is invalid or not supported.
    #[error("unsupported tokenizer file: {0}")]
    File(String),
    /// The tokenizer is not the one that a model was trained with.
    #[error(
        "the tokenizer does not match this checkpoint: its fingerprint is {found} ({kind}), and the model was trained with \
         {needed}; use the tokenizer that was saved with the checkpoint"
    )]
    FingerprintMismatch {
        /// Fingerprint of the tokenizer that the checkpoint was trained with.
        needed: String,
        /// Fingerprint of the given tokenizer.
        found: String,
        /// Kind and vocabulary size of the given tokenizer.
        kind: String,
    },
}
