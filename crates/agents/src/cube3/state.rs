//! A learner's state as named tensors, to save and to restore.
//!
//! Samples are functions of the seed and of how many there were before, so that what is restored goes on exactly as the
//! learner that was saved.

use super::config::Cube3Config;
use super::learner::{Counters, Cube3Learner};
use super::network::{Definition, Network};
use crate::error::LearnerError;
use vivarium_graph::{Saved, Tensor, Values};

/// Names of groups of tensors, each with one for every parameter of the network.
const WEIGHTS: &str = "weights";
const AVERAGE: &str = "average";
/// Names of the others.
const COUNTERS: &str = "counters";
const SUMS: &str = "iteration/sums";

impl Cube3Learner {
    /// What the learner has learned, and all that it needs to go on exactly.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let mut tensors = self.save_solver();
        tensors.extend(self.network.tensors(WEIGHTS).chain(self.trainer.tensors(&self.network)));
        tensors.push(Tensor::flat(COUNTERS, Values::U64(self.counters.numbers().to_vec())));
        tensors.push(Tensor::flat(SUMS, Values::F64(self.sums.numbers())));
        tensors
    }

    /// The weights that solve alone: a quarter of what [`save`](Self::save) gives.
    #[must_use]
    pub fn save_solver(&self) -> Vec<Tensor> {
        self.average.tensors(&self.network, AVERAGE).collect()
    }

    /// Takes over the weights that [`Network::save`] wrote, to learn on from there.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or does not fit; nothing is changed then.
    pub fn adopt(&mut self, tensors: &[Tensor]) -> Result<(), LearnerError> {
        self.network.read(&Saved(tensors), AVERAGE)?;
        self.average.write(self.network.weights());
        Ok(())
    }

    /// A learner in a saved state. Config and seed must be those that it was saved under (live fields may differ).
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(config: Cube3Config, seed: u64, tensors: &[Tensor]) -> Result<Self, LearnerError> {
        let mut learner = Self::new(config, seed)?;
        let (saved, Self { network, trainer, average, .. }) = (Saved(tensors), &mut learner);
        average.read(network, &saved, AVERAGE)?;
        trainer.read(network, &saved)?;
        network.read(&saved, WEIGHTS)?;
        learner.counters = Counters::of(*saved.find(COUNTERS)?.counters()?);
        learner.sums.take(saved.find(SUMS)?.doubles(&[learner.sums.numbers().len()])?);
        Ok(learner)
    }
}

impl Network {
    /// Its weights, as [`Cube3Learner::save_solver`] writes them.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        self.tensors(AVERAGE).collect()
    }

    /// The network of a config that [`Cube3Learner::save_solver`] or [`Cube3Learner::save`] wrote, to solve with.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(config: &Cube3Config, tensors: &[Tensor]) -> Result<Self, LearnerError> {
        config.check()?;
        let mut network = Self::new(&Definition::new(config), 0)?;
        network.network.read(&Saved(tensors), AVERAGE)?;
        Ok(network)
    }
}
