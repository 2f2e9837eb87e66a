//! Checkpoints: the learner's state as named tensors.
//!
//! Samples are functions of the seed and of the number of gradient steps, so a restored learner continues exactly like
//! the saved learner.

use super::config::Cube3Config;
use super::learner::{Cube3Counters, Cube3Learner};
use super::network::{Cube3Network, Cube3NetworkDefinition};
use crate::error::LearnerError;
use vivarium_graph::{SavedTensors, Tensor, TensorData};

/// Names of the tensor groups of a checkpoint, each with one tensor per network parameter.
const WEIGHTS: &str = "weights";
const AVERAGE: &str = "average";
/// Names of the checkpoint tensors that hold the counters and the sums of the iteration in progress.
const COUNTERS: &str = "counters";
const SUMS: &str = "iteration/sums";

impl Cube3Learner {
    /// Returns the complete state of the learner.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let mut tensors = self.save_averaged();
        tensors.extend(self.network.tensors(WEIGHTS).chain(self.trainer.tensors(&self.network)));
        tensors.push(Tensor::flat(COUNTERS, TensorData::U64(self.counters.numbers().to_vec())));
        tensors.push(Tensor::flat(SUMS, TensorData::F64(self.sums.numbers())));
        tensors
    }

    /// Returns the tensors of the EMA of the weights, which take a quarter of the size of [`save`](Self::save).
    #[must_use]
    pub fn save_averaged(&self) -> Vec<Tensor> {
        self.average.tensors(&self.network, AVERAGE).collect()
    }

    /// Loads weights written by [`Cube3Network::save`] as a starting point of training.
    ///
    /// # Errors
    /// [`LearnerError`] with the missing or mismatched tensor; the learner is unchanged then.
    pub fn adopt(&mut self, tensors: &[Tensor]) -> Result<(), LearnerError> {
        self.network.read(&SavedTensors(tensors), AVERAGE)?;
        self.average.write(self.network.weights());
        Ok(())
    }

    /// Restores a learner from [`save`](Self::save). Config and seed must equal those of the saved learner; live config
    /// fields may differ.
    ///
    /// # Errors
    /// [`LearnerError`] with the missing or mismatched tensor, or the invalid field.
    pub fn restore(config: Cube3Config, seed: u64, tensors: &[Tensor]) -> Result<Self, LearnerError> {
        let mut learner = Self::new(config, seed)?;
        let (saved, Self { network, trainer, average, .. }) = (SavedTensors(tensors), &mut learner);
        average.read(network, &saved, AVERAGE)?;
        trainer.read(network, &saved)?;
        network.read(&saved, WEIGHTS)?;
        learner.counters = Cube3Counters::of(*saved.find(COUNTERS)?.counters()?);
        learner.sums.take(saved.find(SUMS)?.doubles(&[learner.sums.numbers().len()])?);
        Ok(learner)
    }
}

impl Cube3Network {
    /// Returns the network's weights as named tensors, in the format of [`Cube3Learner::save_averaged`].
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        self.tensors(AVERAGE).collect()
    }

    /// Restores the network from tensors of [`Cube3Learner::save_averaged`] or [`Cube3Learner::save`].
    ///
    /// # Errors
    /// [`LearnerError`] with the missing or mismatched tensor, or the invalid field.
    pub fn restore(config: &Cube3Config, tensors: &[Tensor]) -> Result<Self, LearnerError> {
        config.check()?;
        let mut network = Self::new(&Cube3NetworkDefinition::new(config), 0)?;
        network.network.read(&SavedTensors(tensors), AVERAGE)?;
        Ok(network)
    }
}
