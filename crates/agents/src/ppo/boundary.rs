//! A learner's state at the start of an iteration: taken down, and taken up by another learner.

use super::learner::Ppo;
use super::state::State;
use crate::error::LearnerError;
use crate::lanes::Lanes;
use vivarium_envs::{EnvError, VectorEnv, World};
use vivarium_graph::TensorError;

impl<W: World> Ppo<W> {
    /// What the learner was at the start of the present iteration.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.boundary
    }

    /// Takes up a state, which must come from a learner of the same config, world and seed (live fields may differ), and
    /// goes on from there. An iteration that was under way is forgotten.
    ///
    /// # Errors
    /// [`LearnerError::State`] if an array has the wrong length, [`LearnerError::World`] if no environment can be in such a
    /// state; nothing is changed then.
    pub fn adopt(&mut self, state: &State) -> Result<(), LearnerError> {
        self.check(state)?;
        let envs = self.environments(&state.lanes)?;
        let mut first = 0;
        for (block, env) in self.blocks.iter_mut().zip(envs) {
            let lanes = first..first + block.lanes;
            first = lanes.end;
            block.env = env;
            block.running = state.running.part(lanes);
        }
        self.policy.network.write(&state.weights);
        self.updater.trainer.write_moments([&state.first_moment, &state.second_moment]);
        self.observation_moments.clone_from(&state.observation_moments);
        self.return_moments = state.return_moments;
        self.counters = state.counters;
        self.begin_iteration()
    }

    /// Refuses arrays of the wrong length.
    fn check(&self, state: &State) -> Result<(), LearnerError> {
        let (weights, lanes) = (self.policy.network.weights().len(), self.config.num_envs as usize);
        let (world, running) = (&state.lanes, &state.running);
        for (name, got, expected) in [
            ("weights", state.weights.len(), weights),
            ("first moments", state.first_moment.len(), weights),
            ("second moments", state.second_moment.len(), weights),
            ("observation moments", state.observation_moments.len(), W::OBSERVATION_LEN),
            ("states", world.states.len(), lanes * W::STATE_LEN),
            ("ages", world.ages.len(), lanes),
            ("next episodes", world.next_episodes.len(), lanes),
            ("pushes", world.pushes.len(), lanes),
            ("returns", running.returns.len(), lanes),
            ("lengths", running.lengths.len(), lanes),
            ("discounted returns", running.discounted.len(), lanes),
            ("whole episodes", running.whole.len(), lanes),
        ] {
            if got != expected {
                let problem = format!("the array has {got} numbers; {expected} are needed");
                return Err(TensorError { tensor: name.to_owned(), problem }.into());
            }
        }
        Ok(())
    }

    /// The blocks' environments, moved to where `lanes` says.
    fn environments(&self, lanes: &Lanes) -> Result<Vec<VectorEnv<W>>, EnvError> {
        let mut first = 0;
        let restored = self.blocks.iter().map(|block| {
            let range = first..first + block.lanes;
            first = range.end;
            lanes.place(range, &block.env)
        });
        restored.collect()
    }

    /// Takes the present state down as that of the iteration's start. Memory is used again.
    pub(crate) fn remember(&mut self) {
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
        boundary.lanes.clear();
        boundary.running.clear();
        for block in &*blocks {
            boundary.lanes.extend(&block.env);
            boundary.running.extend(&block.running);
        }
    }
}
