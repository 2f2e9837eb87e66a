//! SIMD code of the environments, compiled for every SIMD level.

use crate::block::EnvBlock;
use crate::classic::*;
use crate::error::EnvError;
use crate::kernel::{CHUNK, CHUNK_ENVS, EnvsMut, StepContext, begin_episodes, step_given, step_random};
use crate::output::StepOut;
use crate::world::{Tuple, World};
use std::ops::Range;
use vivarium_kernels::simd::{Level, Simd, SimdBase, dispatch};

/// [`World`] with its SIMD code: the loops over a batch of environments.
///
/// Implemented for the environments of [`for_each_world!`](crate::for_each_world). The functions are not generic:
/// generic functions would be compiled again in each crate that steps environments.
pub trait CompiledWorld: World {
    /// Begins the next episode in the environments of the list `envs.resets`. `envs.blocks` holds the chunk of up to
    /// 512 environments to which the list refers.
    #[doc(hidden)]
    fn begin(level: Level, envs: EnvsMut<'_, Self>);

    /// Steps every environment with its action in `actions`, and writes the results to `out`. The caller has checked
    /// the lengths of all buffers.
    #[doc(hidden)]
    fn step_batch(level: Level, envs: EnvsMut<'_, Self>, actions: &[f32], out: &mut StepOut);

    /// Steps every environment `steps` times with random actions, and writes the results of the last step to `out`. The
    /// caller has checked the lengths of the buffers in `out`.
    #[doc(hidden)]
    fn step_batch_at_random(level: Level, envs: EnvsMut<'_, Self>, steps: u64, out: &mut StepOut);

    /// Computes the observations of `states`. The caller has checked that both buffers have equally many rows.
    #[doc(hidden)]
    fn observe_batch(level: Level, states: &[f32], observations: &mut [f32]);
}

macro_rules! compile {
    ({} $($file:ident: $($world:ident),+;)+) => { $($(
        impl CompiledWorld for $world {
            fn begin(level: Level, envs: EnvsMut<'_, Self>) {
                let EnvsMut { shared, blocks, resets } = envs;
                dispatch!(level, s => begin_episodes(s, shared, blocks, resets, shared.tick as u32, None));
            }

            fn step_batch(level: Level, envs: EnvsMut<'_, Self>, actions: &[f32], out: &mut StepOut) {
                dispatch!(level, s => step_chunks(s, envs, actions, out));
            }

            fn step_batch_at_random(level: Level, envs: EnvsMut<'_, Self>, steps: u64, out: &mut StepOut) {
                dispatch!(level, s => step_chunks_at_random(s, envs, steps, out));
            }

            fn observe_batch(level: Level, states: &[f32], observations: &mut [f32]) {
                dispatch!(level, s => observe_rows::<Self, _>(s, states, observations));
            }
        }
    )+)+ };
}

crate::for_each_world!([compile]);

/// Splits a batch of `num_envs` environments into chunks of up to 512 environments. Returns for each chunk the step
/// context, the blocks of environments, and the indices of the environments in the batch.
#[inline(always)]
fn chunks<'a, W: World>(
    shared: &'a StepContext<W>,
    blocks: &'a mut [EnvBlock<W>],
    num_envs: usize,
) -> impl Iterator<Item = (StepContext<W>, &'a mut [EnvBlock<W>], Range<usize>)> {
    blocks.chunks_mut(CHUNK).enumerate().map(move |(chunk, blocks)| {
        let envs = chunk * CHUNK_ENVS..((chunk + 1) * CHUNK_ENVS).min(num_envs);
        (shared.of_chunk(chunk), blocks, envs)
    })
}

#[inline(always)]
fn step_chunks<W: World, S: Simd>(
    s: S,
    EnvsMut { shared, blocks, resets }: EnvsMut<'_, W>,
    actions: &[f32],
    out: &mut StepOut,
) {
    for (shared, blocks, envs) in chunks(shared, blocks, actions.len()) {
        step_given(s, &shared, blocks, &actions[envs.clone()], resets, &mut out.part::<W>(envs));
    }
}

#[inline(always)]
fn step_chunks_at_random<W: World, S: Simd>(
    s: S,
    EnvsMut { shared, blocks, resets }: EnvsMut<'_, W>,
    steps: u64,
    out: &mut StepOut,
) {
    for (shared, blocks, envs) in chunks(shared, blocks, out.reward.len()) {
        step_random(s, &shared, blocks, steps, resets, &mut out.part::<W>(envs));
    }
}

/// Computes the observations of `states`. Both buffers have equally many rows, one per environment.
#[inline(always)]
fn observe_rows<W: World, S: Simd>(s: S, states: &[f32], observations: &mut [f32]) {
    let lanes = S::f32s::LEN;
    let groups = states.chunks(lanes * W::STATE_LEN).zip(observations.chunks_mut(lanes * W::OBSERVATION_LEN));
    for (states, observations) in groups {
        let mut state = W::State::<S::f32s>::splat(S::f32s::splat(s, 0.0));
        for (lane, row) in states.chunks_exact(W::STATE_LEN).enumerate() {
            for (values, &value) in state.as_mut().iter_mut().zip(row) {
                values[lane] = value;
            }
        }
        let seen = W::observe(s, state);
        for (lane, row) in observations.chunks_exact_mut(W::OBSERVATION_LEN).enumerate() {
            for (value, values) in row.iter_mut().zip(seen.as_ref()) {
                *value = values[lane];
            }
        }
    }
}

/// Computes the observations `[n, W::OBSERVATION_LEN]` of states `[n, W::STATE_LEN]`, both row-major.
///
/// # Errors
/// [`EnvError::Length`] if the buffers have different numbers of rows.
pub fn observe<W: CompiledWorld>(
    level: Level,
    states: &[f32],
    observations: &mut [f32],
) -> Result<(), EnvError> {
    let count = states.len() / W::STATE_LEN;
    if states.len() != count * W::STATE_LEN {
        let expected = count * W::STATE_LEN;
        return Err(EnvError::Length { what: "the buffer of states", got: states.len(), expected });
    }
    let expected = count * W::OBSERVATION_LEN;
    if observations.len() != expected {
        return Err(EnvError::Length {
            what: "the buffer of observations",
            got: observations.len(),
            expected,
        });
    }
    W::observe_batch(level, states, observations);
    Ok(())
}
