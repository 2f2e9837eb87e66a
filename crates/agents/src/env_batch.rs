//! States of a batch of environments, stored as arrays, and as named tensors in checkpoints.

use std::ops::Range;
use vivarium_envs::EnvSnapshot;
use vivarium_graph::{SavedTensors, Tensor, TensorData, TensorError};

/// Name of the checkpoint tensor that holds [`EnvBatch::tick`]. The constants after `TICK` are the names of the tensors
/// of the other fields.
const TICK: &str = "world/tick";
const STATES: &str = "world/state";
const PUSHES: &str = "world/push";
const AGES: &str = "world/age";
const NEXT_EPISODES: &str = "world/next_episode";

/// Complete states of a batch of environments, from which the environments can be restored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnvBatch {
    /// Number of environment steps that each environment has taken so far.
    pub tick: u64,
    /// State of each environment, `[num_envs, state]`, row-major.
    pub states: Vec<f32>,
    /// `[num_envs]`: number of steps of each environment's current episode so far.
    pub ages: Vec<u32>,
    /// `[num_envs]`: index of each environment's next episode, counted from 0.
    pub next_episodes: Vec<u32>,
    /// `[num_envs]`: external force on each environment during the next step, in the physical unit that the
    /// environment's `World::PUSH` names.
    pub pushes: Vec<f32>,
}

impl EnvBatch {
    /// Removes all environments from the batch; keeps the allocated memory.
    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.ages.clear();
        self.next_episodes.clear();
        self.pushes.clear();
    }

    /// Appends the environments of a snapshot. The appended environments must have taken as many steps as the
    /// environments already in the batch.
    pub(crate) fn extend(&mut self, envs: EnvSnapshot) {
        let EnvSnapshot { tick, states, ages, next_episodes, pushes, .. } = envs;
        self.tick = tick;
        self.states.extend(states);
        self.ages.extend(ages);
        self.next_episodes.extend(next_episodes);
        self.pushes.extend(pushes);
    }

    /// Returns a copy of the snapshot `envs` whose states are replaced by the states of the environments `range` of
    /// this batch. The length of `range` must equal the number of environments in `envs`.
    pub(crate) fn placed(&self, range: Range<usize>, envs: EnvSnapshot) -> EnvSnapshot {
        let state_len = self.states.len() / self.ages.len();
        EnvSnapshot {
            tick: self.tick,
            states: self.states[range.start * state_len..range.end * state_len].to_vec(),
            ages: self.ages[range.clone()].to_vec(),
            next_episodes: self.next_episodes[range.clone()].to_vec(),
            pushes: self.pushes[range].to_vec(),
            ..envs
        }
    }

    /// Returns the batch as tensors: one for each array field, and one for `tick`. `state_len` is the number of values
    /// in the state of an environment.
    pub(crate) fn tensors(&self, state_len: usize) -> [Tensor; 5] {
        let Self { tick, states, ages, next_episodes, pushes } = self;
        [
            Tensor::flat(TICK, TensorData::U64(vec![*tick])),
            Tensor::new(STATES, &[ages.len(), state_len], TensorData::F32(states.clone())),
            Tensor::flat(PUSHES, TensorData::F32(pushes.clone())),
            Tensor::flat(AGES, TensorData::U32(ages.clone())),
            Tensor::flat(NEXT_EPISODES, TensorData::U32(next_episodes.clone())),
        ]
    }

    /// Reads the states of `num_envs` environments from the tensors that [`tensors`](Self::tensors) returned.
    ///
    /// # Errors
    /// [`TensorError`] naming the tensor that is missing or has the wrong shape.
    pub(crate) fn read(
        saved: &SavedTensors<'_>,
        num_envs: usize,
        state_len: usize,
    ) -> Result<Self, TensorError> {
        let &[tick] = saved.find(TICK)?.counters()?;
        Ok(Self {
            tick,
            states: saved.find(STATES)?.floats(&[num_envs, state_len])?.to_vec(),
            ages: saved.find(AGES)?.integers(&[num_envs])?.to_vec(),
            next_episodes: saved.find(NEXT_EPISODES)?.integers(&[num_envs])?.to_vec(),
            pushes: saved.find(PUSHES)?.floats(&[num_envs])?.to_vec(),
        })
    }
}
