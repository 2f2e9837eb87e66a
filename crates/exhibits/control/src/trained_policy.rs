//! Trained policy of a checkpoint file, for actions without a run.

use crate::checkpoint::ControlState;
use crate::entries::describe::{ControlSpec, ControlWorld};
use crate::family::FAMILY;
use crate::learner::ControlLearner;
use vivarium_agents::ppo::PolicyAndValue;
use vivarium_envs::{EnvSpec, each_world};
use vivarium_lab::checkpoint::{self, Header};
use vivarium_lab::error::LabError;

/// Trained policy (PPO or DQN), loaded from a checkpoint file; computes actions without a training run.
pub struct TrainedPolicy {
    env: &'static EnvSpec,
    learner: Box<dyn ControlLearner>,
}

impl TrainedPolicy {
    /// Loads the policy of a checkpoint file.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if the file is invalid or was saved by an experiment of another family.
    pub fn open(bytes: &[u8]) -> Result<Self, LabError> {
        let (header, tensors) = checkpoint::read(bytes)?;
        let header = Header { config: FAMILY.config_of(&header)?, ..header };
        let specs: &[&ControlSpec] = &each_world!(spec());
        let spec = specs.iter().find(|spec| spec.env.name == header.experiment);
        let spec = spec.ok_or_else(|| LabError::checkpoint("it has no policy"))?;
        let state = ControlState::open(spec, &header, tensors).map_err(LabError::in_checkpoint)?;
        Ok(Self { env: spec.env, learner: state.learner })
    }

    /// Returns the description of the environment: dimensions of observations, action space.
    #[must_use]
    pub fn env(&self) -> &'static EnvSpec {
        self.env
    }

    /// Returns the most probable action for each observation; `observations` has the shape
    /// `[observations, observation length]`. An action is the index of a discrete action, or a continuous action in the
    /// environment's unit.
    #[must_use]
    pub fn greedy(&self, observations: &[f32]) -> Vec<f32> {
        self.learner.algorithm().greedy(observations)
    }

    /// Returns an action for each observation, sampled from the policy as in training. The random numbers of an
    /// observation depend only on `seed`, `step` and its index. A DQN policy is greedy and samples nothing.
    #[must_use]
    pub fn sample(&self, observations: &[f32], seed: u64, step: u32) -> Vec<f32> {
        self.learner.algorithm().act(observations, seed, step)
    }

    /// Returns the action distribution and the value estimate for each observation; see [`PolicyAndValue`].
    #[must_use]
    pub fn policy_and_value(&self, observations: &[f32]) -> PolicyAndValue {
        self.learner.algorithm().policy_and_value(observations)
    }
}

const fn spec<W: ControlWorld>() -> &'static ControlSpec {
    ControlSpec::of::<W>()
}
