//! Capture of a PPO learner's state at the start of an iteration, and return to such a state.

use super::learner::Ppo;
use super::state::PpoState;
use crate::env_batch::EnvBatch;
use crate::error::LearnerError;
use vivarium_envs::{AnyVectorEnv, EnvError};
use vivarium_graph::TensorError;

impl Ppo {
    /// Returns the state that the learner had at the start of the current iteration.
    #[must_use]
    pub fn state(&self) -> &PpoState {
        &self.boundary
    }

    /// Replaces the learner's state by `state`, and discards the iteration in progress. The state must come from a
    /// learner with the same config, environment and seed; live config fields, which may change during a run, may
    /// differ.
    ///
    /// # Errors
    /// [`LearnerError::State`] if an array has the wrong length, [`LearnerError::World`] if an environment state is
    /// invalid; the learner is unchanged then.
    pub fn adopt(&mut self, state: &PpoState) -> Result<(), LearnerError> {
        self.check(state)?;
        // The states are checked for all blocks before the first block changes.
        let envs = self.environments(&state.envs)?;
        let mut first = 0;
        for (block, env) in self.blocks.iter_mut().zip(envs) {
            let range = first..first + block.num_envs;
            first = range.end;
            block.env = env;
            block.running = state.running.part(range);
        }
        self.policy.network.write(&state.weights);
        self.updater.trainer.write_moments([&state.first_moment, &state.second_moment]);
        self.observation_moments.clone_from(&state.observation_moments);
        self.return_moments = state.return_moments;
        self.counters = state.counters;
        self.begin_iteration()
    }

    /// Returns an error if an array of `state` does not have the length that the config and the environment of this
    /// learner determine.
    fn check(&self, state: &PpoState) -> Result<(), LearnerError> {
        let (weights, num_envs) = (self.policy.network.weights().len(), self.config.num_envs as usize);
        let (world, running, spec) = (&state.envs, &state.running, self.environment.spec());
        for (name, got, expected) in [
            ("weights", state.weights.len(), weights),
            ("first moments", state.first_moment.len(), weights),
            ("second moments", state.second_moment.len(), weights),
            ("observation moments", state.observation_moments.len(), spec.observation_len),
            ("states", world.states.len(), num_envs * spec.state_len),
            ("ages", world.ages.len(), num_envs),
            ("next episodes", world.next_episodes.len(), num_envs),
            ("pushes", world.pushes.len(), num_envs),
            ("returns", running.returns.len(), num_envs),
            ("lengths", running.lengths.len(), num_envs),
            ("discounted returns", running.discounted.len(), num_envs),
            ("whole episodes", running.whole.len(), num_envs),
        ] {
            if got != expected {
                let problem = format!("the array has {got} numbers; {expected} are needed");
                return Err(TensorError { tensor: name.to_owned(), problem }.into());
            }
        }
        Ok(())
    }

    /// Returns a copy of the environments of every [`RolloutBlock`](super::rollout::RolloutBlock), in which the states
    /// are replaced by the states in `batch`. `batch` holds the states of all environments.
    fn environments(&self, batch: &EnvBatch) -> Result<Vec<Box<dyn AnyVectorEnv>>, EnvError> {
        let mut first = 0;
        let restored = self.blocks.iter().map(|block| {
            let range = first..first + block.num_envs;
            first = range.end;
            block.env.restored(&batch.placed(range, block.env.snapshot()))
        });
        restored.collect()
    }

    /// Copies the learner's current state to the field `boundary`, which holds the state at the start of the
    /// iteration. Reuses the memory of `boundary`.
    pub(crate) fn capture_state(&mut self) {
        let Self { policy, updater, blocks, boundary, .. } = self;
        let [first, second] = updater.trainer.moments();
        for (to, from) in [
            (&mut boundary.weights, policy.network.weights()),
            (&mut boundary.first_moment, first),
            (&mut boundary.second_moment, second),
        ] {
            to.clear();
            to.extend_from_slice(from);
        }
        boundary.observation_moments.clone_from(&self.observation_moments);
        boundary.return_moments = self.return_moments;
        boundary.counters = self.counters;
        boundary.envs.clear();
        boundary.running.clear();
        for block in &*blocks {
            boundary.envs.extend(block.env.snapshot());
            boundary.running.extend(&block.running);
        }
    }
}
