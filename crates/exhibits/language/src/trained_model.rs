//! Language model in training, combined with its tokenizer.

use std::sync::Arc;
use vivarium_lab::train::Training;
use vivarium_lm::{LanguageLearner, LanguageTrainer, Tokenizer};

/// Language model in training, with the engine that trains it, and its tokenizer.
pub(super) struct TrainedModel {
    pub(super) tokenizer: Arc<Tokenizer>,
    pub(super) training: Training<LanguageLearner>,
}

impl TrainedModel {
    /// Combines a tokenizer with a learner whose training text is not loaded yet. Training starts on the CPU.
    pub(super) fn new(tokenizer: Tokenizer, learner: LanguageLearner) -> Self {
        Self { tokenizer: Arc::new(tokenizer), training: Training::new(learner) }
    }

    /// Returns the CPU trainer (model and optimizer). While a GPU trains, the weights of this trainer can be a few
    /// gradient steps old.
    pub(super) fn trainer(&self) -> &LanguageTrainer {
        self.training.learner.trainer()
    }
}
