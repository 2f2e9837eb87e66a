//! Where the environments of a world of control are: plain numbers and named tensors, to save and to restore.

use std::ops::Range;
use vivarium_envs::{EnvError, Snapshot, VectorEnv, World};
use vivarium_graph::{Saved, Tensor, TensorError, Values};

/// Names of the tensors.
const TICK: &str = "world/tick";
const STATES: &str = "world/state";
const PUSHES: &str = "world/push";
const AGES: &str = "world/age";
const NEXT_EPISODES: &str = "world/next_episode";

/// Where every environment is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    /// Steps that each has taken.
    pub tick: u64,
    /// `[lanes, state]`, row-major.
    pub states: Vec<f32>,
    /// `[lanes]`: how many steps the present episode has taken.
    pub ages: Vec<u32>,
    /// `[lanes]`: the number of the next episode.
    pub next_episodes: Vec<u32>,
    /// `[lanes]`: the external force during the next step, in the world's unit.
    pub pushes: Vec<f32>,
}

impl Lanes {
    /// Of no environments; memory is kept.
    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.ages.clear();
        self.next_episodes.clear();
        self.pushes.clear();
    }

    /// Appends the environments of `env`, which have taken as many steps as the others.
    pub(crate) fn extend<W: World>(&mut self, env: &VectorEnv<W>) {
        let Snapshot { tick, states, ages, next_episodes, pushes, .. } = env.snapshot();
        self.tick = tick;
        self.states.extend(states);
        self.ages.extend(ages);
        self.next_episodes.extend(next_episodes);
        self.pushes.extend(pushes);
    }

    /// `env`, which has as many lanes as `range`, moved to where these of the lanes are.
    ///
    /// # Errors
    /// [`EnvError`] if no environment can be in such a state.
    pub(crate) fn place<W: World>(
        &self,
        range: Range<usize>,
        env: &VectorEnv<W>,
    ) -> Result<VectorEnv<W>, EnvError> {
        VectorEnv::restore(&Snapshot {
            tick: self.tick,
            states: self.states[range.start * W::STATE_LEN..range.end * W::STATE_LEN].to_vec(),
            ages: self.ages[range.clone()].to_vec(),
            next_episodes: self.next_episodes[range.clone()].to_vec(),
            pushes: self.pushes[range].to_vec(),
            ..env.snapshot()
        })
    }

    /// A tensor for each list, and one for the tick.
    pub(crate) fn tensors<W: World>(&self) -> [Tensor; 5] {
        let Self { tick, states, ages, next_episodes, pushes } = self;
        [
            Tensor::flat(TICK, Values::U64(vec![*tick])),
            Tensor::new(STATES, &[ages.len(), W::STATE_LEN], Values::F32(states.clone())),
            Tensor::flat(PUSHES, Values::F32(pushes.clone())),
            Tensor::flat(AGES, Values::U32(ages.clone())),
            Tensor::flat(NEXT_EPISODES, Values::U32(next_episodes.clone())),
        ]
    }

    /// The inverse of [`tensors`](Self::tensors), for so many lanes.
    ///
    /// # Errors
    /// [`TensorError`] naming the tensor that is missing or does not fit.
    pub(crate) fn read<W: World>(saved: &Saved<'_>, lanes: usize) -> Result<Self, TensorError> {
        let &[tick] = saved.find(TICK)?.counters()?;
        Ok(Self {
            tick,
            states: saved.find(STATES)?.floats(&[lanes, W::STATE_LEN])?.to_vec(),
            ages: saved.find(AGES)?.integers(&[lanes])?.to_vec(),
            next_episodes: saved.find(NEXT_EPISODES)?.integers(&[lanes])?.to_vec(),
            pushes: saved.find(PUSHES)?.floats(&[lanes])?.to_vec(),
        })
    }
}
