//! Sources of actions for a step: actions given by the caller, or a random generator.

use crate::block::{BLOCK, PerEnv};
use crate::space::ActionSpace;
use vivarium_kernels::rng;
use vivarium_kernels::simd::{Level, Select, Simd, SimdBase, SimdInt, dispatch};

/// Source of the actions of a block of 64 environments.
pub(crate) trait ActionSource {
    /// Loads the actions of one SIMD vector of environments, from environment `at` of the block on.
    fn load<S: Simd>(&self, s: S, at: usize) -> S::f32s;
}

/// Actions given by the caller, one per environment of a block of 64.
pub(crate) struct GivenActions<'a>(pub(crate) &'a [f32; BLOCK]);

impl ActionSource for GivenActions<'_> {
    #[inline(always)]
    fn load<S: Simd>(&self, s: S, at: usize) -> S::f32s {
        S::f32s::from_slice(s, &self.0[at..at + S::f32s::LEN])
    }
}

/// Uniformly random actions of a block of 64 environments in one step, derived from random words.
#[derive(Clone, Copy)]
pub(crate) struct RandomActions<'a> {
    space: ActionSpace,
    words: &'a PerEnv<u32>,
    /// Index of the action of the current step among the actions that one random word yields; see [`actions_per_word`].
    digit: u32,
}

/// Two random words per environment of a block of 64, from which the actions of several steps are derived.
pub(crate) struct RandomWords([PerEnv<u32>; 2]);

/// Returns the number of actions that one random word yields. With n discrete actions, the word is a fraction in base
/// n, and each action is one digit of the fraction. In base 3 the first 8 digits are uniform to 1 part in
/// 650,000.
const fn actions_per_word(space: ActionSpace) -> u32 {
    match space {
        ActionSpace::Discrete(2) => 32,
        ActionSpace::Discrete(3) => 8,
        _ => 1,
    }
}

impl RandomWords {
    pub(crate) const fn new() -> Self {
        Self([PerEnv([0; BLOCK]); 2])
    }

    /// Draws new random words if the previous words have no action left for step `tick`, or if `first` is true (first
    /// step of a call).
    #[inline(always)]
    pub(crate) fn refresh<S: Simd>(
        &mut self,
        s: S,
        space: ActionSpace,
        seed: u64,
        first_env: u32,
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
            let lane = numbers + S::u32s::splat(s, first_env.wrapping_add(at as u32));
            let (even, odd) = rng::blocks(s, seed, lane, step);
            even.store_slice(&mut self.0[0].0[at..at + S::u32s::LEN]);
            odd.store_slice(&mut self.0[1].0[at..at + S::u32s::LEN]);
        }
    }

    /// Returns the random actions of the block's environments in step `tick`.
    #[inline(always)]
    pub(crate) fn draw(&self, space: ActionSpace, tick: u64) -> RandomActions<'_> {
        let each = u64::from(actions_per_word(space));
        let words = &self.0[(tick / each % 2) as usize];
        RandomActions { space, words, digit: (tick % each) as u32 }
    }
}

/// Writes the random actions of step `tick` of the environments from `first_env` on, one per element of `actions`.
pub(crate) fn random_actions(
    level: Level,
    space: ActionSpace,
    seed: u64,
    first_env: u32,
    tick: u64,
    actions: &mut [f32],
) {
    #[inline(always)]
    fn block<S: Simd>(s: S, space: ActionSpace, seed: u64, first_env: u32, tick: u64) -> [f32; BLOCK] {
        let mut words = RandomWords::new();
        words.refresh(s, space, seed, first_env, tick, true);
        let source = words.draw(space, tick);
        let mut drawn = [0.0; BLOCK];
        for at in (0..BLOCK).step_by(S::f32s::LEN) {
            source.load(s, at).store_slice(&mut drawn[at..at + S::f32s::LEN]);
        }
        drawn
    }
    dispatch!(level, s => {
        for (index, actions) in actions.chunks_mut(BLOCK).enumerate() {
            let first = first_env.wrapping_add((index * BLOCK) as u32);
            actions.copy_from_slice(&block(s, space, seed, first, tick)[..actions.len()]);
        }
    });
}

impl ActionSource for RandomActions<'_> {
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
                // The upper 16 bits of the fraction are sufficient for the next digit.
                let digit = (((word * power) >> 16) * n as u32) >> 16;
                digit.to_float()
            }
            ActionSpace::Box { low, high } => {
                rng::uniforms(s, word) * S::f32s::splat(s, high - low) + S::f32s::splat(s, low)
            }
        }
    }
}
