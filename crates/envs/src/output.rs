//! Output buffers of an environment step.

use crate::error::EnvError;
use crate::world::World;
use vivarium_kernels::aligned::AlignedVec;

/// Borrowed output buffers of a step, such as one time step of a rollout. Row-major, one row per environment.
pub struct StepOut<'a> {
    /// `[num_envs, observation]`: the next observation; after an autoreset, the first one of the new episode.
    pub observation: &'a mut [f32],
    /// `[num_envs]`: the reward of the step.
    pub reward: &'a mut [f32],
    /// `[num_envs]`: whether the episode reached a terminal state.
    pub terminated: &'a mut [bool],
    /// `[num_envs]`: whether the episode reached the time limit. `terminated` may be set as well. Learners bootstrap a
    /// truncated episode from its final observation, unless the final state is terminal.
    pub truncated: &'a mut [bool],
    /// `[num_envs, observation]`: the final observation of each episode that ended, in both autoreset modes. Rows of
    /// other environments are not written.
    pub final_observation: &'a mut [f32],
}

impl StepOut<'_> {
    /// Borrows the output rows of the environments with the indices `envs`.
    #[inline(always)]
    pub(crate) fn part<W: World>(&mut self, envs: std::ops::Range<usize>) -> StepOut<'_> {
        let rows = envs.start * W::OBSERVATION_LEN..envs.end * W::OBSERVATION_LEN;
        StepOut {
            observation: &mut self.observation[rows.clone()],
            reward: &mut self.reward[envs.clone()],
            terminated: &mut self.terminated[envs.clone()],
            truncated: &mut self.truncated[envs],
            final_observation: &mut self.final_observation[rows],
        }
    }

    /// Returns an error if a buffer does not have the length for `num_envs` environments.
    pub(crate) fn check<W: World>(&self, num_envs: usize) -> Result<(), EnvError> {
        let rows = num_envs * W::OBSERVATION_LEN;
        for (what, got, expected) in [
            ("the buffer of observations", self.observation.len(), rows),
            ("the buffer of rewards", self.reward.len(), num_envs),
            ("the buffer of terminated flags", self.terminated.len(), num_envs),
            ("the buffer of truncated flags", self.truncated.len(), num_envs),
            ("the buffer of final observations", self.final_observation.len(), rows),
        ] {
            if got != expected {
                return Err(EnvError::Length { what, got, expected });
            }
        }
        Ok(())
    }
}

/// Owned output buffers of a step.
#[derive(Debug, Clone)]
pub struct StepBuffers {
    /// `[num_envs, observation]`: the next observations; see [`StepOut::observation`].
    pub observation: AlignedVec<f32>,
    /// `[num_envs]`: the rewards of the step.
    pub reward: AlignedVec<f32>,
    /// `[num_envs]`: whether each episode reached a terminal state.
    pub terminated: AlignedVec<bool>,
    /// `[num_envs]`: whether each episode reached the time limit; see [`StepOut::truncated`].
    pub truncated: AlignedVec<bool>,
    /// `[num_envs, observation]`: the final observation of each episode that ended; see [`StepOut::final_observation`].
    pub final_observation: AlignedVec<f32>,
}

impl StepBuffers {
    /// Allocates buffers for `num_envs` environments.
    #[must_use]
    pub fn new<W: World>(num_envs: usize) -> Self {
        Self::with_width(num_envs, W::OBSERVATION_LEN)
    }

    /// Allocates buffers for `num_envs` environments whose observations have `observation_len` values.
    #[must_use]
    pub fn with_width(num_envs: usize, observation_len: usize) -> Self {
        Self {
            observation: AlignedVec::zeros(num_envs * observation_len),
            reward: AlignedVec::zeros(num_envs),
            terminated: AlignedVec::zeros(num_envs),
            truncated: AlignedVec::zeros(num_envs),
            final_observation: AlignedVec::zeros(num_envs * observation_len),
        }
    }

    /// Borrows the buffers as the output of a step.
    pub fn out(&mut self) -> StepOut<'_> {
        StepOut {
            observation: &mut self.observation,
            reward: &mut self.reward,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            final_observation: &mut self.final_observation,
        }
    }
}
