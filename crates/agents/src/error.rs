//! Errors of learners.

use crate::players::PlayerError;
use vivarium_config::ConfigError;
use vivarium_envs::EnvError;
use vivarium_graph::{GraphError, TensorError};
use vivarium_learn::{LearnerFault, NotFinite};
use vivarium_mcts::SearchError;

/// Error of a learner.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnerError {
    /// A config field is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A physical parameter of the environment, or an action, is invalid.
    #[error(transparent)]
    World(#[from] EnvError),
    /// The network cannot be built.
    #[error(transparent)]
    Network(#[from] GraphError),
    /// A tree search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A match between two players failed.
    #[error(transparent)]
    Match(#[from] PlayerError),
    /// A saved state does not belong to this learner.
    #[error(transparent)]
    State(#[from] TensorError),
    /// A GPU limit was exceeded, or the device was lost.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] vivarium_gpu::GpuError),
    /// Training diverged.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
}

impl From<LearnerError> for LearnerFault {
    fn from(error: LearnerError) -> Self {
        match error {
            LearnerError::Config(error) | LearnerError::World(EnvError::Param(error)) => Self::Config(error),
            LearnerError::State(error) => Self::State(error.to_string()),
            // An environment rejects NaN as an action, the result of a diverged policy.
            LearnerError::NotFinite(_) | LearnerError::World(EnvError::Action { .. }) => {
                Self::Diverged(error.to_string())
            }
            #[cfg(feature = "gpu")]
            LearnerError::Gpu(error) => Self::Gpu(error),
            other => Self::Refused(other.to_string()),
        }
    }
}

#[cfg(feature = "gpu")]
impl From<vivarium_learn::StepError> for LearnerError {
    fn from(error: vivarium_learn::StepError) -> Self {
        match error {
            vivarium_learn::StepError::Gpu(error) => error.into(),
            vivarium_learn::StepError::NotFinite(error) => error.into(),
        }
    }
}
