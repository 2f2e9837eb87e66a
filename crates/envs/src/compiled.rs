//! SIMD code of the worlds.

use crate::classic::*;
use crate::output::StepOut;
use crate::vector::VectorEnv;
use crate::world::{World, observe_rows};
use std::ops::Range;
use vivarium_kernels::simd::{Level, dispatch};

/// SIMD code of a [`World`]: the loops of [`VectorEnv`] and [`observe`](crate::observe) for every SIMD level.
///
/// Implemented for the worlds of [`for_each_world!`](crate::for_each_world). The functions are not generic, so that the
/// code is compiled once, in this crate, and not again in each crate that steps environments.
pub trait CompiledWorld: Sized {
    /// Begins the next episode in the environments `envs`, a range within one chunk.
    #[doc(hidden)]
    fn begin_episodes(env: &mut VectorEnv<Self>, level: Level, envs: Range<usize>)
    where
        Self: World;

    /// Steps every environment with `actions`; all lengths have been checked.
    #[doc(hidden)]
    fn step_all(env: &mut VectorEnv<Self>, level: Level, actions: &[f32], out: &mut StepOut)
    where
        Self: World;

    /// Steps every environment `steps` times with random actions; all lengths have been checked.
    #[doc(hidden)]
    fn step_at_random(env: &mut VectorEnv<Self>, level: Level, steps: u64, out: &mut StepOut)
    where
        Self: World;

    /// Computes the observations of states; all lengths have been checked.
    #[doc(hidden)]
    fn observe_states(level: Level, states: &[f32], observations: &mut [f32])
    where
        Self: World;
}

macro_rules! compile {
    ({} $($file:ident: $($world:ident),+;)+) => { $($(
        impl CompiledWorld for $world {
            fn begin_episodes(env: &mut VectorEnv<Self>, level: Level, envs: Range<usize>) {
                env.begin_chunk(level, envs);
            }

            fn step_all(env: &mut VectorEnv<Self>, level: Level, actions: &[f32], out: &mut StepOut) {
                dispatch!(level, s => env.step_chunks(s, actions, out));
            }

            fn step_at_random(env: &mut VectorEnv<Self>, level: Level, steps: u64, out: &mut StepOut) {
                dispatch!(level, s => env.step_chunks_at_random(s, steps, out));
            }

            fn observe_states(level: Level, states: &[f32], observations: &mut [f32]) {
                dispatch!(level, s => observe_rows::<Self, _>(s, states, observations));
            }
        }
    )+)+ };
}

crate::for_each_world!([compile]);
