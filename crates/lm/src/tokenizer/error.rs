//! Errors of tokenizers.

/// Error of encoding, decoding, or building a tokenizer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenizerError {
    /// The text from which a tokenizer should be built is empty.
    #[error("the text is empty; a vocabulary needs at least one character")]
    Empty,
    /// A character of the text is not in the vocabulary of a character-level tokenizer.
    #[error("the character {character:?} at byte {at} is not in the vocabulary; allowed: {allowed:?}")]
    UnknownCharacter {
        /// First character of the text outside the vocabulary.
        character: char,
        /// Byte offset of the character in the text.
        at: usize,
        /// List of all characters in the vocabulary of the tokenizer.
        allowed: String,
    },
    /// A token is not in the vocabulary.
    #[error("token {token} is not in the vocabulary; allowed: 0 to {last}")]
    UnknownToken {
        /// The token that is not in the vocabulary.
        token: u32,
        /// Largest valid token: the vocabulary size minus 1.
        last: u32,
    },
    /// The requested vocabulary is too small for byte-level BPE.
    #[error("vocabulary size {vocabulary} is too small; BPE needs at least {minimum}")]
    Vocabulary {
        /// Requested vocabulary size, in tokens.
        vocabulary: usize,
        /// Minimum vocabulary size, in tokens.
        minimum: usize,
    },
    /// A `tokenizer.json` file is invalid or not supported.
    #[error("unsupported tokenizer file: {0}")]
    File(String),
    /// The given tokenizer differs from the tokenizer that the model was trained with.
    #[error(
        "the tokenizer does not match this checkpoint: its fingerprint is {found} ({kind}), and the model was trained with \
         {needed}; use the tokenizer that was saved with the checkpoint"
    )]
    FingerprintMismatch {
        /// Fingerprint (hash) of the tokenizer that the model was trained with.
        needed: String,
        /// Fingerprint (hash) of the given tokenizer.
        found: String,
        /// Description of the given tokenizer for the error message: type and vocabulary size, such as "BPE with 2048
        /// tokens".
        kind: String,
    },
}
