//! Step kernel: dynamics, time limit and autoreset for a chunk of 512 environments, which fits in the L1 cache.
//!
//! A step makes two passes over a chunk. The first pass applies the dynamics to every environment, branch-free, one
//! SIMD vector at a time. The second pass visits only the environments whose episode ended, found by their flag bits,
//! and draws their initial states together. Under a random policy about one CartPole step in twenty ends an episode;
//! drawing an initial state for every environment in every step would take longer than the step itself.

use crate::autoreset::Autoreset;
use crate::block::{BLOCK, EnvBlock, PerEnv, bits};
use crate::error::EnvError;
use crate::output::StepOut;
use crate::params::Params;
use crate::random::{ActionSource, GivenActions, RandomWords};
use crate::world::{Tuple, World};
use vivarium_kernels::rng;
use vivarium_kernels::simd::{Simd, SimdBase, SimdMask};

/// Number of blocks of 64 environments in a chunk, the unit of work of the step kernel.
pub(crate) const CHUNK: usize = 8;
/// Number of environments in a chunk, the unit of work of the step kernel: 512.
pub(crate) const CHUNK_ENVS: usize = CHUNK * BLOCK;
/// Number of `f32` lanes of the longest supported SIMD vectors.
const WIDEST: usize = 16;

/// Values that all environments of a batch share in a step.
#[derive(Clone, Copy)]
pub struct StepContext<W: World> {
    pub(crate) constants: W::Constants,
    pub(crate) autoreset: Autoreset,
    /// Time limit: episodes are truncated after this many steps.
    pub(crate) step_limit: u32,
    /// Seed of the random initial states of the episodes.
    pub(crate) reset_seed: u64,
    /// Seed of the actions in steps with random actions.
    pub(crate) action_seed: u64,
    /// Seed of the random numbers of the steps of a stochastic environment.
    pub(crate) step_seed: u64,
    /// Number of steps that the batch of environments has taken before this step.
    pub(crate) tick: u64,
    /// Global index of the first environment among all environments of the run.
    pub(crate) first_env: u32,
}

impl<W: World> StepContext<W> {
    /// Returns the context of the first step of a batch of environments with this random seed.
    ///
    /// # Errors
    /// [`EnvError`] if a parameter is out of range.
    pub(crate) fn new(
        params: &W::Params,
        seed: u64,
        first_env: u32,
        autoreset: Autoreset,
    ) -> Result<Self, EnvError> {
        params.check()?;
        Ok(Self {
            constants: W::constants(params),
            autoreset,
            step_limit: W::STEP_LIMIT,
            reset_seed: rng::derive(seed, 0),
            action_seed: rng::derive(seed, 1),
            step_seed: rng::derive(seed, 2),
            tick: 0,
            first_env,
        })
    }

    /// Returns the step context of the chunk (512 environments) with index `chunk`: a copy in which `first_env` is the
    /// global index of the chunk's first environment.
    #[inline(always)]
    pub(crate) fn of_chunk(self, chunk: usize) -> Self {
        Self { first_env: self.first_env.wrapping_add((chunk * CHUNK_ENVS) as u32), ..self }
    }
}

/// List of the environments that begin an episode in the current step, among the up to 512 environments of a chunk.
#[derive(Clone)]
pub struct ResetList {
    /// Index of each environment in the list within its chunk (up to 512 environments), counted from 0. Entries from
    /// `count` on are unspecified; these entries pad the list for reads of whole SIMD vectors.
    place: [u32; CHUNK_ENVS + WIDEST],
    /// Index of the episode that each environment in the list begins, counted from 0.
    episode: [u32; CHUNK_ENVS + WIDEST],
    count: usize,
}

impl ResetList {
    pub(crate) const fn new() -> Self {
        Self { place: [0; CHUNK_ENVS + WIDEST], episode: [0; CHUNK_ENVS + WIDEST], count: 0 }
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    pub(crate) fn add<W: World>(&mut self, blocks: &[EnvBlock<W>], block: usize, lane: usize) {
        self.place[self.count] = (block * BLOCK + lane) as u32;
        self.episode[self.count] = blocks[block].next_episode.0[lane];
        self.count += 1;
    }
}

/// Environments to step: values that all share, their blocks, and scratch memory for the list of resets.
pub struct EnvsMut<'a, W: World> {
    pub(crate) shared: &'a StepContext<W>,
    pub(crate) blocks: &'a mut [EnvBlock<W>],
    pub(crate) resets: &'a mut ResetList,
}

/// Computes one step of a chunk of up to 512 environments, in blocks of 64. `out` holds one output row per environment
/// of the chunk; the last block may have fewer than 64 environments.
#[inline(always)]
pub(crate) fn step_chunk<W: World, S: Simd, A: ActionSource>(
    s: S,
    shared: &StepContext<W>,
    blocks: &mut [EnvBlock<W>],
    mut actions: impl FnMut(usize) -> A,
    resets: &mut ResetList,
    out: &mut StepOut,
) {
    let width = W::OBSERVATION_LEN;
    let lanes = out.reward.len();
    resets.clear();
    for index in 0..blocks.len() {
        let block = &mut blocks[index];
        let before = block.ended;
        let first = index * BLOCK;
        let rows = (lanes - first).min(BLOCK);
        let range = first..first + rows;
        let observation = &mut out.observation[first * width..(first + rows) * width];
        let reward = &mut out.reward[range.clone()];
        let flags = (&mut out.terminated[range.clone()], &mut out.truncated[range]);
        let actions = actions(index);
        // A complete block is cleared as an array, whose constant length avoids a call of `memset`.
        let ends = match (flags.0.as_mut_array::<BLOCK>(), flags.1.as_mut_array::<BLOCK>()) {
            (Some(terminated), Some(truncated)) => {
                (*terminated, *truncated) = ([false; BLOCK], [false; BLOCK]);
                if block.pushed {
                    step_pushed_or_partial(s, shared, block, first as u32, &actions, observation, reward)
                } else {
                    step_vectors::<W, S, false>(s, shared, block, first as u32, &actions, observation, reward)
                }
            }
            _ => {
                flags.0.fill(false);
                flags.1.fill(false);
                step_pushed_or_partial(s, shared, block, first as u32, &actions, observation, reward)
            }
        };

        // An environment that is reset in this step (`NextStep`) ignores the outcome of the step.
        let ends = EndFlags { terminated: ends.terminated & !before, truncated: ends.truncated & !before };
        let ended = ends.terminated | ends.truncated;
        match shared.autoreset {
            Autoreset::SameStep => {
                for lane in bits(ended) {
                    end_episode::<W>(out, first, lane, &ends);
                    resets.add(blocks, index, lane);
                }
            }
            Autoreset::NextStep => {
                blocks[index].ended = ended;
                for lane in bits(ended) {
                    end_episode::<W>(out, first, lane, &ends);
                }
                for lane in bits(before) {
                    out.reward[first + lane] = 0.0;
                    resets.add(blocks, index, lane);
                }
            }
        }
    }
    begin_episodes(s, shared, blocks, resets, shared.tick.wrapping_add(1) as u32, Some(out.observation));
}

/// Bit masks of the environments of a block whose episode ended in the current step, one bit per environment.
struct EndFlags {
    terminated: u64,
    truncated: u64,
}

/// Ends the episode of environment `lane` (0 to 63) of the block whose first environment has output row `first`. Sets
/// the environment's `terminated` and `truncated` flags in `out`, and copies its final observation.
#[inline(always)]
fn end_episode<W: World>(out: &mut StepOut, first: usize, lane: usize, ends: &EndFlags) {
    let (row, width) = (first + lane, W::OBSERVATION_LEN);
    out.terminated[row] = ends.terminated >> lane & 1 != 0;
    out.truncated[row] = ends.truncated >> lane & 1 != 0;
    let (last, seen) = (&mut out.final_observation[row * width..], &out.observation[row * width..]);
    // An element-wise loop is faster than `memcpy` for a single observation.
    for (last, &seen) in last[..width].iter_mut().zip(&seen[..width]) {
        *last = seen;
    }
}

/// Applies the dynamics, reward and termination of one step to all 64 environments of a block: the first pass of a
/// step. `first`: index of the block's first environment within the block's chunk (up to 512 environments). `PUSHED`:
/// whether the external forces of the block, which may be 0, are added.
#[inline(always)]
fn step_vectors<W: World, S: Simd, const PUSHED: bool>(
    s: S,
    shared: &StepContext<W>,
    block: &mut EnvBlock<W>,
    first: u32,
    actions: &impl ActionSource,
    observation: &mut [f32],
    reward: &mut [f32],
) -> EndFlags {
    let len = S::f32s::LEN;
    let now = S::u32s::splat(s, shared.tick.wrapping_add(1) as u32);
    let limit = S::u32s::splat(s, shared.step_limit);
    let zero = S::f32s::splat(s, 0.0);
    let mut ends = EndFlags { terminated: 0, truncated: 0 };
    for at in (0..BLOCK).step_by(len) {
        let mut state = W::State::<S::f32s>::splat(S::f32s::splat(s, 0.0));
        for (values, lanes) in state.as_mut().iter_mut().zip(block.state.as_ref()) {
            *values = S::f32s::from_slice(s, &lanes.0[at..at + len]);
        }
        let push = if PUSHED { Some(S::f32s::from_slice(s, &block.push.0[at..at + len])) } else { None };
        let random = if W::STOCHASTIC { step_random_numbers(s, shared, first + at as u32) } else { zero };
        let next = W::step(s, &shared.constants, state, actions.load(s, at), push, random);
        for (lanes, values) in block.state.as_mut().iter_mut().zip(next.state.as_ref()) {
            values.store_slice(&mut lanes.0[at..at + len]);
        }
        write_rows::<W, S>(W::observe(s, next.state), &mut observation[at * W::OBSERVATION_LEN..]);
        next.reward.store_slice(&mut reward[at..at + len]);
        let age = now - S::u32s::from_slice(s, &block.began.0[at..at + len]);
        ends.terminated |= next.terminated.to_bitmask() << at;
        ends.truncated |= age.simd_ge(limit).to_bitmask() << at;
    }
    ends
}

/// Returns the random number, uniform in [0, 1), of each environment of a SIMD vector in the current step. `first`:
/// index of the vector's first environment within its chunk (up to 512 environments).
#[inline(always)]
fn step_random_numbers<W: World, S: Simd>(s: S, shared: &StepContext<W>, first: u32) -> S::f32s {
    let numbers = S::u32s::from_fn(
        s,
        #[inline(always)]
        |lane| lane as u32,
    );
    let env = numbers + S::u32s::splat(s, shared.first_env.wrapping_add(first));
    let (word, _) = rng::blocks(s, shared.step_seed, env, S::u32s::splat(s, shared.tick as u32));
    rng::uniforms(s, word)
}

/// Applies the dynamics of a step to a block that has external forces or is incomplete (`reward.len()` environments);
/// see [`step_vectors`]. One function serves both cases, because each copy of the dynamics makes wasm modules larger.
#[inline(never)]
fn step_pushed_or_partial<W: World, S: Simd>(
    s: S,
    shared: &StepContext<W>,
    block: &mut EnvBlock<W>,
    first: u32,
    actions: &impl ActionSource,
    observation: &mut [f32],
    reward: &mut [f32],
) -> EndFlags {
    s.vectorize(
        #[inline(always)]
        || {
            let mut rows = W::Observation::<[f32; BLOCK]>::splat([0.0; BLOCK]);
            let mut rewards = [0.0; BLOCK];
            let seen = rows.as_mut().as_flattened_mut();
            let ends = step_vectors::<W, S, true>(s, shared, block, first, actions, seen, &mut rewards);
            block.pushed = false;
            block.push = PerEnv([0.0; BLOCK]);
            observation.copy_from_slice(&seen[..observation.len()]);
            reward.copy_from_slice(&rewards[..reward.len()]);
            // Resets the states of the unused lanes to 0, which keeps the states finite.
            for lanes in block.state.as_mut() {
                lanes.0[reward.len()..].fill(0.0);
            }
            let there = u64::MAX >> (BLOCK - reward.len());
            EndFlags { terminated: ends.terminated & there, truncated: ends.truncated & there }
        },
    )
}

/// Writes the observations of a SIMD vector of environments to `rows`, one row per environment.
#[inline(always)]
fn write_rows<W: World, S: Simd>(observation: W::Observation<S::f32s>, rows: &mut [f32]) {
    let len = S::f32s::LEN;
    match *observation.as_ref() {
        [a, b] => {
            let (low, high) = a.interleave(b);
            low.store_slice(&mut rows[..len]);
            high.store_slice(&mut rows[len..2 * len]);
        }
        [a, b, c, d] => {
            // Interleaving twice makes the four numbers of an environment contiguous.
            let ((ac_low, ac_high), (bd_low, bd_high)) = (a.interleave(c), b.interleave(d));
            let ((row0, row1), (row2, row3)) = (ac_low.interleave(bd_low), ac_high.interleave(bd_high));
            for (part, row) in [row0, row1, row2, row3].into_iter().enumerate() {
                row.store_slice(&mut rows[part * len..(part + 1) * len]);
            }
        }
        ref dimensions => {
            for (dimension, values) in dimensions.iter().enumerate() {
                for (lane, &value) in values.as_slice().iter().enumerate() {
                    rows[lane * W::OBSERVATION_LEN + dimension] = value;
                }
            }
        }
    }
}

/// Begins an episode at step `tick` in every environment of the list `resets`. Writes the first observations to the
/// rows of these environments in `observation`, if a buffer is given.
#[inline(always)]
pub(crate) fn begin_episodes<W: World, S: Simd>(
    s: S,
    shared: &StepContext<W>,
    blocks: &mut [EnvBlock<W>],
    resets: &ResetList,
    tick: u32,
    mut observation: Option<&mut [f32]>,
) {
    let (width, len) = (W::OBSERVATION_LEN, S::u32s::LEN);
    let seed = shared.reset_seed;
    for from in (0..resets.count).step_by(len) {
        let lane = S::u32s::from_slice(s, &resets.place[from..from + len]) + shared.first_env;
        let draw = S::u32s::from_slice(s, &resets.episode[from..from + len]) << 1;
        let (a, b) = rng::blocks(s, seed, lane, draw);
        let (c, d) = rng::blocks(s, seed, lane, draw | 1);
        // The calls are written out, because `map` is not always inlined.
        let [a, b] = [rng::uniforms(s, a), rng::uniforms(s, b)];
        let [c, d] = [rng::uniforms(s, c), rng::uniforms(s, d)];
        let state = W::initial(s, &shared.constants, [a, b, c, d]);
        let seen = W::observe(s, state);
        for (index, &place) in resets.place[from..resets.count.min(from + len)].iter().enumerate() {
            let (place, lane) = (place as usize, place as usize % BLOCK);
            let block = &mut blocks[place / BLOCK];
            for (lanes, values) in block.state.as_mut().iter_mut().zip(state.as_ref()) {
                lanes.0[lane] = values[index];
            }
            block.began.0[lane] = tick;
            block.next_episode.0[lane] = block.next_episode.0[lane].wrapping_add(1);
            if let Some(observation) = &mut observation {
                let row = &mut observation[place * width..(place + 1) * width];
                for (value, values) in row.iter_mut().zip(seen.as_ref()) {
                    *value = values[index];
                }
            }
        }
    }
}

/// Computes one step of a chunk of up to 512 environments with the actions `actions`, one per environment.
#[inline(always)]
pub(crate) fn step_given<W: World, S: Simd>(
    s: S,
    shared: &StepContext<W>,
    blocks: &mut [EnvBlock<W>],
    actions: &[f32],
    resets: &mut ResetList,
    out: &mut StepOut,
) {
    let (whole, rest) = actions.as_chunks::<BLOCK>();
    let mut last = [0.0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    let of_block = |index| GivenActions(whole.get(index).unwrap_or(&last));
    step_chunk(s, shared, blocks, of_block, resets, out);
}

/// Computes `steps` steps of a chunk of up to 512 environments with random actions. Afterwards `out` holds the outputs
/// of the last step.
#[inline(always)]
pub(crate) fn step_random<W: World, S: Simd>(
    s: S,
    shared: &StepContext<W>,
    blocks: &mut [EnvBlock<W>],
    steps: u64,
    resets: &mut ResetList,
    out: &mut StepOut,
) {
    let mut words = [const { RandomWords::new() }; CHUNK];
    for step in 0..steps {
        let shared = StepContext { tick: shared.tick.wrapping_add(step), ..*shared };
        for (index, words) in words.iter_mut().enumerate().take(blocks.len()) {
            let first_env = shared.first_env.wrapping_add((index * BLOCK) as u32);
            words.refresh(s, W::ACTIONS, shared.action_seed, first_env, shared.tick, step == 0);
        }
        step_chunk(s, &shared, blocks, |index| words[index].draw(W::ACTIONS, shared.tick), resets, out);
    }
}
