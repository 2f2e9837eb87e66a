//! Saving and restoring models and training state as named tensors.
//!
//! Weights have the names and shapes of GPT-2's checkpoints.

use crate::config::LanguageConfig;
use crate::error::LanguageError;
use crate::model::Gpt;
use crate::trainer::LanguageTrainer;
use vivarium_graph::{SavedTensors, Tensor, TensorData};

/// Name prefix of the weight tensors: empty, so that the names equal the names in GPT-2's checkpoints.
const WEIGHTS: &str = "";
/// Name of the checkpoint tensor that stores the number of completed gradient steps.
const COUNTERS: &str = "counters";

impl Gpt {
    /// Returns the weights of the model as named tensors.
    #[must_use]
    pub fn tensors(&self) -> Vec<Tensor> {
        self.network.tensors(WEIGHTS).collect()
    }

    /// Replaces the weights of the model by the tensors of the same names in `tensors`. Ignores tensors with other
    /// names.
    ///
    /// # Errors
    /// [`LanguageError::State`] with the name of a missing or mismatched tensor; the model is unchanged then.
    pub fn adopt(&mut self, tensors: &[Tensor]) -> Result<(), LanguageError> {
        Ok(self.network.read(&SavedTensors(tensors), WEIGHTS)?)
    }
}

impl LanguageTrainer {
    /// Returns the weights, the optimizer state and the number of gradient steps as named tensors. Training that
    /// resumes from these tensors is bit-identical.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let mut tensors = self.gpt.tensors();
        tensors.extend(self.trainer.tensors(&self.gpt));
        tensors.push(Tensor::flat(COUNTERS, TensorData::U64(vec![self.updates])));
        tensors
    }

    /// Restores a trainer from the tensors of [`save`](Self::save). Config and vocabulary must equal the saved
    /// trainer's, except for live fields, which may change during training. With the weights alone, the trainer has a
    /// new optimizer and no gradient steps.
    ///
    /// # Errors
    /// [`LanguageError`] with the name of a missing or mismatched tensor, or of an invalid field.
    pub fn restore(
        config: LanguageConfig,
        vocabulary: usize,
        tensors: &[Tensor],
    ) -> Result<Self, LanguageError> {
        let mut trainer = Self::new(config, vocabulary, 0)?;
        trainer.gpt.adopt(tensors)?;
        // A checkpoint with weights only has one tensor for each parameter.
        if tensors.len() == trainer.gpt.network.specs().len() {
            return Ok(trainer);
        }
        let saved = SavedTensors(tensors);
        trainer.trainer.read(&trainer.gpt, &saved)?;
        let &[updates] = saved.find(COUNTERS)?.counters()?;
        trainer.updates = updates;
        Ok(trainer)
    }
}
