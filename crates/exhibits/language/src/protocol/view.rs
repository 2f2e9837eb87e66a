//! What is to be drawn of a language model.

use super::{LanguageDraft, LanguageEmbeddings, LanguageQuizView, LanguageRun, LanguageSamples};
use serde::{Deserialize, Serialize};

/// What is to be drawn of a language model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "language")]
pub struct LanguageView {
    /// Whether the documents `language`, `draft`, `samples` and `quiz` are wanted. They come where they have changed since the
    /// last frame that brought them, or the last frame did not ask for them.
    pub documents: bool,
    /// The layer whose attention over the draft is wanted. It comes where it has changed in the same way.
    pub attention: Option<u32>,
    /// Whether the map of tokens is wanted. It comes at first, and then every so many gradient steps.
    pub embeddings: bool,
}

/// What has changed since the last frame that brought it; a field that has not is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename = "language")]
pub struct LanguageDocuments {
    /// How training goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageRun>,
    /// The draft; `null` before anything is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<Option<LanguageDraft>>,
    /// Texts written every so often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<LanguageSamples>,
    /// The quiz; `null` for a text without questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiz: Option<Option<LanguageQuizView>>,
    /// The tokens of the map; their positions are the array `embeddings/positions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embeddings: Option<LanguageEmbeddings>,
}
