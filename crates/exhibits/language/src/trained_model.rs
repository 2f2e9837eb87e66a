//! Model in training with its tokenizer.

use std::sync::Arc;
use vivarium_lm::{LanguageTrainer, Tokenizer};

/// Language model in training (with its optimizer) and its tokenizer.
pub(super) struct TrainedModel {
    pub(super) tokenizer: Arc<Tokenizer>,
    pub(super) trainer: LanguageTrainer,
}
