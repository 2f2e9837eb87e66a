//! Why a learner could not go on or could not be made.

use vivarium_config::ConfigError;
use vivarium_learn::{Fault, NotFinite};

/// Why a learner could not go on or could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LogicError {
    /// A field of the config is not acceptable.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A state is not one of this learner.
    #[error("{array}: {problem}")]
    State {
        /// Name of the array.
        array: &'static str,
        /// What is wrong with it and what is needed.
        problem: String,
    },
    /// Something that the GPU refused, or its loss.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] vivarium_gpu::GpuError),
    /// Training diverged.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
}

impl From<LogicError> for Fault {
    fn from(error: LogicError) -> Self {
        match error {
            LogicError::Config(error) => Self::Config(error),
            LogicError::State { .. } => Self::State(error.to_string()),
            #[cfg(feature = "gpu")]
            LogicError::Gpu(error) => Self::Gpu(error),
            LogicError::NotFinite(error) => Self::Diverged(error.to_string()),
        }
    }
}
