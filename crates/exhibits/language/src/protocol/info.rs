//! What there is to know about a language model before it learns.

use serde::Serialize;

/// What a language model's exhibit has to offer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "language")]
pub struct LanguageInfo {
    /// What the built-in text is called.
    pub built_in: String,
    /// What its questions ask for, each as a phrase such as "capitals of countries".
    pub topics: Vec<String>,
    /// The share of questions that guessing answers rightly.
    pub guessing: f64,
    /// The most bytes that a text may have in a page, which holds all of it in memory.
    pub largest_text: u64,
    /// The highest temperature.
    pub hottest: f32,
    /// The most tokens that are written in one go.
    pub longest_writing: u32,
    /// Seconds between two samples: the fewest, and the most.
    pub sample_seconds: [f32; 2],
}
