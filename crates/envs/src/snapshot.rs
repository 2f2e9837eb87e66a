//! Complete state of a batch of environments, to save and restore.

use crate::autoreset::Autoreset;
use crate::block::BLOCK;
use crate::compiled::CompiledWorld;
use crate::error::EnvError;
use crate::kernel::StepContext;
use crate::vector::{VectorEnv, check_push, checked_state};
use serde_json::Value;
use vivarium_config::Config;

/// Complete state of a [`VectorEnv`]. A restored environment continues bit-identically.
#[derive(Debug, Clone, PartialEq)]
pub struct EnvSnapshot {
    /// Name of the environment, [`World::NAME`](crate::World::NAME).
    pub world: String,
    /// Physical parameters, as a config.
    pub params: Value,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Global index of the first environment among all environments of the run.
    pub first_env: u32,
    /// Autoreset mode: the time at which an environment is reset after the end of an episode.
    pub autoreset: Autoreset,
    /// Time limit: episodes are truncated after this many steps.
    pub step_limit: u32,
    /// Number of steps that the batch of environments has taken.
    pub tick: u64,
    /// `[num_envs, state]`: states, row-major.
    pub states: Vec<f32>,
    /// `[num_envs]`: number of steps that the current episode has taken.
    pub ages: Vec<u32>,
    /// `[num_envs]`: index of the next episode, counted from 0.
    pub next_episodes: Vec<u32>,
    /// `[num_envs]`: external force during the next step, in the unit of [`World::PUSH`](crate::World::PUSH).
    pub pushes: Vec<f32>,
    /// `[num_envs]`: whether the next step resets the environment (autoreset mode `NextStep` only).
    pub ended: Vec<bool>,
}

impl<W: CompiledWorld> VectorEnv<W> {
    /// Returns the complete state of the environments, for [`restore`](Self::restore).
    pub fn snapshot(&self) -> EnvSnapshot {
        let mut states = Vec::with_capacity(self.num_envs * W::STATE_LEN);
        for index in 0..self.num_envs {
            states.extend_from_slice(self.blocks[index / BLOCK].state_of(index % BLOCK).as_ref());
        }
        let each = || (0..self.num_envs).map(|index| (&self.blocks[index / BLOCK], index % BLOCK));
        EnvSnapshot {
            world: W::NAME.to_owned(),
            params: self.params.to_json(),
            seed: self.seed,
            first_env: self.shared.first_env,
            autoreset: self.shared.autoreset,
            step_limit: self.shared.step_limit,
            tick: self.shared.tick,
            states,
            ages: (0..self.num_envs).map(|index| self.age_of(index)).collect(),
            next_episodes: each().map(|(block, lane)| block.next_episode.0[lane]).collect(),
            pushes: each().map(|(block, lane)| block.push.0[lane]).collect(),
            ended: each().map(|(block, lane)| block.ended >> lane & 1 != 0).collect(),
        }
    }

    /// Restores a batch of environments from an untrusted snapshot.
    ///
    /// # Errors
    /// [`EnvError`] if the snapshot belongs to another environment, its lists have inconsistent lengths, or a number is
    /// out of range.
    pub fn restore(snapshot: &EnvSnapshot) -> Result<Self, EnvError> {
        if snapshot.world != W::NAME {
            return Err(EnvError::World { got: snapshot.world.clone(), expected: W::NAME });
        }
        let num_envs = snapshot.ages.len();
        for (what, got, expected) in [
            ("the list of states", snapshot.states.len(), num_envs * W::STATE_LEN),
            ("the list of next episodes", snapshot.next_episodes.len(), num_envs),
            ("the list of pushes", snapshot.pushes.len(), num_envs),
            ("the list of ended episodes", snapshot.ended.len(), num_envs),
        ] {
            if got != expected {
                return Err(EnvError::Length { what, got, expected });
            }
        }
        let params = W::Params::from_json(&snapshot.params)?;
        let EnvSnapshot { seed, first_env, autoreset, .. } = *snapshot;
        let shared =
            StepContext { tick: snapshot.tick, ..StepContext::new(&params, seed, first_env, autoreset)? };
        let mut env = Self::without_episodes(params, seed, num_envs, shared)?;
        env.set_step_limit(snapshot.step_limit)?;
        for index in 0..num_envs {
            let state =
                checked_state::<W>(&snapshot.states[index * W::STATE_LEN..(index + 1) * W::STATE_LEN])?;
            check_push::<W>(snapshot.pushes[index])?;
            let (block, lane) = (&mut env.blocks[index / BLOCK], index % BLOCK);
            block.set_state_of(lane, state);
            block.began.0[lane] = (env.shared.tick as u32).wrapping_sub(snapshot.ages[index]);
            block.next_episode.0[lane] = snapshot.next_episodes[index];
            block.push.0[lane] = snapshot.pushes[index];
            block.pushed |= snapshot.pushes[index] != 0.0;
            block.ended |= u64::from(snapshot.ended[index]) << lane;
        }
        Ok(env)
    }
}
