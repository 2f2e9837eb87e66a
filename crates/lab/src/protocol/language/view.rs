//! What is to be drawn of a language model.

use serde::{Deserialize, Serialize};

/// What is to be drawn of a language model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LanguageView {
    /// Whether the documents `language`, `desk`, `samples` and `quiz` are wanted. They come where they have changed since the
    /// last frame that brought them, or the last frame did not ask for them.
    pub documents: bool,
    /// The layer whose attention over the desk's text is wanted. It comes where it has changed in the same way.
    pub attention: Option<u32>,
    /// Whether the map of tokens is wanted. It comes at first, and then every so many gradient steps.
    pub embeddings: bool,
}
