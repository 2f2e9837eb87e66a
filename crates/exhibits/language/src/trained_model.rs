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
    /// Combines a tokenizer and a learner whose training text is not loaded yet. Training takes place on the CPU until
    /// it is moved to a GPU.
    pub(super) fn new(tokenizer: Tokenizer, learner: LanguageLearner) -> Self {
        Self { tokenizer: Arc::new(tokenizer), training: Training::new(learner) }
    }

    /// Returns the CPU trainer (model and optimizer). During training on a GPU, its weights can be a few steps old.
    pub(super) fn trainer(&self) -> &LanguageTrainer {
        self.training.learner.trainer()
    }
}
