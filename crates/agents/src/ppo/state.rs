//! What a learner is between two iterations: plain numbers that every engine can take up and go on from.
//!
//! The rollout is no part of it: a learner that takes up a state takes the iteration's steps again, draws the same
//! numbers, and so goes on exactly as the other one did.

use super::error::PpoError;
use super::learner::Ppo;
use super::normalise::Moments;
use super::report::Counters;
use super::running::Running;
use vivarium_envs::{EnvError, Snapshot, VectorEnv, World};
use vivarium_graph::TensorError;

/// What a learner is at the start of an iteration: plain numbers that every engine can take up and go on from. The rollout
/// is no part of it; whoever takes it up takes the iteration's steps again, and draws the same numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The network's parameters, laid out as [`vivarium_graph::Parameters`] are.
    pub weights: Vec<f32>,
    /// Adam's mean of the gradients, in the same layout.
    pub first_moment: Vec<f32>,
    /// Adam's mean of their squares, in the same layout.
    pub second_moment: Vec<f32>,
    /// Of the observations so far, one per dimension.
    pub observation_moments: Vec<Moments>,
    /// Of the discounted returns so far.
    pub return_moments: Moments,
    /// Totals so far.
    pub counters: Counters,
    /// Where every environment is.
    pub lanes: Lanes,
    /// What every lane's present episode came to so far.
    pub running: Running,
}

/// Where every environment is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    /// Steps that each has taken.
    pub tick: u64,
    /// `[lanes, state]`, row-major.
    pub states: Vec<f32>,
    /// `[lanes]`: how many steps the present episode has taken.
    pub ages: Vec<u32>,
    /// `[lanes]`: the number of the next episode.
    pub next_episodes: Vec<u32>,
    /// `[lanes]`: the external force during the next step, in the world's unit.
    pub pushes: Vec<f32>,
}

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
    /// [`PpoError::State`] if an array has the wrong length, [`PpoError::World`] if no environment can be in such a
    /// state; nothing is changed then.
    pub fn adopt(&mut self, state: &State) -> Result<(), PpoError> {
        self.check(state)?;
        let envs = self.environments(&state.lanes)?;
        let mut first = 0;
        for (block, env) in self.blocks.iter_mut().zip(envs) {
            let lanes = first..first + block.lanes;
            first = lanes.end;
            block.env = env;
            block.running = state.running.part(lanes);
        }
        self.policy.parameters.flat_mut().copy_from_slice(&state.weights);
        self.policy.packed.refresh(&self.policy.parameters);
        let optimiser = &mut self.updater.optimiser;
        optimiser.first_moment.copy_from_slice(&state.first_moment);
        optimiser.second_moment.copy_from_slice(&state.second_moment);
        self.observation_moments.clone_from(&state.observation_moments);
        self.return_moments = state.return_moments;
        self.counters = state.counters;
        self.begin_iteration()
    }

    /// Refuses arrays of the wrong length.
    fn check(&self, state: &State) -> Result<(), PpoError> {
        let (weights, lanes) = (self.policy.parameters.flat().len(), self.config.num_envs as usize);
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
            VectorEnv::restore(&Snapshot {
                tick: lanes.tick,
                states: lanes.states[range.start * W::STATE_LEN..range.end * W::STATE_LEN].to_vec(),
                ages: lanes.ages[range.clone()].to_vec(),
                next_episodes: lanes.next_episodes[range.clone()].to_vec(),
                pushes: lanes.pushes[range].to_vec(),
                ..block.env.snapshot()
            })
        });
        restored.collect()
    }
}

impl State {
    /// Takes over the learner's present state. Memory is used again.
    pub(crate) fn remember<W: World>(&mut self, learner: &Ppo<W>) {
        let optimiser = &learner.updater.optimiser;
        for (to, from) in [
            (&mut self.weights, learner.policy.parameters.flat()),
            (&mut self.first_moment, &optimiser.first_moment),
            (&mut self.second_moment, &optimiser.second_moment),
        ] {
            to.clear();
            to.extend_from_slice(from);
        }
        self.observation_moments.clone_from(&learner.observation_moments);
        self.return_moments = learner.return_moments;
        self.counters = learner.counters;
        let Lanes { tick, states, ages, next_episodes, pushes } = &mut self.lanes;
        states.clear();
        ages.clear();
        next_episodes.clear();
        pushes.clear();
        self.running.clear();
        for block in &learner.blocks {
            let snapshot = block.env.snapshot();
            *tick = snapshot.tick;
            states.extend(snapshot.states);
            ages.extend(snapshot.ages);
            next_episodes.extend(snapshot.next_episodes);
            pushes.extend(snapshot.pushes);
            self.running.extend(&block.running);
        }
    }
}
