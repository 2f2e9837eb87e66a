//! A learner's state as named tensors, to save and to restore.
//!
//! Samples are functions of the seed and of how many there were before, so that what is restored goes on exactly as the
//! learner that was saved.

use super::config::Cube3Config;
use super::error::Cube3Error;
use super::learner::{Counters, Cube3Learner};
use super::network::{Definition, Network};
use vivarium_graph::{Saved, Tensor, Values, tensors_of};
use vivarium_kernels::simd;

/// Names of groups of tensors, each with one for every parameter of the network.
const WEIGHTS: &str = "weights";
const AVERAGE: &str = "average";
const FIRST_MOMENT: &str = "adam/first_moment";
const SECOND_MOMENT: &str = "adam/second_moment";
/// Names of the others.
const COUNTERS: &str = "counters";
const SUMS: &str = "iteration/sums";

impl Cube3Learner {
    /// What the learner has learnt, and all that it needs to go on exactly.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let mut tensors = self.save_solver();
        let specs = self.network.parameters().specs();
        for (group, flat) in [
            (WEIGHTS, self.network.parameters().flat()),
            (FIRST_MOMENT, &self.first_moment),
            (SECOND_MOMENT, &self.second_moment),
        ] {
            tensors.extend(tensors_of(group, specs, flat));
        }
        let Counters { samples, updates, iterations } = self.counters;
        let counters = Values::U64(vec![samples, updates, iterations]);
        tensors.push(Tensor { name: COUNTERS.to_owned(), shape: vec![3], values: counters });
        let sums = self.sums.numbers();
        tensors.push(Tensor { name: SUMS.to_owned(), shape: vec![sums.len()], values: Values::F64(sums) });
        tensors
    }

    /// The weights that solve alone: a quarter of what [`save`](Self::save) gives.
    #[must_use]
    pub fn save_solver(&self) -> Vec<Tensor> {
        tensors_of(AVERAGE, self.network.parameters().specs(), &self.average).collect()
    }

    /// Takes over the weights that [`Network::save`] wrote, to learn on from there.
    ///
    /// # Errors
    /// [`Cube3Error`] naming the tensor that is missing or does not fit; nothing is changed then.
    pub fn adopt(&mut self, tensors: &[Tensor]) -> Result<(), Cube3Error> {
        let network = Network::restore(self.config(), tensors)?;
        let weights = network.parameters().flat();
        self.average.copy_from_slice(weights);
        self.network.change(|to| to.flat_mut().copy_from_slice(weights));
        Ok(())
    }

    /// A learner in a saved state. Config and seed must be those that it was saved under (live fields may differ).
    ///
    /// # Errors
    /// [`Cube3Error`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(config: Cube3Config, seed: u64, tensors: &[Tensor]) -> Result<Self, Cube3Error> {
        let mut learner = Self::new(config, seed)?;
        let specs = learner.network.parameters().specs().to_vec();
        let (saved, len) = (Saved(tensors), learner.average.len());
        let flat = |group| saved.flat(group, &specs, len);
        learner.average.copy_from_slice(&flat(AVERAGE)?);
        learner.first_moment.copy_from_slice(&flat(FIRST_MOMENT)?);
        learner.second_moment.copy_from_slice(&flat(SECOND_MOMENT)?);
        let weights = flat(WEIGHTS)?;
        learner.network.change(|to| to.flat_mut().copy_from_slice(&weights));
        let &[samples, updates, iterations] = saved.find(COUNTERS)?.counters()?;
        learner.counters = Counters { samples, updates, iterations };
        learner.sums.take(saved.find(SUMS)?.doubles(&[learner.sums.numbers().len()])?);
        Ok(learner)
    }
}

impl Network {
    /// Its weights, as [`Cube3Learner::save_solver`] writes them.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let parameters = self.parameters();
        tensors_of(AVERAGE, parameters.specs(), parameters.flat()).collect()
    }

    /// The network of a config that [`Cube3Learner::save_solver`] or [`Cube3Learner::save`] wrote, to solve with.
    ///
    /// # Errors
    /// [`Cube3Error`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(config: &Cube3Config, tensors: &[Tensor]) -> Result<Self, Cube3Error> {
        config.check()?;
        let mut network = Self::new(simd::level(), &Definition::new(config), 0, false)?;
        let parameters = network.parameters();
        let weights = Saved(tensors).flat(AVERAGE, parameters.specs(), parameters.flat().len())?;
        network.change(|to| to.flat_mut().copy_from_slice(&weights));
        Ok(network)
    }
}
