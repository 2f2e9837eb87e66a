//! Where a step's actions come from: a slice, or the lanes' own random numbers.

use crate::block::{BLOCK, Lanes};
use crate::space::ActionSpace;
use vivarium_kernels::rng;
use vivarium_kernels::simd::{Select, Simd, SimdBase, SimdInt};

/// The actions of the lanes of one block.
pub(crate) trait Actions {
    /// The actions of the vector of lanes that starts at lane `at`.
    fn load<S: Simd>(&self, s: S, at: usize) -> S::f32s;
}

/// Actions from outside.
pub(crate) struct Given<'a>(pub(crate) &'a [f32; BLOCK]);

impl Actions for Given<'_> {
    #[inline(always)]
    fn load<S: Simd>(&self, s: S, at: usize) -> S::f32s {
        S::f32s::from_slice(s, &self.0[at..at + S::f32s::LEN])
    }
}

/// Uniformly random actions, several from each random word.
#[derive(Clone, Copy)]
pub(crate) struct Draw<'a> {
    space: ActionSpace,
    words: &'a Lanes<u32>,
    /// Which action of the word.
    digit: u32,
}

/// The random words of a block from which several steps take their actions.
pub(crate) struct Words([Lanes<u32>; 2]);

/// How many actions one random word gives: a discrete action is a digit of the word read as a fraction in base n, of
/// which the first few are uniform for all purposes (three actions from eight digits: to 1 part in 650,000).
const fn actions_per_word(space: ActionSpace) -> u32 {
    match space {
        ActionSpace::Discrete(2) => 32,
        ActionSpace::Discrete(3) => 8,
        _ => 1,
    }
}

impl Words {
    pub(crate) const fn new() -> Self {
        Self([Lanes([0; BLOCK]); 2])
    }

    /// Draws the words anew where the step `tick` needs new ones, or where it is the `first` step that needs any.
    #[inline(always)]
    pub(crate) fn refresh<S: Simd>(
        &mut self,
        s: S,
        space: ActionSpace,
        seed: u64,
        first_lane: u32,
        tick: u64,
        first: bool,
    ) {
        let period = u64::from(2 * actions_per_word(space));
        if !first && !tick.is_multiple_of(period) {
            return;
        }
        let step = S::u32s::splat(s, (tick / period) as u32);
        let numbers = S::u32s::from_fn(
            s,
            #[inline(always)]
            |lane| lane as u32,
        );
        for at in (0..BLOCK).step_by(S::u32s::LEN) {
            let lane = numbers + S::u32s::splat(s, first_lane.wrapping_add(at as u32));
            let (even, odd) = rng::blocks(s, seed, lane, step);
            even.store_slice(&mut self.0[0].0[at..at + S::u32s::LEN]);
            odd.store_slice(&mut self.0[1].0[at..at + S::u32s::LEN]);
        }
    }

    /// The actions of the step `tick`.
    #[inline(always)]
    pub(crate) fn draw(&self, space: ActionSpace, tick: u64) -> Draw<'_> {
        let each = u64::from(actions_per_word(space));
        let words = &self.0[(tick / each % 2) as usize];
        Draw { space, words, digit: (tick % each) as u32 }
    }
}

impl Actions for Draw<'_> {
    #[inline(always)]
    fn load<S: Simd>(&self, s: S, at: usize) -> S::f32s {
        let word = S::u32s::from_slice(s, &self.words.0[at..at + S::u32s::LEN]);
        match self.space {
            ActionSpace::Discrete(2) => {
                let bit = (word << self.digit) & (1 << 31);
                bit.simd_ne(0).select(S::f32s::splat(s, 1.0), S::f32s::splat(s, 0.0))
            }
            ActionSpace::Discrete(n) => {
                let power = S::u32s::splat(s, (n as u32).wrapping_pow(self.digit));
                // The upper 16 bits of the fraction suffice for one more digit.
                let digit = (((word * power) >> 16) * n as u32) >> 16;
                digit.to_float()
            }
            ActionSpace::Box { low, high } => {
                rng::uniforms(s, word) * S::f32s::splat(s, high - low) + S::f32s::splat(s, low)
            }
        }
    }
}
