//! Model in training with its tokenizer.

use std::sync::Arc;
use vivarium_lab::train::Training;
use vivarium_lm::{LanguageLearner, LanguageTrainer, Tokenizer};

/// Language model in training, with the engine that trains it, and its tokenizer.
pub(super) struct TrainedModel {
    pub(super) tokenizer: Arc<Tokenizer>,
    pub(super) training: Training<LanguageLearner>,
}

impl TrainedModel {
    /// Creates the training state of a learner without text, which trains on the CPU.
    pub(super) fn new(tokenizer: Tokenizer, learner: LanguageLearner) -> Self {
        Self { tokenizer: Arc::new(tokenizer), training: Training::new(learner) }
    }

    /// Returns model and optimizer on the CPU.
    pub(super) fn trainer(&self) -> &LanguageTrainer {
        self.training.learner.trainer()
    }
}
