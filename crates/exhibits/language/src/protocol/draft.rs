//! The text that the model writes.

use serde::{Deserialize, Serialize};

/// The document `draft`: what is being written, or was last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageDraft {
    /// Counts the texts that were begun.
    pub writing: u32,
    /// Who asked for it.
    pub by: LanguageAuthor,
    /// Gradient steps of the model when it began. As the model learns on, the rest is written by newer weights.
    pub updates: u64,
    /// How it stands.
    pub status: LanguageDraftStatus,
    /// How many tokens of this text earlier documents have sent.
    pub first: u32,
    /// The others: those of the prompt, and those that were written.
    pub tokens: Vec<LanguageToken>,
}

/// Who asks for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LanguageAuthor {
    /// A person.
    Person,
    /// Nobody: it is one of the samples that are written every so often.
    Sample,
}

/// How a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LanguageDraftStatus {
    /// It is being written.
    Writing,
    /// It has as many tokens as were asked for, or the model has ended it.
    Done,
    /// Somebody stopped it.
    Stopped,
}

/// A token of a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageToken {
    /// Its number in the vocabulary.
    pub token: u32,
    /// Its characters. Bytes that are no whole character stand as `⟨e4⟩`, and the end of a document as `⟨end⟩`.
    pub text: String,
    /// Whether it was in the prompt, or a person chose it.
    pub prompt: bool,
    /// How likely the model found it there, at temperature 1; `None` for the first token of all.
    pub probability: Option<f32>,
    /// The eight likeliest tokens at its place, the likeliest first.
    pub alternatives: Vec<LanguageAlternative>,
}

/// A token that could have stood there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageAlternative {
    /// As [`LanguageToken::token`].
    pub token: u32,
    /// As [`LanguageToken::text`].
    pub text: String,
    /// How likely the model finds it, at temperature 1.
    pub probability: f32,
}

/// How tokens are chosen, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageSampling {
    /// 0 takes the likeliest; 1 takes tokens as often as the model finds them likely; more makes all of them more alike. At
    /// most 2.
    #[serde(serialize_with = "vivarium_lab::protocol::shortest")]
    pub temperature: f32,
    /// Only so many of the likeliest tokens may be chosen; 0: all of them.
    pub top_k: u32,
    /// The most tokens that are written, 1 to 2,000.
    pub tokens: u32,
}
