//! Models and their training as named tensors, to save and to restore.
//!
//! Weights go by the names that they have in GPT-2's files, whose weights have the same shapes.

use crate::config::LanguageConfig;
use crate::error::LanguageError;
use crate::model::Gpt;
use crate::trainer::Trainer;
use vivarium_graph::{Saved, Tensor, Values};

/// The weights have their own names, without that of a group.
const WEIGHTS: &str = "";
/// Name of the tensor of counters.
const COUNTERS: &str = "counters";

impl Gpt {
    /// The weights.
    #[must_use]
    pub fn tensors(&self) -> Vec<Tensor> {
        self.network.tensors(WEIGHTS).collect()
    }

    /// Takes over weights that [`Gpt::tensors`] gave, or another program's of the same names; other tensors are left alone.
    ///
    /// # Errors
    /// [`LanguageError::State`] naming the tensor that is missing or does not fit; nothing is changed then.
    pub fn adopt(&mut self, tensors: &[Tensor]) -> Result<(), LanguageError> {
        Ok(self.network.read(&Saved(tensors), WEIGHTS)?)
    }
}

impl Trainer {
    /// What was learned, and all that is needed to go on exactly.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let mut tensors = self.gpt.tensors();
        tensors.extend(self.trainer.tensors(&self.gpt));
        tensors.push(Tensor::flat(COUNTERS, Values::U64(vec![self.updates])));
        tensors
    }

    /// Training in a saved state. Config and vocabulary must be those that it was saved under (live fields may differ).
    ///
    /// # Errors
    /// [`LanguageError`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(
        config: LanguageConfig,
        vocabulary: usize,
        tensors: &[Tensor],
    ) -> Result<Self, LanguageError> {
        let mut trainer = Self::new(config, vocabulary, 0)?;
        trainer.gpt.adopt(tensors)?;
        let saved = Saved(tensors);
        trainer.trainer.read(&trainer.gpt, &saved)?;
        let &[updates] = saved.find(COUNTERS)?.counters()?;
        trainer.updates = updates;
        Ok(trainer)
    }
}
