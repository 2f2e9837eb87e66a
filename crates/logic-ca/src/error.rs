//! Errors of the learner of a logic cellular automaton.

use vivarium_config::ConfigError;
use vivarium_learn::{LearnerFault, NotFinite};

/// Error of a learner when it is created, restored or trained.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LogicError {
    /// A config field is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A saved training state does not fit this learner, or a circuit does not fit the GPU's workgroup memory.
    #[error("{array}: {problem}")]
    State {
        /// Name of the invalid array of the saved state, such as `steps`.
        array: &'static str,
        /// Description of the problem, with the expected value.
        problem: String,
    },
    /// A saved training state lacks a tensor, or has a tensor of another shape.
    #[error(transparent)]
    Tensor(#[from] vivarium_graph::TensorError),
    /// A tensor of a saved training state has invalid values. The field is the name of the tensor.
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
