//! Why text could not become tokens, or tokens text.

/// Why text could not become tokens, tokens text, or a tokenizer could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenizerError {
    /// There is no text to take a vocabulary from.
    #[error("the text is empty; a vocabulary needs at least one character")]
    Empty,
    /// A character that is not in the vocabulary.
    #[error("the character {character:?} at byte {at} is not in the vocabulary; it has {allowed:?}")]
    UnknownCharacter {
        /// The first such character.
        character: char,
        /// Bytes before it.
        at: usize,
        /// All characters of the vocabulary.
        allowed: String,
    },
    /// A number that is no token.
    #[error("there is no token {token}; tokens go from 0 to {last}")]
    UnknownToken {
        /// The number that was given.
        token: u32,
        /// The last token.
        last: u32,
    },
}
