//! Many lanes of one world, stepped together.

use crate::autoreset::Autoreset;
use crate::block::{BLOCK, Block};
use crate::error::{EnvError, OutOfRange};
use crate::kernel::{CHUNK, CHUNK_LANES, Resets, Shared, begin_episodes, step_given, step_random};
use crate::output::StepOut;
use crate::params::Params;
use crate::space::ActionSpace;
use crate::world::{Tuple, World, observe};
use std::ops::Range;
use vivarium_config::shortest;
use vivarium_kernels::rng;
use vivarium_kernels::simd::{self, Level, Simd, SimdBase, SimdFloat, SimdMask, dispatch};

/// The most lanes that one environment can have.
pub const MAX_LANES: usize = 1 << 24;

/// Lanes of the world `W`, stepped together.
///
/// Everything that is random in a lane depends on the seed, the lane's number among all lanes of the run
/// (`first_lane` + its number here), and the number of its episode or step. So a run is the same, bit for bit,
/// however its lanes are divided among environments and threads. Between SIMD levels results differ by rounding,
/// because a fused multiply-add rounds once where its parts round twice.
#[derive(Clone)]
pub struct VectorEnv<W: World> {
    pub(crate) params: W::Params,
    pub(crate) seed: u64,
    pub(crate) lanes: usize,
    pub(crate) shared: Shared<W>,
    pub(crate) blocks: Vec<Block<W>>,
    /// Scratch of a step.
    resets: Resets,
}

impl<W: World> VectorEnv<W> {
    /// `lanes` lanes, numbered from `first_lane` among all lanes of the run, each at the start of its first episode.
    ///
    /// # Errors
    /// [`EnvError::OutOfRange`] if a param is out of range, or `lanes` is not between 1 and [`MAX_LANES`].
    pub fn new(
        params: W::Params,
        seed: u64,
        first_lane: u32,
        lanes: usize,
        autoreset: Autoreset,
    ) -> Result<Self, EnvError> {
        params.check()?;
        OutOfRange::check("lanes", lanes as f64, 1.0, MAX_LANES as f64)?;
        let blocks = vec![Block::new(); lanes.div_ceil(BLOCK)];
        let shared = Shared {
            constants: W::constants(&params),
            autoreset,
            reset_seed: rng::derive(seed, 0),
            action_seed: rng::derive(seed, 1),
            tick: 0,
            first_lane,
        };
        let mut env = Self { params, seed, lanes, shared, blocks, resets: Resets::new() };
        env.reset();
        Ok(env)
    }

    /// How many lanes there are.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// The number of the first lane among all lanes of the run.
    pub fn first_lane(&self) -> u32 {
        self.shared.first_lane
    }

    /// The seed that all random numbers come from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// When a lane begins its next episode.
    pub fn autoreset(&self) -> Autoreset {
        self.shared.autoreset
    }

    /// The params in use.
    pub fn params(&self) -> &W::Params {
        &self.params
    }

    /// Changes the world while it runs: from the next step on.
    ///
    /// # Errors
    /// [`EnvError::Param`] naming the field; the params stay as they were.
    pub fn set_params(&mut self, params: W::Params) -> Result<(), EnvError> {
        params.check()?;
        self.params = params;
        self.shared.constants = W::constants(&params);
        Ok(())
    }

    /// Begins the next episode in every lane.
    pub fn reset(&mut self) {
        for lane in (0..self.lanes).step_by(CHUNK_LANES) {
            self.begin(lane..(lane + CHUNK_LANES).min(self.lanes));
        }
    }

    /// Begins the next episode in one lane.
    ///
    /// # Errors
    /// [`EnvError::Lane`] if there is no such lane.
    pub fn reset_lane(&mut self, lane: usize) -> Result<(), EnvError> {
        self.check_lane(lane)?;
        self.begin(lane..lane + 1);
        Ok(())
    }

    /// Begins the next episode in some lanes, all of one chunk.
    fn begin(&mut self, lanes: Range<usize>) {
        let chunk = lanes.start / CHUNK_LANES;
        let shared = self.shared.of_chunk(chunk);
        let (blocks, resets) = (&mut self.blocks[chunk * CHUNK..], &mut self.resets);
        resets.clear();
        for lane in lanes {
            let (block, lane) = (lane % CHUNK_LANES / BLOCK, lane % BLOCK);
            resets.add(blocks, block, lane);
            blocks[block].ended &= !(1 << lane);
            blocks[block].push.0[lane] = 0.0;
        }
        let tick = shared.tick as u32;
        dispatch!(simd::level(), s => begin_episodes(s, &shared, blocks, resets, tick, None));
    }

    /// Moves every lane on by one step under `actions` `[lanes]`, and writes what came of it.
    ///
    /// # Errors
    /// [`EnvError::Length`] if a buffer does not fit, [`EnvError::Action`] if the action space does not contain an
    /// action. Nothing has moved then.
    pub fn step(&mut self, level: Level, actions: &[f32], out: &mut StepOut) -> Result<(), EnvError> {
        if actions.len() != self.lanes {
            let (got, expected) = (actions.len(), self.lanes);
            return Err(EnvError::Length { what: "the buffer of actions", got, expected });
        }
        out.check::<W>(self.lanes)?;
        check_actions(level, W::ACTIONS, actions)?;
        dispatch!(level, s => self.step_chunks(s, actions, out));
        self.shared.tick = self.shared.tick.wrapping_add(1);
        Ok(())
    }

    /// Moves every lane on by `steps` steps under uniformly random actions from the lane's own random numbers.
    ///
    /// Every step does all that [`step`](Self::step) does, and writes all of `out`: observations row by row, rewards,
    /// both flags, and the final observation of each lane that ended. Each writes over the one before, so the last
    /// step's are left (and each lane's latest final observation). A chunk of lanes takes all its steps before the
    /// next chunk does.
    ///
    /// # Errors
    /// [`EnvError::Length`] if a buffer does not fit.
    pub fn random_steps(&mut self, level: Level, steps: u64, out: &mut StepOut) -> Result<(), EnvError> {
        out.check::<W>(self.lanes)?;
        dispatch!(level, s => self.step_chunks_at_random(s, steps, out));
        self.shared.tick = self.shared.tick.wrapping_add(steps);
        Ok(())
    }

    #[inline(always)]
    fn step_chunks<S: Simd>(&mut self, s: S, actions: &[f32], out: &mut StepOut) {
        for (chunk, blocks) in self.blocks.chunks_mut(CHUNK).enumerate() {
            let lanes = chunk * CHUNK_LANES..((chunk + 1) * CHUNK_LANES).min(self.lanes);
            let actions = &actions[lanes.clone()];
            let shared = self.shared.of_chunk(chunk);
            step_given(s, &shared, blocks, actions, &mut self.resets, &mut out.part::<W>(lanes));
        }
    }

    #[inline(always)]
    fn step_chunks_at_random<S: Simd>(&mut self, s: S, steps: u64, out: &mut StepOut) {
        for (chunk, blocks) in self.blocks.chunks_mut(CHUNK).enumerate() {
            let lanes = chunk * CHUNK_LANES..((chunk + 1) * CHUNK_LANES).min(self.lanes);
            let shared = self.shared.of_chunk(chunk);
            step_random(s, &shared, blocks, steps, &mut self.resets, &mut out.part::<W>(lanes));
        }
    }

    /// Writes what every lane's agent sees now: `[lanes, observation]`, row-major.
    ///
    /// # Errors
    /// [`EnvError::Length`] if the buffer does not fit.
    pub fn observations(&self, level: Level, out: &mut [f32]) -> Result<(), EnvError> {
        let mut states = vec![0.0; self.lanes * W::STATE_LEN];
        self.states(&mut states)?;
        observe::<W>(level, &states, out)
    }

    /// Writes every lane's state: `[lanes, state]`, row-major.
    ///
    /// # Errors
    /// [`EnvError::Length`] if the buffer does not fit.
    pub fn states(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let expected = self.lanes * W::STATE_LEN;
        if out.len() != expected {
            return Err(EnvError::Length { what: "the buffer of states", got: out.len(), expected });
        }
        for (lane, row) in out.chunks_exact_mut(W::STATE_LEN).enumerate() {
            row.copy_from_slice(self.blocks[lane / BLOCK].state_of(lane % BLOCK).as_ref());
        }
        Ok(())
    }

    /// Puts a lane into a state. The age of its episode stays; an episode about to be reset goes on from there.
    ///
    /// # Errors
    /// [`EnvError`] if there is no such lane, or the state has the wrong length or a number that is not finite.
    pub fn set_state(&mut self, lane: usize, state: &[f32]) -> Result<(), EnvError> {
        self.check_lane(lane)?;
        let state = checked_state::<W>(state)?;
        let block = &mut self.blocks[lane / BLOCK];
        block.set_state_of(lane % BLOCK, state);
        block.ended &= !(1 << (lane % BLOCK));
        Ok(())
    }

    /// How many steps a lane's episode has taken.
    ///
    /// # Errors
    /// [`EnvError::Lane`] if there is no such lane.
    pub fn age(&self, lane: usize) -> Result<u32, EnvError> {
        self.check_lane(lane)?;
        Ok(self.age_of(lane))
    }

    pub(crate) fn age_of(&self, lane: usize) -> u32 {
        (self.shared.tick as u32).wrapping_sub(self.blocks[lane / BLOCK].began.0[lane % BLOCK])
    }

    /// Adds an external force to a lane during the next step, in the unit of [`World::PUSH`]; several add up.
    ///
    /// # Errors
    /// [`EnvError`] if there is no such lane or the sum is out of range; the lane is not pushed then.
    pub fn push(&mut self, lane: usize, force: f32) -> Result<(), EnvError> {
        self.check_lane(lane)?;
        self.push_lanes(lane..lane + 1, force)
    }

    /// Adds the same external force to every lane, as [`push`](Self::push) does to one.
    ///
    /// # Errors
    /// [`EnvError::OutOfRange`] if the sum is out of range in any lane; no lane is pushed then.
    pub fn push_every(&mut self, force: f32) -> Result<(), EnvError> {
        self.push_lanes(0..self.lanes, force)
    }

    fn push_lanes(&mut self, lanes: Range<usize>, force: f32) -> Result<(), EnvError> {
        let sum = |blocks: &[Block<W>], lane: usize| blocks[lane / BLOCK].push.0[lane % BLOCK] + force;
        lanes.clone().try_for_each(|lane| check_push::<W>(sum(&self.blocks, lane)))?;
        for lane in lanes {
            let sum = sum(&self.blocks, lane);
            let block = &mut self.blocks[lane / BLOCK];
            block.push.0[lane % BLOCK] = sum;
            block.pushed = true;
        }
        Ok(())
    }

    fn check_lane(&self, lane: usize) -> Result<(), EnvError> {
        if lane < self.lanes { Ok(()) } else { Err(EnvError::Lane { lane, last: self.lanes - 1 }) }
    }
}

pub(crate) fn check_push<W: World>(force: f32) -> Result<(), EnvError> {
    let (low, high) = (W::PUSH.low, W::PUSH.high);
    if (low..=high).contains(&force) {
        return Ok(());
    }
    let [value, low, high] = [force, low, high].map(shortest);
    Err(OutOfRange { field: W::PUSH.name, value, low, high }.into())
}

/// A state from outside, in the form that the rules keep.
pub(crate) fn checked_state<W: World>(values: &[f32]) -> Result<W::State<f32>, EnvError> {
    if values.len() != W::STATE_LEN {
        let (got, expected) = (values.len(), W::STATE_LEN);
        return Err(EnvError::Length { what: "the state of a lane", got, expected });
    }
    for (dimension, &value) in W::STATE.iter().zip(values) {
        OutOfRange::check(dimension.name, value.into(), f32::MIN.into(), f32::MAX.into())?;
    }
    let mut state = W::State::<f32>::splat(0.0);
    state.as_mut().copy_from_slice(values);
    Ok(W::normalize(state))
}

/// Refuses actions that the action space does not contain.
fn check_actions(level: Level, space: ActionSpace, actions: &[f32]) -> Result<(), EnvError> {
    #[inline(always)]
    fn all<S: Simd>(s: S, space: ActionSpace, actions: &[f32]) -> bool {
        let mut accepted = S::mask32s::splat(s, true);
        let vectors = actions.chunks_exact(S::f32s::LEN);
        let rest = vectors.remainder();
        for vector in vectors {
            let action = S::f32s::from_slice(s, vector);
            accepted &= match space {
                ActionSpace::Discrete(n) => {
                    let inside =
                        action.simd_ge(S::f32s::splat(s, 0.0)) & action.simd_lt(S::f32s::splat(s, n as f32));
                    inside & action.floor().simd_eq(action)
                }
                ActionSpace::Box { .. } => action.simd_eq(action),
            };
        }
        accepted.all_true() && rest.iter().all(|&action| space.accepts(action))
    }
    if dispatch!(level, s => all(s, space, actions)) {
        return Ok(());
    }
    let refused = actions.iter().position(|&action| !space.accepts(action));
    refused.map_or(Ok(()), |lane| {
        Err(EnvError::Action { lane, value: actions[lane], allowed: space.to_string() })
    })
}
