//! Hyperparameters and errors of a gradient step on a GPU.

use crate::error::NotFinite;
use vivarium_gpu::GpuError;
use vivarium_kernels::adam::AdamStep;

/// Error of a gradient step on the device.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// The device rejected a request or was lost.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// Training diverged: a loss or gradient is infinite or NaN.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
}

/// Hyperparameters of a gradient step on the device.
#[derive(Clone, Copy, Debug)]
pub struct StepSettings {
    /// AdamW hyperparameters. The field `step` is ignored, because the device counts the steps.
    pub adam: AdamStep,
    /// Maximum gradient norm; a gradient of larger norm is scaled to this norm. 0 disables clipping.
    pub max_gradient_norm: f32,
    /// Rate τ of the Polyak update after the gradient step, 0 to 1: target ← target + τ·(weights − target). Applies to
    /// the target weights of [`GpuTrainer::new`](crate::GpuTrainer::new), if there are any.
    pub polyak_rate: f32,
}
