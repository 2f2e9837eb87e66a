//! Two-dimensional map of the token embeddings.

use serde::{Deserialize, Serialize};

/// JSON document `embeddings`: the tokens of the two-dimensional embedding map, at most 512, most frequent first. The
/// array `embeddings/positions` contains their positions. The signs of the axes are chosen so that successive maps have
/// the same orientation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageEmbeddings {
    /// Characters of each token on the map. Incomplete UTF-8 characters are shown as `⟨e4⟩`, end-of-document as
    /// `⟨end⟩`.
    pub tokens: Vec<String>,
    /// Kind of each token on the map, such as digit or word.
    pub kinds: Vec<LanguageTokenKind>,
    /// Number of occurrences of each token on the map, as a fraction of the tokens of the training text.
    pub counts: Vec<f32>,
    /// Number of gradient steps that the model had been trained for when the map was computed.
    pub updates: u64,
}

/// Kind of a token. The kind determines the color of the token on the embedding map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LanguageTokenKind {
    /// Token that is a single letter.
    Letter,
    /// Token that consists of digits.
    Digit,
    /// Token that consists of punctuation or symbols.
    Punctuation,
    /// Token that consists of whitespace.
    Space,
    /// Token at the start of a word, with a leading space.
    Word,
    /// Token within a word, or bytes of an incomplete UTF-8 character.
    Subword,
}
