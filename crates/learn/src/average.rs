//! An exponential moving average of a network's weights.

use crate::network::{Network, polyak_update};
use vivarium_graph::{Cpu, SavedTensors, Tensor, TensorError, tensors_of};
use vivarium_kernels::AlignedVec;

/// An exponential moving average of a network's weights (Polyak and Juditsky 1992), which plays or solves better than the
/// weights after any one gradient step do.
#[derive(Clone, Debug)]
pub struct WeightAverage(AlignedVec<f32>);

impl WeightAverage {
    /// An average that so far is the network's weights.
    pub fn new(network: &Network) -> Self {
        Self(AlignedVec::from_slice(network.weights()))
    }

    /// The averaged weights, laid out as [`Network::weights`].
    pub fn weights(&self) -> &[f32] {
        &self.0
    }

    /// Replaces the average.
    ///
    /// # Panics
    /// If the length differs.
    pub fn write(&mut self, weights: &[f32]) {
        self.0.copy_from_slice(weights);
    }

    /// Takes in the weights after a gradient step, as far as [`share`](Self::share) says.
    pub fn update(&mut self, cpu: &Cpu, network: &Network, horizon: u32, updates: u64) {
        polyak_update(cpu, &mut self.0, network.weights(), Self::share(horizon, updates));
    }

    /// How far the average moves towards the weights after a gradient step. `horizon` is the number of steps that count, and
    /// `updates` the number of steps before this one: an early average is over the newest tenth of all steps, so that it soon
    /// forgets the first weights.
    pub fn share(horizon: u32, updates: u64) -> f32 {
        let steps = f64::from(horizon).min(1.0 + 0.1 * updates as f64);
        1.0 / steps as f32
    }

    /// A tensor for each parameter, named `group/parameter`.
    pub fn tensors<'a>(&'a self, network: &'a Network, group: &'a str) -> impl Iterator<Item = Tensor> + 'a {
        tensors_of(group, network.specs(), &self.0)
    }

    /// Takes over an average that [`tensors`](Self::tensors) made.
    ///
    /// # Errors
    /// [`TensorError`] naming the tensor that is missing or does not fit; nothing is changed then.
    pub fn read(
        &mut self,
        network: &Network,
        saved: &SavedTensors<'_>,
        group: &str,
    ) -> Result<(), TensorError> {
        let weights = saved.flat(group, network.specs(), self.0.len())?;
        self.write(&weights);
        Ok(())
    }
}
