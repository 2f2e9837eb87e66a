//! View and documents of the language-model experiment.

use super::{LanguageDraft, LanguageEmbeddings, LanguageQuizView, LanguageRun, LanguageSamples};
use serde::{Deserialize, Serialize};

/// View of the language-model experiment: the parts of a frame that a front end requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "language")]
pub struct LanguageView {
    /// Whether to send the JSON documents `language`, `draft`, `samples` and `quiz` when they have changed.
    pub documents: bool,
    /// Index, from 0, of the layer whose attention weights over the displayed text are sent when they have changed;
    /// `None` for no attention weights.
    pub attention: Option<u32>,
    /// Whether to send the two-dimensional map of the token embeddings, with the next frame and then periodically
    /// during training.
    pub embeddings: bool,
}

/// JSON documents of a frame (data for one redraw of the display). Documents that have not changed since the previous
/// frame are omitted.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename = "language")]
pub struct LanguageDocuments {
    /// Training state of the run beyond the metrics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageRun>,
    /// Displayed text; `null` before the first text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<Option<LanguageDraft>>,
    /// History of the periodic samples of generated text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<LanguageSamples>,
    /// Quiz answers: absent if unchanged, `null` for a training text without quiz questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiz: Option<Option<LanguageQuizView>>,
    /// Tokens of the two-dimensional map of the token embeddings; their positions are the array `embeddings/positions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embeddings: Option<LanguageEmbeddings>,
}
