//! Where a step writes what it made.

use crate::error::EnvError;
use crate::world::World;
use vivarium_kernels::aligned::AlignedVec;

/// Where a step writes: the caller's own buffers, such as one time step of a rollout.
pub struct StepOut<'a> {
    /// `[lanes, observation]`: what the agent sees next, where an episode was reset the first of the new one.
    pub observation: &'a mut [f32],
    /// `[lanes]`: the reward of the step.
    pub reward: &'a mut [f32],
    /// `[lanes]`: the episode ended by the rules.
    pub terminated: &'a mut [bool],
    /// `[lanes]`: the episode reached the limit on steps. It may be both: a terminated episode has no value beyond
    /// its end, a merely truncated one is worth what its last state is worth.
    pub truncated: &'a mut [bool],
    /// `[lanes, observation]`: what was seen at the end of the episode. Written where `terminated` or `truncated`,
    /// in both autoreset modes; the other rows keep what they held.
    pub final_observation: &'a mut [f32],
}

impl StepOut<'_> {
    /// The part of some lanes.
    #[inline(always)]
    pub(crate) fn part<W: World>(&mut self, lanes: std::ops::Range<usize>) -> StepOut<'_> {
        let rows = lanes.start * W::OBSERVATION_LEN..lanes.end * W::OBSERVATION_LEN;
        StepOut {
            observation: &mut self.observation[rows.clone()],
            reward: &mut self.reward[lanes.clone()],
            terminated: &mut self.terminated[lanes.clone()],
            truncated: &mut self.truncated[lanes],
            final_observation: &mut self.final_observation[rows],
        }
    }

    /// Refuses buffers that do not fit.
    pub(crate) fn check<W: World>(&self, lanes: usize) -> Result<(), EnvError> {
        let rows = lanes * W::OBSERVATION_LEN;
        for (what, got, expected) in [
            ("the buffer of observations", self.observation.len(), rows),
            ("the buffer of rewards", self.reward.len(), lanes),
            ("the buffer of terminated flags", self.terminated.len(), lanes),
            ("the buffer of truncated flags", self.truncated.len(), lanes),
            ("the buffer of final observations", self.final_observation.len(), rows),
        ] {
            if got != expected {
                return Err(EnvError::Length { what, got, expected });
            }
        }
        Ok(())
    }
}

/// Buffers of its own for a step's output.
#[derive(Debug, Clone)]
pub struct StepBuffers {
    /// See [`StepOut::observation`].
    pub observation: AlignedVec<f32>,
    /// See [`StepOut::reward`].
    pub reward: AlignedVec<f32>,
    /// See [`StepOut::terminated`].
    pub terminated: AlignedVec<bool>,
    /// See [`StepOut::truncated`].
    pub truncated: AlignedVec<bool>,
    /// See [`StepOut::final_observation`].
    pub final_observation: AlignedVec<f32>,
}

impl StepBuffers {
    /// Buffers for `lanes` lanes of the world `W`.
    pub fn new<W: World>(lanes: usize) -> Self {
        Self {
            observation: AlignedVec::zeros(lanes * W::OBSERVATION_LEN),
            reward: AlignedVec::zeros(lanes),
            terminated: AlignedVec::zeros(lanes),
            truncated: AlignedVec::zeros(lanes),
            final_observation: AlignedVec::zeros(lanes * W::OBSERVATION_LEN),
        }
    }

    /// The buffers, to hand to a step.
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
