//! The model that learns, and its tokenizer.

use std::sync::Arc;
use vivarium_lm::{LanguageTrainer, Tokenizer};

/// A model, and the tokens that it knows.
pub(super) struct TrainedModel {
    pub(super) tokenizer: Arc<Tokenizer>,
    pub(super) trainer: LanguageTrainer,
}
