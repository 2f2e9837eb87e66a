//! Errors of the learners in this crate.

use crate::players::PlayerError;
use vivarium_config::ConfigError;
use vivarium_envs::EnvError;
use vivarium_graph::{GraphError, TensorError};
use vivarium_learn::{LearnerFault, NotFinite};
use vivarium_mcts::SearchError;

/// Error of a learner: invalid settings, failed search, unusable checkpoint, GPU error or diverged training.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnerError {
    /// A field of the learner's config is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A physical parameter of the environment, or an action, is invalid.
    #[error(transparent)]
    World(#[from] EnvError),
    /// Deep Q-learning, which requires discrete actions, was requested for an environment with continuous actions.
    #[error(
        "the actions of {environment} are continuous, but deep Q-learning requires discrete actions; use PPO"
    )]
    ContinuousActions {
        /// Name of the environment with continuous actions.
        environment: &'static str,
    },
    /// The network cannot be built with the configured sizes.
    #[error(transparent)]
    Network(#[from] GraphError),
    /// A tree search failed, for example because its trees need too much memory.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A match between two players failed, for example because a player chose an illegal move.
    #[error(transparent)]
    Match(#[from] PlayerError),
    /// A tensor of a saved state is missing, or does not fit the config of this learner.
    #[error(transparent)]
    State(#[from] TensorError),
    /// The device was lost, a kernel was rejected, or a device limit was exceeded.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] vivarium_gpu::GpuError),
    /// Training diverged: a loss, a gradient or an action is not finite.
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
