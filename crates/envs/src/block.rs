//! How lanes lie in memory: in blocks of 64, each dimension of a block side by side.

use crate::world::{Tuple, World};

/// Lanes in a block: as many as bits in a word, so that the flags of a block are one word, and a multiple of every
/// vector's length.
pub(crate) const BLOCK: usize = 64;

/// One number for each lane of a block, starting a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Lanes<T>(pub(crate) [T; BLOCK]);

/// Everything there is to know of 64 lanes. What the steps of one lane need lies together, so that a step touches few
/// cache lines, and none twice.
#[derive(Clone)]
pub(crate) struct Block<W: World> {
    pub(crate) state: W::State<Lanes<f32>>,
    /// The tick at which the episode began: the age of an episode needs no counting.
    pub(crate) began: Lanes<u32>,
    /// The number of the lane's next episode, which decides where that one begins.
    pub(crate) next_episode: Lanes<u32>,
    /// External forces during the next step.
    pub(crate) push: Lanes<f32>,
    /// Whether any of them is not zero.
    pub(crate) pushed: bool,
    /// The lanes whose last step ended an episode: the next step resets them (`NextStep` alone).
    pub(crate) ended: u64,
}

impl<W: World> Block<W> {
    pub(crate) fn new() -> Self {
        Self {
            state: W::State::splat(Lanes([0.0; BLOCK])),
            began: Lanes([0; BLOCK]),
            next_episode: Lanes([0; BLOCK]),
            push: Lanes([0.0; BLOCK]),
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

/// The numbers of the set bits, lowest first.
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
