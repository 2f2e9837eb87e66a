//! Memory layout of a batch of environments: blocks of 64, structure of arrays within a block.
//!
//! A *lane* is the position of an environment within its block, 0 to 63.

use crate::world::{Tuple, World};

/// Number of environments in a block: one per bit of a `u64`. The number is a multiple of every SIMD vector length.
pub(crate) const BLOCK: usize = 64;

/// One value for each of the 64 environments of a block, aligned to a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct PerEnv<T>(pub(crate) [T; BLOCK]);

/// State of a block of 64 environments, contiguous in memory, so that a step reads each cache line once.
#[derive(Clone)]
pub struct EnvBlock<W: World> {
    pub(crate) state: W::State<PerEnv<f32>>,
    /// Number of steps that the batch of environments had taken when the current episode began. The age of an episode
    /// is the current number of steps ([`tick`](crate::kernel::StepContext::tick)) minus this number.
    pub(crate) began: PerEnv<u32>,
    /// Index of the environment's next episode, counted from 0. The index determines the initial state of that episode.
    pub(crate) next_episode: PerEnv<u32>,
    /// External force on each environment during the next step, in the unit of [`World::PUSH`].
    pub(crate) push: PerEnv<f32>,
    /// Whether the external force `push` on any environment of the block may be nonzero.
    pub(crate) pushed: bool,
    /// Bit mask of the environments of the block whose last step ended an episode. The next step resets these
    /// environments (autoreset mode `NextStep` only).
    pub(crate) ended: u64,
}

impl<W: World> EnvBlock<W> {
    pub(crate) fn new() -> Self {
        Self {
            state: W::State::splat(PerEnv([0.0; BLOCK])),
            began: PerEnv([0; BLOCK]),
            next_episode: PerEnv([0; BLOCK]),
            push: PerEnv([0.0; BLOCK]),
            pushed: false,
            ended: 0,
        }
    }

    pub(crate) fn state_of(&self, lane: usize) -> W::State<f32> {
        let mut state = W::State::<f32>::splat(0.0);
        for (value, lanes) in state.as_mut().iter_mut().zip(self.state.as_ref()) {
            *value = lanes.0[lane];
        }
        state
    }

    pub(crate) fn set_state_of(&mut self, lane: usize, state: W::State<f32>) {
        for (lanes, &value) in self.state.as_mut().iter_mut().zip(state.as_ref()) {
            lanes.0[lane] = value;
        }
    }
}

/// Iterates over the indices of the set bits of `word`, lowest first.
#[inline(always)]
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(
        #[inline(always)]
        move || {
            let bit = word.trailing_zeros() as usize;
            word &= word.wrapping_sub(1);
            (bit < BLOCK).then_some(bit)
        },
    )
}
