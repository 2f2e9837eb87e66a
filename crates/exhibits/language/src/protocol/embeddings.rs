//! The map of tokens.

use serde::{Deserialize, Serialize};

/// The document `embeddings`: the tokens that lie on the map, as many as 512, the most frequent first. Where they lie is the
/// array `embeddings/positions`. Axes keep their sense from one map to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageEmbeddings {
    /// As [`LanguageToken::text`](super::LanguageToken::text).
    pub tokens: Vec<String>,
    /// What each of them is.
    pub kinds: Vec<LanguageTokenKind>,
    /// The share of the text's tokens that each of them has.
    pub counts: Vec<f32>,
    /// Gradient steps of the model.
    pub updates: u64,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LanguageTokenKind {
    /// A single letter.
    Letter,
    /// Digits.
    Digit,
    /// Punctuation and other signs.
    Punctuation,
    /// Blanks and line ends.
    Space,
    /// Letters that begin a word: there is a blank before them.
    Word,
    /// Letters, and others beside them, from within a word; and bytes that are no character.
    Subword,
}
