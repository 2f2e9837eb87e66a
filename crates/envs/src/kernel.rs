//! The step: rules and bookkeeping for chunks of lanes, small enough to stay in the first-level cache.
//!
//! A chunk goes through two passes. The first moves every lane on by the rules, a vector at a time and without a branch.
//! The second visits the few lanes whose episode ended or begins: it takes their numbers from the flag words, and draws
//! first states for all of them together. A policy that acts at random ends one step in twenty, so drawing a new state
//! in every lane and choosing afterwards would cost more than the step itself.

use crate::autoreset::Autoreset;
use crate::block::{BLOCK, Block, Lanes, bits};
use crate::output::StepOut;
use crate::random::{Actions, Given, Words};
use crate::world::{Tuple, World};
use vivarium_kernels::rng;
use vivarium_kernels::simd::{Simd, SimdBase, SimdMask};

/// Blocks in a chunk.
pub(crate) const CHUNK: usize = 8;
/// Lanes in a chunk.
pub(crate) const CHUNK_LANES: usize = CHUNK * BLOCK;
/// The longest vector, in lanes.
const WIDEST: usize = 16;

/// What the lanes of an environment share during a step.
#[derive(Clone, Copy)]
pub(crate) struct Shared<W: World> {
    pub(crate) constants: W::Constants,
    pub(crate) autoreset: Autoreset,
    /// The key of the random numbers that episodes begin with.
    pub(crate) reset_seed: u64,
    /// The key of the random numbers for random actions.
    pub(crate) action_seed: u64,
    /// Steps taken by the environment before this one.
    pub(crate) tick: u64,
    /// The number of the first lane among all lanes of the run.
    pub(crate) first_lane: u32,
}

impl<W: World> Shared<W> {
    /// The same for a chunk further on.
    #[inline(always)]
    pub(crate) fn of_chunk(self, chunk: usize) -> Self {
        Self { first_lane: self.first_lane.wrapping_add((chunk * CHUNK_LANES) as u32), ..self }
    }
}

/// The lanes of a chunk that begin an episode, as a list.
#[derive(Clone)]
pub(crate) struct Resets {
    /// Places in the chunk; beyond the list whatever was there before, so that whole vectors can be read.
    place: [u32; CHUNK_LANES + WIDEST],
    /// The number of the episode that each begins.
    episode: [u32; CHUNK_LANES + WIDEST],
    count: usize,
}

impl Resets {
    pub(crate) const fn new() -> Self {
        Self { place: [0; CHUNK_LANES + WIDEST], episode: [0; CHUNK_LANES + WIDEST], count: 0 }
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    pub(crate) fn add<W: World>(&mut self, blocks: &[Block<W>], block: usize, lane: usize) {
        self.place[self.count] = (block * BLOCK + lane) as u32;
        self.episode[self.count] = blocks[block].next_episode.0[lane];
        self.count += 1;
    }
}

/// One step of a chunk of lanes. `out` holds the rows of these lanes, of which the last block may be only partly there.
#[inline(always)]
pub(crate) fn step_chunk<W: World, S: Simd, A: Actions>(
    s: S,
    shared: &Shared<W>,
    blocks: &mut [Block<W>],
    mut actions: impl FnMut(usize) -> A,
    resets: &mut Resets,
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
        // A whole block's flags are cleared as arrays, which needs no call of `memset`.
        let ends = match (flags.0.as_mut_array::<BLOCK>(), flags.1.as_mut_array::<BLOCK>()) {
            (Some(terminated), Some(truncated)) => {
                (*terminated, *truncated) = ([false; BLOCK], [false; BLOCK]);
                step_block(s, shared, block, &actions, observation, reward)
            }
            _ => {
                flags.0.fill(false);
                flags.1.fill(false);
                step_part(s, shared, block, &actions, observation, reward)
            }
        };

        // What the lanes that are about to begin anew made of this step does not count.
        let ends = Ends { terminated: ends.terminated & !before, truncated: ends.truncated & !before };
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

/// The lanes of a block whose episode ended, one bit each.
struct Ends {
    terminated: u64,
    truncated: u64,
}

/// Sets the flags of a lane of the block that starts at the row `first`, and copies its final observation.
#[inline(always)]
fn end_episode<W: World>(out: &mut StepOut, first: usize, lane: usize, ends: &Ends) {
    let (row, width) = (first + lane, W::OBSERVATION_LEN);
    out.terminated[row] = ends.terminated >> lane & 1 != 0;
    out.truncated[row] = ends.truncated >> lane & 1 != 0;
    let (last, seen) = (&mut out.final_observation[row * width..], &out.observation[row * width..]);
    // Number by number: for so few, a call of `memcpy` costs more than the copy.
    for (last, &seen) in last[..width].iter_mut().zip(&seen[..width]) {
        *last = seen;
    }
}

/// The first pass over a whole block.
#[inline(always)]
fn step_block<W: World, S: Simd>(
    s: S,
    shared: &Shared<W>,
    block: &mut Block<W>,
    actions: &impl Actions,
    observation: &mut [f32],
    reward: &mut [f32],
) -> Ends {
    if block.pushed {
        let ends = step_vectors::<W, S, true>(s, shared, block, actions, observation, reward);
        block.pushed = false;
        block.push = Lanes([0.0; BLOCK]);
        ends
    } else {
        step_vectors::<W, S, false>(s, shared, block, actions, observation, reward)
    }
}

#[inline(always)]
fn step_vectors<W: World, S: Simd, const PUSHED: bool>(
    s: S,
    shared: &Shared<W>,
    block: &mut Block<W>,
    actions: &impl Actions,
    observation: &mut [f32],
    reward: &mut [f32],
) -> Ends {
    let len = S::f32s::LEN;
    let now = S::u32s::splat(s, shared.tick.wrapping_add(1) as u32);
    let limit = S::u32s::splat(s, W::STEP_LIMIT);
    let mut ends = Ends { terminated: 0, truncated: 0 };
    for at in (0..BLOCK).step_by(len) {
        let mut state = W::State::<S::f32s>::splat(S::f32s::splat(s, 0.0));
        for (values, lanes) in state.as_mut().iter_mut().zip(block.state.as_ref()) {
            *values = S::f32s::from_slice(s, &lanes.0[at..at + len]);
        }
        let push = if PUSHED { Some(S::f32s::from_slice(s, &block.push.0[at..at + len])) } else { None };
        let next = W::step(s, &shared.constants, state, actions.load(s, at), push);
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

/// The first pass over a block of which `reward.len()` lanes are there.
#[inline(never)]
fn step_part<W: World, S: Simd>(
    s: S,
    shared: &Shared<W>,
    block: &mut Block<W>,
    actions: &impl Actions,
    observation: &mut [f32],
    reward: &mut [f32],
) -> Ends {
    s.vectorize(
        #[inline(always)]
        || {
            let mut rows = W::Observation::<[f32; BLOCK]>::splat([0.0; BLOCK]);
            let mut rewards = [0.0; BLOCK];
            let ends = step_block(s, shared, block, actions, rows.as_mut().as_flattened_mut(), &mut rewards);
            observation.copy_from_slice(&rows.as_ref().as_flattened()[..observation.len()]);
            reward.copy_from_slice(&rewards[..reward.len()]);
            // The lanes that are not there go nowhere.
            for lanes in block.state.as_mut() {
                lanes.0[reward.len()..].fill(0.0);
            }
            let there = (1 << reward.len()) - 1;
            Ends { terminated: ends.terminated & there, truncated: ends.truncated & there }
        },
    )
}

/// Writes one vector of lanes row by row at the start of `rows`.
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
            // Interleaving twice puts the four numbers of a lane side by side.
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

/// Begins an episode at `tick` in every listed lane, and writes its first observation.
#[inline(always)]
pub(crate) fn begin_episodes<W: World, S: Simd>(
    s: S,
    shared: &Shared<W>,
    blocks: &mut [Block<W>],
    resets: &Resets,
    tick: u32,
    mut observation: Option<&mut [f32]>,
) {
    let (width, len) = (W::OBSERVATION_LEN, S::u32s::LEN);
    let seed = shared.reset_seed;
    for from in (0..resets.count).step_by(len) {
        let lane = S::u32s::from_slice(s, &resets.place[from..from + len]) + shared.first_lane;
        let draw = S::u32s::from_slice(s, &resets.episode[from..from + len]) << 1;
        let (a, b) = rng::blocks(s, seed, lane, draw);
        let (c, d) = rng::blocks(s, seed, lane, draw | 1);
        // Not by `map`, which is not always inlined.
        let [a, b] = [rng::uniforms(s, a), rng::uniforms(s, b)];
        let [c, d] = [rng::uniforms(s, c), rng::uniforms(s, d)];
        let state = W::initial(s, [a, b, c, d]);
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

/// One step of a chunk under the actions of a slice, one per lane.
#[inline(always)]
pub(crate) fn step_given<W: World, S: Simd>(
    s: S,
    shared: &Shared<W>,
    blocks: &mut [Block<W>],
    actions: &[f32],
    resets: &mut Resets,
    out: &mut StepOut,
) {
    let (whole, rest) = actions.as_chunks::<BLOCK>();
    let mut last = [0.0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    let of_block = |index| Given(whole.get(index).unwrap_or(&last));
    step_chunk(s, shared, blocks, of_block, resets, out);
}

/// Several steps of a chunk under random actions; only the outputs of the last are left.
#[inline(always)]
pub(crate) fn step_random<W: World, S: Simd>(
    s: S,
    shared: &Shared<W>,
    blocks: &mut [Block<W>],
    steps: u64,
    resets: &mut Resets,
    out: &mut StepOut,
) {
    let mut words = [const { Words::new() }; CHUNK];
    for step in 0..steps {
        let shared = Shared { tick: shared.tick.wrapping_add(step), ..*shared };
        for (index, words) in words.iter_mut().enumerate().take(blocks.len()) {
            let first_lane = shared.first_lane.wrapping_add((index * BLOCK) as u32);
            words.refresh(s, W::ACTIONS, shared.action_seed, first_lane, shared.tick, step == 0);
        }
        step_chunk(s, &shared, blocks, |index| words[index].draw(W::ACTIONS, shared.tick), resets, out);
    }
}
