//! Exponential moving average (EMA) of network weights, also known as Polyak averaging (Polyak and Juditsky 1992,
//! <https://doi.org/10.1137/0330046>).

use crate::network::{Network, polyak_update};
use vivarium_graph::{Cpu, SavedTensors, Tensor, TensorError, tensors_of};
use vivarium_kernels::AlignedVec;

/// Exponential moving average (Polyak average) of a network's weights. Averaged weights usually have better evaluation
/// results than the latest weights.
#[derive(Clone, Debug)]
pub struct WeightAverage(AlignedVec<f32>);

impl WeightAverage {
    /// Creates an average whose initial value is the network's weights.
    pub fn new(network: &Network) -> Self {
        Self(AlignedVec::from_slice(network.weights()))
    }

    /// Returns the averaged weights in the layout of [`Network::weights`].
    pub fn weights(&self) -> &[f32] {
        &self.0
    }

    /// Replaces the averaged weights by `weights`, in the layout of [`Network::weights`].
    ///
    /// # Panics
    /// If the length differs.
    pub fn write(&mut self, weights: &[f32]) {
        self.0.copy_from_slice(weights);
    }

    /// Updates the average after a gradient step: average ← average + rate·(weights − average), with the
    /// [rate](Self::rate) for `horizon` and `updates`.
    pub fn update(&mut self, cpu: &Cpu, network: &Network, horizon: u32, updates: u64) {
        polyak_update(cpu, &mut self.0, network.weights(), Self::rate(horizon, updates));
    }

    /// Returns the EMA rate (1 − decay) of the gradient step that follows `updates` gradient steps:
    /// 1 / min(`horizon`, 1 + `updates`/10).
    ///
    /// `horizon` is the averaging horizon in gradient steps. Before the horizon is reached, the average covers about
    /// the latest tenth of all gradient steps; the initial weights therefore decay quickly.
    pub fn rate(horizon: u32, updates: u64) -> f32 {
        let steps = f64::from(horizon).min(1.0 + 0.1 * updates as f64);
        1.0 / steps as f32
    }

    /// Returns the averaged weights as one tensor for each parameter, named `group/parameter`.
    pub fn tensors<'a>(&'a self, network: &'a Network, group: &'a str) -> impl Iterator<Item = Tensor> + 'a {
        tensors_of(group, network.specs(), &self.0)
    }

    /// Restores an average from the tensors of [`tensors`](Self::tensors).
    ///
    /// # Errors
    /// [`TensorError`] naming the tensor that is missing or invalid; the average is unchanged.
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
