//! Batch of environments that are stepped together (Gymnasium's vector environment).

use crate::autoreset::Autoreset;
use crate::block::{BLOCK, EnvBlock};
use crate::compiled::{CompiledWorld, observe};
use crate::error::{EnvError, OutOfRange};
use crate::kernel::{CHUNK, CHUNK_ENVS, EnvsMut, ResetList, StepContext};
use crate::output::StepOut;
use crate::params::Params;
use crate::random::random_actions;
use crate::space::ActionSpace;
use crate::world::{Tuple, World};
use std::ops::Range;
use vivarium_config::shortest;
use vivarium_kernels::simd::{Level, Simd, SimdBase, SimdFloat, SimdMask, dispatch};

/// Maximum number of environments in a [`VectorEnv`].
pub const MAX_ENVS: usize = 1 << 24;

/// Batch of environments `W` that are stepped together.
///
/// Random numbers depend on the seed, the global index of the environment (`first_env` + its index in this batch), and
/// the index of the episode or step. A run is therefore bit-identical for every division of its environments among
/// batches and threads. Results differ between SIMD levels by rounding, because a fused multiply-add rounds once
/// instead of twice.
#[derive(Clone)]
pub struct VectorEnv<W: CompiledWorld> {
    pub(crate) params: W::Params,
    pub(crate) seed: u64,
    pub(crate) num_envs: usize,
    pub(crate) shared: StepContext<W>,
    pub(crate) blocks: Vec<EnvBlock<W>>,
    /// Scratch memory of a step: list of the environments to reset.
    resets: ResetList,
}

impl<W: CompiledWorld> VectorEnv<W> {
    /// Creates `num_envs` environments, each at the start of its first episode. `first_env` is the index of this
    /// batch's first environment among all environments of the run.
    ///
    /// # Errors
    /// [`EnvError`] if a parameter is out of range, or `num_envs` is not between 1 and [`MAX_ENVS`].
    pub fn new(
        level: Level,
        params: W::Params,
        seed: u64,
        first_env: u32,
        num_envs: usize,
        autoreset: Autoreset,
    ) -> Result<Self, EnvError> {
        let shared = StepContext::new(&params, seed, first_env, autoreset)?;
        let mut env = Self::without_episodes(params, seed, num_envs, shared)?;
        env.reset(level);
        Ok(env)
    }

    /// Creates a batch of environments whose episodes have not begun: their states are unspecified until the caller
    /// sets them.
    pub(crate) fn without_episodes(
        params: W::Params,
        seed: u64,
        num_envs: usize,
        shared: StepContext<W>,
    ) -> Result<Self, EnvError> {
        OutOfRange::check("num_envs", num_envs as f64, 1.0, MAX_ENVS as f64)?;
        let blocks = vec![EnvBlock::new(); num_envs.div_ceil(BLOCK)];
        Ok(Self { params, seed, num_envs, shared, blocks, resets: ResetList::new() })
    }

    /// Returns the number of environments.
    pub fn num_envs(&self) -> usize {
        self.num_envs
    }

    /// Returns the global index of the first environment among all environments of the run.
    pub fn first_env(&self) -> u32 {
        self.shared.first_env
    }

    /// Returns the seed of all random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the autoreset mode: the time at which an environment is reset after the end of an episode.
    pub fn autoreset(&self) -> Autoreset {
        self.shared.autoreset
    }

    /// Returns the time limit: episodes are truncated after this many steps. The default is [`World::STEP_LIMIT`].
    pub fn step_limit(&self) -> u32 {
        self.shared.step_limit
    }

    /// Changes the time limit from the next step on. An episode that is older than the limit is truncated in that step.
    ///
    /// # Errors
    /// [`EnvError::OutOfRange`] if the limit is 0.
    pub fn set_step_limit(&mut self, steps: u32) -> Result<(), EnvError> {
        OutOfRange::check("step_limit", steps.into(), 1.0, u32::MAX.into())?;
        self.shared.step_limit = steps;
        Ok(())
    }

    /// Returns the physical parameters of the environments.
    pub fn params(&self) -> &W::Params {
        &self.params
    }

    /// Changes the physical parameters from the next step on.
    ///
    /// # Errors
    /// [`EnvError::Param`] naming the field that is out of range; the parameters are then unchanged.
    pub fn set_params(&mut self, params: W::Params) -> Result<(), EnvError> {
        params.check()?;
        self.params = params;
        self.shared.constants = W::constants(&params);
        Ok(())
    }

    /// Begins the next episode in every environment.
    pub fn reset(&mut self, level: Level) {
        for first in (0..self.num_envs).step_by(CHUNK_ENVS) {
            self.begin(level, first..(first + CHUNK_ENVS).min(self.num_envs));
        }
    }

    /// Begins the next episode in environment `index`.
    ///
    /// # Errors
    /// [`EnvError::Index`] if `index` is out of range.
    pub fn reset_env(&mut self, level: Level, index: usize) -> Result<(), EnvError> {
        self.check_index(index)?;
        self.begin(level, index..index + 1);
        Ok(())
    }

    fn envs_mut(&mut self) -> EnvsMut<'_, W> {
        EnvsMut { shared: &self.shared, blocks: &mut self.blocks, resets: &mut self.resets }
    }

    /// Begins the next episode in the environments `envs`, a range within one chunk of
    /// [`CHUNK_ENVS`](crate::kernel::CHUNK_ENVS) environments.
    fn begin(&mut self, level: Level, envs: Range<usize>) {
        let chunk = envs.start / CHUNK_ENVS;
        let shared = self.shared.of_chunk(chunk);
        let (blocks, resets) = (&mut self.blocks[chunk * CHUNK..], &mut self.resets);
        resets.clear();
        for index in envs {
            let (block, lane) = (index % CHUNK_ENVS / BLOCK, index % BLOCK);
            resets.add(blocks, block, lane);
            blocks[block].ended &= !(1 << lane);
            blocks[block].push.0[lane] = 0.0;
        }
        W::begin(level, EnvsMut { shared: &shared, blocks, resets });
    }

    /// Steps every environment with `actions` `[num_envs]`, and writes the results to `out`.
    ///
    /// # Errors
    /// [`EnvError::Length`] if a buffer has the wrong length, [`EnvError::Action`] if an action is not in the action
    /// space. No environment is stepped then.
    pub fn step(&mut self, level: Level, actions: &[f32], out: &mut StepOut) -> Result<(), EnvError> {
        if actions.len() != self.num_envs {
            let (got, expected) = (actions.len(), self.num_envs);
            return Err(EnvError::Length { what: "the buffer of actions", got, expected });
        }
        out.check::<W>(self.num_envs)?;
        check_actions(level, W::ACTIONS, actions)?;
        W::step_batch(level, self.envs_mut(), actions, out);
        self.shared.tick = self.shared.tick.wrapping_add(1);
        Ok(())
    }

    /// Steps every environment `steps` times with uniformly random actions.
    ///
    /// Each step computes the same as [`step`](Self::step) and overwrites `out`. Afterwards `out` holds the outputs of
    /// the last step, and the latest final observation of each environment. For cache locality, a chunk of environments
    /// takes all of its steps before the next chunk begins.
    ///
    /// # Errors
    /// [`EnvError::Length`] if a buffer has the wrong length.
    pub fn random_steps(&mut self, level: Level, steps: u64, out: &mut StepOut) -> Result<(), EnvError> {
        out.check::<W>(self.num_envs)?;
        W::step_batch_at_random(level, self.envs_mut(), steps, out);
        self.shared.tick = self.shared.tick.wrapping_add(steps);
        Ok(())
    }

    /// Writes to `actions`, `[num_envs]`, the actions with which [`random_steps`](Self::random_steps) would take the
    /// next step.
    ///
    /// # Errors
    /// [`EnvError::Length`] if the buffer has the wrong length.
    pub fn random_actions(&self, level: Level, actions: &mut [f32]) -> Result<(), EnvError> {
        if actions.len() != self.num_envs {
            let (got, expected) = (actions.len(), self.num_envs);
            return Err(EnvError::Length { what: "the buffer of actions", got, expected });
        }
        let StepContext { action_seed, first_env, tick, .. } = self.shared;
        random_actions(level, W::ACTIONS, action_seed, first_env, tick, actions);
        Ok(())
    }

    /// Writes the current observations to `out`, `[num_envs, observation]`, row-major.
    ///
    /// # Errors
    /// [`EnvError::Length`] if the buffer has the wrong length.
    pub fn observations(&self, level: Level, out: &mut [f32]) -> Result<(), EnvError> {
        let mut states = vec![0.0; self.num_envs * W::STATE_LEN];
        self.states(&mut states)?;
        observe::<W>(level, &states, out)
    }

    /// Writes the current states to `out`, `[num_envs, state]`, row-major.
    ///
    /// # Errors
    /// [`EnvError::Length`] if the buffer has the wrong length.
    pub fn states(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let expected = self.num_envs * W::STATE_LEN;
        if out.len() != expected {
            return Err(EnvError::Length { what: "the buffer of states", got: out.len(), expected });
        }
        for (index, row) in out.chunks_exact_mut(W::STATE_LEN).enumerate() {
            row.copy_from_slice(self.blocks[index / BLOCK].state_of(index % BLOCK).as_ref());
        }
        Ok(())
    }

    /// Sets the state of environment `index`. The episode keeps its age; a pending reset is canceled.
    ///
    /// # Errors
    /// [`EnvError`] if `index` is out of range, or the state has the wrong length or a number that is not finite.
    pub fn set_state(&mut self, index: usize, state: &[f32]) -> Result<(), EnvError> {
        self.check_index(index)?;
        let state = checked_state::<W>(state)?;
        let block = &mut self.blocks[index / BLOCK];
        block.set_state_of(index % BLOCK, state);
        block.ended &= !(1 << (index % BLOCK));
        Ok(())
    }

    /// Returns the number of steps that the current episode of environment `index` has taken.
    ///
    /// # Errors
    /// [`EnvError::Index`] if `index` is out of range.
    pub fn age(&self, index: usize) -> Result<u32, EnvError> {
        self.check_index(index)?;
        Ok(self.age_of(index))
    }

    pub(crate) fn age_of(&self, index: usize) -> u32 {
        (self.shared.tick as u32).wrapping_sub(self.blocks[index / BLOCK].began.0[index % BLOCK])
    }

    /// Applies an external force to environment `index` during the next step, in the unit of [`World::PUSH`]. Forces of
    /// several calls add up.
    ///
    /// # Errors
    /// [`EnvError`] if `index` or the sum of the forces is out of range; no force is applied then.
    pub fn push(&mut self, index: usize, force: f32) -> Result<(), EnvError> {
        self.check_index(index)?;
        self.push_range(index..index + 1, force)
    }

    /// Applies an external force to every environment; see [`push`](Self::push).
    ///
    /// # Errors
    /// [`EnvError::OutOfRange`] if the sum of the forces on any environment is out of range; no force is applied then.
    pub fn push_all(&mut self, force: f32) -> Result<(), EnvError> {
        self.push_range(0..self.num_envs, force)
    }

    fn push_range(&mut self, envs: Range<usize>, force: f32) -> Result<(), EnvError> {
        let sum = |blocks: &[EnvBlock<W>], index: usize| blocks[index / BLOCK].push.0[index % BLOCK] + force;
        envs.clone().try_for_each(|index| check_push::<W>(sum(&self.blocks, index)))?;
        for index in envs {
            let sum = sum(&self.blocks, index);
            let block = &mut self.blocks[index / BLOCK];
            block.push.0[index % BLOCK] = sum;
            block.pushed = true;
        }
        Ok(())
    }

    fn check_index(&self, index: usize) -> Result<(), EnvError> {
        if index < self.num_envs { Ok(()) } else { Err(EnvError::Index { index, last: self.num_envs - 1 }) }
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

/// Returns a state set by the caller in normalized form, for example with an angle in [−π, π); an error if the length
/// is wrong or a number is not finite.
pub(crate) fn checked_state<W: World>(values: &[f32]) -> Result<W::State<f32>, EnvError> {
    if values.len() != W::STATE_LEN {
        let (got, expected) = (values.len(), W::STATE_LEN);
        return Err(EnvError::Length { what: "the state", got, expected });
    }
    for (dimension, &value) in W::STATE.iter().zip(values) {
        OutOfRange::check(dimension.name, value.into(), f32::MIN.into(), f32::MAX.into())?;
    }
    let mut state = W::State::<f32>::splat(0.0);
    state.as_mut().copy_from_slice(values);
    Ok(W::normalize(state))
}

/// Returns an error unless every action is in the action space.
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
    refused.map_or(Ok(()), |index| {
        Err(EnvError::Action { index, value: actions[index], allowed: space.to_string() })
    })
}
