//! A learner's state as named tensors, to save and to restore.

use super::config::PpoConfig;
use super::error::PpoError;
use super::learner::Ppo;
use super::normalise::Moments;
use super::report::Counters;
use super::running::Running;
use super::state::{Lanes, State};
use vivarium_envs::World;
use vivarium_graph::{Saved, TensorError, tensors_of};
pub use vivarium_graph::{Tensor, Values};

/// Names of the tensors beside the weights and the optimiser's moments.
const OBSERVATION_MOMENTS: &str = "normaliser/observations";
const RETURN_MOMENTS: &str = "normaliser/returns";
const COUNTERS: &str = "counters";
const TICK: &str = "world/tick";
const STATES: &str = "world/state";
const PUSHES: &str = "world/push";
const AGES: &str = "world/age";
const NEXT_EPISODES: &str = "world/next_episode";
const RETURNS: &str = "episode/return";
const DISCOUNTED: &str = "episode/discounted_return";
const LENGTHS: &str = "episode/length";
const WHOLE: &str = "episode/whole";

impl<W: World> Ppo<W> {
    /// What it has learnt by the start of the present iteration: the state without counters and worlds.
    #[must_use]
    pub fn learned(&self) -> Vec<Tensor> {
        let state = self.state();
        let specs = self.policy.parameters.specs();
        let mut tensors = Vec::new();
        for (group, flat) in [
            ("weights", &state.weights),
            ("adam/first_moment", &state.first_moment),
            ("adam/second_moment", &state.second_moment),
        ] {
            tensors.extend(tensors_of(group, specs, flat));
        }
        let mut add = |name: &str, shape: &[usize], values| {
            tensors.push(Tensor { name: name.to_owned(), shape: shape.to_vec(), values });
        };
        let flat = |moments: &[Moments]| {
            Values::F64(moments.iter().flat_map(|m| [m.count, m.mean, m.deviations]).collect())
        };
        let observations = &state.observation_moments;
        add(OBSERVATION_MOMENTS, &[observations.len(), 3], flat(observations));
        add(RETURN_MOMENTS, &[1, 3], flat(&[state.return_moments]));
        tensors
    }

    /// The state at the start of the present iteration.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let state = self.state();
        let lanes = state.lanes.ages.len();
        let mut tensors = self.learned();
        let mut add = |name: &str, shape: &[usize], values| {
            tensors.push(Tensor { name: name.to_owned(), shape: shape.to_vec(), values });
        };
        let Counters { steps, iterations, updates, episodes } = state.counters;
        add(COUNTERS, &[4], Values::U64(vec![steps, iterations, updates, episodes]));

        let Lanes { tick, states, ages, next_episodes, pushes } = &state.lanes;
        add(TICK, &[1], Values::U64(vec![*tick]));
        add(STATES, &[lanes, W::STATE_LEN], Values::F32(states.clone()));
        add(PUSHES, &[lanes], Values::F32(pushes.clone()));
        add(AGES, &[lanes], Values::U32(ages.clone()));
        add(NEXT_EPISODES, &[lanes], Values::U32(next_episodes.clone()));
        let Running { returns, lengths, discounted, whole } = &state.running;
        add(RETURNS, &[lanes], Values::F32(returns.clone()));
        add(DISCOUNTED, &[lanes], Values::F32(discounted.clone()));
        add(LENGTHS, &[lanes], Values::U32(lengths.clone()));
        add(WHOLE, &[lanes], Values::U32(whole.iter().map(|&whole| u32::from(whole)).collect()));
        tensors
    }

    /// A learner in a saved state. Config and seed must be those that it was saved under (live fields may differ).
    ///
    /// # Errors
    /// [`PpoError`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(
        config: PpoConfig,
        world: W::Params,
        seed: u64,
        tensors: &[Tensor],
    ) -> Result<Self, PpoError> {
        let mut learner = Self::new(config, world, seed)?;
        let state = state::<W>(&Saved(tensors), &learner)?;
        learner.adopt(&state)?;
        Ok(learner)
    }
}

/// The state that tensors from outside make for this learner.
fn state<W: World>(saved: &Saved<'_>, learner: &Ppo<W>) -> Result<State, TensorError> {
    let parameters = &learner.policy.parameters;
    let (specs, len) = (parameters.specs(), parameters.flat().len());
    let lanes = [learner.config.num_envs as usize];
    let &[steps, iterations, updates, episodes] = saved.find(COUNTERS)?.counters()?;
    let &[tick] = saved.find(TICK)?.counters()?;
    Ok(State {
        weights: saved.flat("weights", specs, len)?,
        first_moment: saved.flat("adam/first_moment", specs, len)?,
        second_moment: saved.flat("adam/second_moment", specs, len)?,
        observation_moments: moments(saved, OBSERVATION_MOMENTS, W::OBSERVATION_LEN)?,
        return_moments: moments(saved, RETURN_MOMENTS, 1)?[0],
        counters: Counters { steps, iterations, updates, episodes },
        lanes: Lanes {
            tick,
            states: saved.find(STATES)?.floats(&[lanes[0], W::STATE_LEN])?.to_vec(),
            ages: saved.find(AGES)?.integers(&lanes)?.to_vec(),
            next_episodes: saved.find(NEXT_EPISODES)?.integers(&lanes)?.to_vec(),
            pushes: saved.find(PUSHES)?.floats(&lanes)?.to_vec(),
        },
        running: Running {
            returns: saved.find(RETURNS)?.floats(&lanes)?.to_vec(),
            lengths: saved.find(LENGTHS)?.integers(&lanes)?.to_vec(),
            discounted: saved.find(DISCOUNTED)?.floats(&lanes)?.to_vec(),
            whole: saved.find(WHOLE)?.integers(&lanes)?.iter().map(|&whole| whole != 0).collect(),
        },
    })
}

fn moments(saved: &Saved<'_>, name: &str, count: usize) -> Result<Vec<Moments>, TensorError> {
    let moments = saved.find(name)?.doubles(&[count, 3])?.chunks_exact(3);
    Ok(moments.map(|m| Moments { count: m[0], mean: m[1], deviations: m[2] }).collect())
}
