//! A learner's state as named tensors, to save and to restore.

use super::config::PpoConfig;
use super::error::PpoError;
use super::learner::Ppo;
use super::normalise::Moments;
use super::report::Counters;
use super::running::Running;
use super::state::{Lanes, State};
use vivarium_envs::World;
use vivarium_graph::ParameterSpec;
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
    /// The state at the start of the present iteration.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let state = self.state();
        let (specs, lanes) = (self.policy.parameters.specs(), state.lanes.ages.len());
        let mut tensors = Vec::new();
        let mut add = |name: &str, shape: &[usize], values| {
            tensors.push(Tensor { name: name.to_owned(), shape: shape.to_vec(), values });
        };
        for (group, flat) in [
            ("weights", &state.weights),
            ("adam/first_moment", &state.first_moment),
            ("adam/second_moment", &state.second_moment),
        ] {
            for spec in specs {
                let name = format!("{group}/{}", spec.name);
                add(&name, &spec.dims, Values::F32(flat[spec.range()].to_vec()));
            }
        }
        let flat = |moments: &[Moments]| {
            Values::F64(moments.iter().flat_map(|m| [m.count, m.mean, m.deviations]).collect())
        };
        let observations = &state.observation_moments;
        add(OBSERVATION_MOMENTS, &[observations.len(), 3], flat(observations));
        add(RETURN_MOMENTS, &[1, 3], flat(&[state.return_moments]));
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
        let state = Saved(tensors).state::<W>(&learner)?;
        learner.adopt(&state)?;
        Ok(learner)
    }
}

/// Tensors from outside.
struct Saved<'a>(&'a [Tensor]);

impl<'a> Saved<'a> {
    /// The state that they make for this learner.
    fn state<W: World>(&self, learner: &Ppo<W>) -> Result<State, PpoError> {
        let specs = learner.policy.parameters.specs();
        let len = learner.policy.parameters.flat().len();
        let lanes = [learner.config.lanes as usize];
        let &[steps, iterations, updates, episodes] = self.find(COUNTERS)?.counters()?;
        let &[tick] = self.find(TICK)?.counters()?;
        Ok(State {
            weights: self.flat("weights", specs, len)?,
            first_moment: self.flat("adam/first_moment", specs, len)?,
            second_moment: self.flat("adam/second_moment", specs, len)?,
            observation_moments: self.moments(OBSERVATION_MOMENTS, W::OBSERVATION_LEN)?,
            return_moments: self.moments(RETURN_MOMENTS, 1)?[0],
            counters: Counters { steps, iterations, updates, episodes },
            lanes: Lanes {
                tick,
                states: self.find(STATES)?.floats(&[lanes[0], W::STATE_LEN])?.to_vec(),
                ages: self.find(AGES)?.integers(&lanes)?.to_vec(),
                next_episodes: self.find(NEXT_EPISODES)?.integers(&lanes)?.to_vec(),
                pushes: self.find(PUSHES)?.floats(&lanes)?.to_vec(),
            },
            running: Running {
                returns: self.find(RETURNS)?.floats(&lanes)?.to_vec(),
                lengths: self.find(LENGTHS)?.integers(&lanes)?.to_vec(),
                discounted: self.find(DISCOUNTED)?.floats(&lanes)?.to_vec(),
                whole: self.find(WHOLE)?.integers(&lanes)?.iter().map(|&whole| whole != 0).collect(),
            },
        })
    }

    /// The tensors of a group side by side, as the network lays out its parameters.
    fn flat(&self, group: &str, specs: &[ParameterSpec], len: usize) -> Result<Vec<f32>, PpoError> {
        let mut flat = vec![0.0; len];
        for spec in specs {
            let values = self.find(&format!("{group}/{}", spec.name))?.floats(&spec.dims)?;
            flat[spec.range()].copy_from_slice(values);
        }
        Ok(flat)
    }

    fn moments(&self, name: &str, count: usize) -> Result<Vec<Moments>, PpoError> {
        let numbers = self.find(name)?.doubles(&[count, 3])?;
        let moments = numbers.chunks_exact(3);
        Ok(moments.map(|m| Moments { count: m[0], mean: m[1], deviations: m[2] }).collect())
    }

    fn find(&self, name: &str) -> Result<Named<'a>, PpoError> {
        let found = self.0.iter().find(|tensor| tensor.name == name);
        found
            .map(Named)
            .ok_or_else(|| PpoError::State { tensor: name.to_owned(), problem: "it is missing".to_owned() })
    }
}

/// A tensor from outside, judged as it is read.
struct Named<'a>(&'a Tensor);

impl<'a> Named<'a> {
    fn wrong(&self, problem: String) -> PpoError {
        PpoError::State { tensor: self.0.name.clone(), problem }
    }

    fn check(&self, kind: &str, shape: &[usize], finite: impl FnOnce() -> bool) -> Result<(), PpoError> {
        let Tensor { shape: found, values, .. } = self.0;
        if found != shape || values.len() != shape.iter().product::<usize>() || values.kind() != kind {
            return Err(self.wrong(format!("it is {} {found:?}; {kind} {shape:?} is needed", values.kind())));
        }
        if finite() { Ok(()) } else { Err(self.wrong("it holds a number that is not finite".to_owned())) }
    }

    fn floats(&self, shape: &[usize]) -> Result<&'a [f32], PpoError> {
        let values: &[f32] = if let Values::F32(values) = &self.0.values { values } else { &[] };
        self.check("f32", shape, || values.iter().all(|value| value.is_finite()))?;
        Ok(values)
    }

    fn doubles(&self, shape: &[usize]) -> Result<&'a [f64], PpoError> {
        let values: &[f64] = if let Values::F64(values) = &self.0.values { values } else { &[] };
        self.check("f64", shape, || values.iter().all(|value| value.is_finite()))?;
        Ok(values)
    }

    fn integers(&self, shape: &[usize]) -> Result<&'a [u32], PpoError> {
        let values: &[u32] = if let Values::U32(values) = &self.0.values { values } else { &[] };
        self.check("u32", shape, || true)?;
        Ok(values)
    }

    fn counters<const N: usize>(&self) -> Result<&'a [u64; N], PpoError> {
        let values: &[u64] = if let Values::U64(values) = &self.0.values { values } else { &[] };
        self.check("u64", &[N], || true)?;
        values.try_into().map_err(|_| self.wrong(format!("{N} counters are needed")))
    }
}
