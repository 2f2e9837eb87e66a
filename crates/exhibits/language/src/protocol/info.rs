//! Static description of the language-model experiment.

use serde::Serialize;

/// Static description of the language-model experiment: quiz topics, and limits of user requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "language")]
pub struct LanguageInfo {
    /// Display name of the built-in training text.
    pub built_in: String,
    /// Topics of the quiz questions, such as "capitals of countries".
    pub topics: Vec<String>,
    /// Expected fraction of correct quiz answers if the answers are guessed at random.
    pub guess_accuracy: f64,
    /// Maximum size in bytes of a training text in a browser, which holds the whole text in memory.
    pub max_text_bytes: u64,
    /// Maximum sampling temperature that a user can request.
    pub max_temperature: f32,
    /// Maximum number of tokens of a generated text that a user can request.
    pub max_generated_tokens: u32,
    /// Minimum and maximum interval between the starts of two periodic samples, in seconds.
    pub sample_interval_seconds: [f32; 2],
}
