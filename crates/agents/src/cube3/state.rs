//! Checkpoints of the 3×3×3 cube's learner as named tensors.
//!
//! The seed and the number of gradient steps determine all future samples. Therefore a restored learner continues
//! exactly like the saved learner.

use super::config::Cube3Config;
use super::learner::{Cube3Counters, Cube3Learner};
use super::network::{Cube3Network, Cube3NetworkDefinition};
use crate::error::LearnerError;
use vivarium_graph::{SavedTensors, Tensor, TensorData};

/// Name prefix of the checkpoint tensors that hold the trained weights, one tensor per network parameter.
const WEIGHTS: &str = "weights";
/// Name prefix of the checkpoint tensors that hold the EMA of the weights, one tensor per network parameter.
const AVERAGE: &str = "average";
/// Name of the checkpoint tensor that holds the counters of the run.
const COUNTERS: &str = "counters";
/// Name of the checkpoint tensor that holds the metric sums of the iteration in progress.
const SUMS: &str = "iteration/sums";

impl Cube3Learner {
    /// Returns the complete state of the learner as named tensors.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let mut tensors = self.save_averaged();
        tensors.extend(self.network.tensors(WEIGHTS).chain(self.trainer.tensors(&self.network)));
        tensors.push(Tensor::flat(COUNTERS, TensorData::U64(self.counters.numbers().to_vec())));
        tensors.push(Tensor::flat(SUMS, TensorData::F64(self.sums.numbers())));
        tensors
    }

    /// Returns the EMA of the weights as named tensors, about a quarter of the data of [`save`](Self::save).
    #[must_use]
    pub fn save_averaged(&self) -> Vec<Tensor> {
        self.average.tensors(&self.network, AVERAGE).collect()
    }

    /// Replaces the weights and their EMA by weights that [`Cube3Network::save`] wrote, as the starting point of
    /// training.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or has the wrong shape; the learner is unchanged then.
    pub fn adopt(&mut self, tensors: &[Tensor]) -> Result<(), LearnerError> {
        self.network.read(&SavedTensors(tensors), AVERAGE)?;
        self.average.write(self.network.weights());
        Ok(())
    }

    /// Restores a learner from the tensors of [`save`](Self::save). Config and seed must equal the config and
    /// seed of the saved learner, except for live config fields, which may change during a run.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or has the wrong shape, or the invalid config field.
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
    /// Returns the weights of the network as named tensors, with the names that [`Cube3Learner::save_averaged`] uses.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        self.tensors(AVERAGE).collect()
    }

    /// Restores a network from the tensors of [`Cube3Learner::save_averaged`] or [`Cube3Learner::save`].
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or has the wrong shape, or the invalid config field.
    pub fn restore(config: &Cube3Config, tensors: &[Tensor]) -> Result<Self, LearnerError> {
        config.check()?;
        let mut network = Self::new(&Cube3NetworkDefinition::new(config), 0)?;
        network.network.read(&SavedTensors(tensors), AVERAGE)?;
        Ok(network)
    }
}
