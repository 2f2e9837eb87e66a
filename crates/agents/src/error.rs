//! Why a learner could not go on or could not be made.

use crate::players::PlayerError;
use vivarium_config::ConfigError;
use vivarium_envs::EnvError;
use vivarium_graph::{GraphError, TensorError};
use vivarium_learn::{Fault, NotFinite};
use vivarium_mcts::SearchError;

/// Why a learner could not go on or could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnerError {
    /// A field of the config is not acceptable.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A parameter of the world is not acceptable, or the world refused an action.
    #[error(transparent)]
    World(#[from] EnvError),
    /// The network cannot be built.
    #[error(transparent)]
    Network(#[from] GraphError),
    /// A tree search was refused.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A match cannot go on.
    #[error(transparent)]
    Match(#[from] PlayerError),
    /// A saved state is not one of this learner.
    #[error(transparent)]
    State(#[from] TensorError),
    /// The GPU refused or went away.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] vivarium_gpu::GpuError),
    /// Training diverged.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
}

impl From<LearnerError> for Fault {
    fn from(error: LearnerError) -> Self {
        match error {
            LearnerError::Config(error) | LearnerError::World(EnvError::Param(error)) => Self::Config(error),
            LearnerError::State(error) => Self::State(error.to_string()),
            // A world refuses an action that is no number.
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
