//! Generated text of the playground.

use serde::{Deserialize, Serialize};

/// JSON document `draft`: the displayed text, whose generation is in progress or complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageDraft {
    /// ID of the displayed text: number of texts started up to and including this text.
    pub id: u32,
    /// Origin of the text: request of the user, or periodic sample.
    pub by: LanguageAuthor,
    /// Number of gradient steps of the model at the start of the text. Later tokens use newer weights if training
    /// continues.
    pub updates: u64,
    /// Status of the text generation: in progress, complete or stopped.
    pub status: LanguageDraftStatus,
    /// Index, in the displayed text, of the first element of `tokens`. The preceding tokens were sent in earlier
    /// frames.
    pub first: u32,
    /// Tokens of the displayed text (prompt and generated text) from index `first` on.
    pub tokens: Vec<LanguageToken>,
}

/// Origin of a generated text: request of the user, or periodic sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LanguageAuthor {
    /// The user requested the text.
    Person,
    /// The text is a periodic sample, which shows the training progress.
    Sample,
}

/// Status of the generation of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LanguageDraftStatus {
    /// The model is generating the text.
    Writing,
    /// Generation is complete: at the maximum length or the end of the document.
    Done,
    /// The user has stopped the generation.
    Stopped,
}

/// Token of the displayed text, with its probability and the alternatives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageToken {
    /// Index of the token in the vocabulary.
    pub token: u32,
    /// Characters of the token. Incomplete UTF-8 characters are shown as `⟨e4⟩`, end-of-document as `⟨end⟩`.
    pub text: String,
    /// Whether the token is part of the prompt or was chosen by the user.
    pub prompt: bool,
    /// Probability that the model gave the token, at temperature 1; `None` for the first token.
    pub probability: Option<f32>,
    /// The eight most probable tokens at this position of the text, in descending order of probability.
    pub alternatives: Vec<LanguageAlternative>,
}

/// One of the most probable tokens at a position of the displayed text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageAlternative {
    /// Index of the alternative token in the vocabulary.
    pub token: u32,
    /// Characters of the alternative token. Incomplete UTF-8 characters are shown as `⟨e4⟩`, end-of-document as
    /// `⟨end⟩`.
    pub text: String,
    /// Probability that the model gives the alternative token, at temperature 1.
    pub probability: f32,
}

/// Sampling settings of a text generation: temperature, top-k, maximum and minimum length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageSampling {
    /// Sampling temperature, 0 to 2; 0 decodes greedily.
    #[serde(serialize_with = "vivarium_lab::protocol::shortest")]
    pub temperature: f32,
    /// Number of most probable tokens to sample from; 0 samples from all tokens.
    pub top_k: u32,
    /// Maximum number of generated tokens, 1 to 2,000.
    pub tokens: u32,
    /// Minimum number of generated tokens: the end-of-document token has probability 0 before. Default: 0.
    #[serde(default)]
    pub min_tokens: u32,
}
