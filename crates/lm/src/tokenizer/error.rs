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
    /// A vocabulary that cannot hold all bytes.
    #[error("a vocabulary of {vocabulary} tokens is too small; byte pairs need at least {fewest}")]
    Vocabulary {
        /// What was asked for.
        vocabulary: usize,
        /// The smallest that is possible.
        fewest: usize,
    },
    /// A file that is no tokenizer of this program.
    #[error("this is no tokenizer that can be used here: {0}")]
    File(String),
    /// A tokenizer that a network was not trained with.
    #[error(
        "the tokenizer does not belong to this checkpoint: its fingerprint is {found} ({kind}), and the network was \
         trained with {needed}; give the tokenizer that was saved with the checkpoint"
    )]
    Belongs {
        /// The fingerprint that the checkpoint names.
        needed: String,
        /// That of the tokenizer given.
        found: String,
        /// What was given, as a phrase.
        kind: String,
    },
}
