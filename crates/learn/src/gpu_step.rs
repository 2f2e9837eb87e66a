//! What a gradient step on a GPU is given, and why it may come to nothing.

use crate::error::NotFinite;
use vivarium_gpu::GpuError;
use vivarium_kernels::adam::AdamStep;

/// Why a gradient step on the device came to nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// The device refused, or is gone.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// Training diverged.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
}

/// The hyperparameters of one gradient step.
#[derive(Clone, Copy, Debug)]
pub struct StepSettings {
    /// The optimizer's; the device counts the steps itself.
    pub adam: AdamStep,
    /// The norm to which a larger gradient is clipped; 0 for no clip.
    pub max_gradient_norm: f32,
    /// How far the [follower](crate::GpuTrainer::new) moves towards the weights after the step, if there is one: not at all
    /// by 0, wholly by 1.
    pub follow_share: f32,
}
