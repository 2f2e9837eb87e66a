//! Why a learner could not go on or could not be made.

use vivarium_config::ConfigError;
use vivarium_envs::EnvError;
use vivarium_graph::{GraphError, TensorError};

/// Why a learner could not go on or could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PpoError {
    /// A field of the config is not acceptable.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A parameter of the world is not acceptable, or the world refused an action.
    #[error(transparent)]
    World(#[from] EnvError),
    /// The network cannot be built.
    #[error(transparent)]
    Network(#[from] GraphError),
    /// A state is not one of this learner.
    #[error(transparent)]
    State(#[from] TensorError),
    /// The GPU refused or went away.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] vivarium_gpu::GpuError),
    /// Training diverged. The weights are those before the gradient step that would have spoilt them.
    #[error("{what} is {value} after {updates} updates; it must be a finite number")]
    NotFinite {
        /// The loss or the gradient.
        what: &'static str,
        /// What it became.
        value: f64,
        /// Optimiser steps so far.
        updates: u64,
    },
}
