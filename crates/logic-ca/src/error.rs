//! Errors of the learner.

use vivarium_config::ConfigError;
use vivarium_learn::{LearnerFault, NotFinite};

/// Error when a learner is created, restored or advanced.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LogicError {
    /// A config field is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A saved state does not fit this learner.
    #[error("{array}: {problem}")]
    State {
        /// Name of the invalid array of the saved state, such as `steps`.
        array: &'static str,
        /// The problem and the expected value.
        problem: String,
    },
    /// A saved state lacks a tensor, or has one of another shape.
    #[error(transparent)]
    Tensor(#[from] vivarium_graph::TensorError),
    /// The tensor with this name of a saved state holds invalid values.
    #[error("{0} holds invalid values")]
    Values(String),
    /// GPU error: out of memory, rejected shader, or device loss.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] vivarium_gpu::GpuError),
    /// Local search cannot run on a GPU.
    #[cfg(feature = "gpu")]
    #[error("local search over single gates runs on the CPU only")]
    LocalSearch,
    /// Training diverged: the loss is not finite.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
}

impl From<LogicError> for LearnerFault {
    fn from(error: LogicError) -> Self {
        match error {
            LogicError::Config(error) => Self::Config(error),
            LogicError::State { .. } | LogicError::Tensor(_) | LogicError::Values(_) => {
                Self::State(error.to_string())
            }
            #[cfg(feature = "gpu")]
            LogicError::Gpu(error) => Self::Gpu(error),
            #[cfg(feature = "gpu")]
            LogicError::LocalSearch => Self::CpuOnly(error.to_string()),
            LogicError::NotFinite(error) => Self::Diverged(error.to_string()),
        }
    }
}
