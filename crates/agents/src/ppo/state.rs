//! The whole state of a run as named tensors.
//!
//! What is saved is the state at the start of the present iteration. A restored learner takes the iteration's steps again,
//! draws the same numbers, and so goes on exactly as the saved one did; the rollout itself need not be kept.

use super::config::PpoConfig;
use super::error::PpoError;
use super::learner::Ppo;
use super::normalise::Moments;
use super::report::Counters;
use super::rollout::Running;
use super::update::Optimiser;
use vivarium_envs::{Snapshot, VectorEnv, World};

/// Numbers of one type.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Weights, moments, states.
    F32(Vec<f32>),
    /// Sums that must not lose digits.
    F64(Vec<f64>),
    /// Counters.
    U64(Vec<u64>),
    /// Flags and small numbers.
    U32(Vec<u32>),
}

impl Values {
    fn kind(&self) -> &'static str {
        match self {
            Values::F32(_) => "f32",
            Values::F64(_) => "f64",
            Values::U64(_) => "u64",
            Values::U32(_) => "u32",
        }
    }

    fn len(&self) -> usize {
        match self {
            Values::F32(values) => values.len(),
            Values::F64(values) => values.len(),
            Values::U64(values) => values.len(),
            Values::U32(values) => values.len(),
        }
    }
}

/// A named array.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Such as `weights/actor.0.weight`.
    pub name: String,
    /// Outermost dimension first.
    pub shape: Vec<usize>,
    /// Row-major.
    pub values: Values,
}

/// What a learner was at the start of an iteration.
pub(crate) struct Boundary<W: World> {
    pub weights: Vec<f32>,
    optimiser: Optimiser,
    observation_moments: Vec<Moments>,
    return_moments: Moments,
    counters: Counters,
    lanes: Vec<(VectorEnv<W>, Running)>,
}

impl<W: World> Default for Boundary<W> {
    fn default() -> Self {
        Self {
            weights: Vec::new(),
            optimiser: Optimiser::default(),
            observation_moments: Vec::new(),
            return_moments: Moments::default(),
            counters: Counters::default(),
            lanes: Vec::new(),
        }
    }
}

impl<W: World> Boundary<W> {
    /// Takes over the learner's present state. Memory is used again.
    pub fn remember(&mut self, learner: &Ppo<W>) {
        self.weights.clear();
        self.weights.extend_from_slice(learner.policy.parameters.flat());
        self.optimiser.clone_from(&learner.updater.optimiser);
        self.observation_moments.clone_from(&learner.observation_moments);
        self.return_moments = learner.return_moments;
        self.counters = learner.counters;
        self.lanes.resize_with(learner.blocks.len(), || {
            let block = &learner.blocks[0];
            (block.env.clone(), block.running.clone())
        });
        for ((env, running), block) in self.lanes.iter_mut().zip(&learner.blocks) {
            env.clone_from(&block.env);
            running.clone_from(&block.running);
        }
    }
}

/// Names of the tensors beside the weights, the optimiser's moments, and those of the environments.
const OBSERVATION_MOMENTS: &str = "normaliser/observations";
const RETURN_MOMENTS: &str = "normaliser/returns";
const COUNTERS: &str = "counters";

impl<W: World> Ppo<W> {
    /// The state at the start of the present iteration.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let Boundary { weights, optimiser, observation_moments, return_moments, counters, lanes } =
            &self.boundary;
        let mut tensors = Vec::new();
        let mut add = |name: String, shape: &[usize], values| {
            tensors.push(Tensor { name, shape: shape.to_vec(), values });
        };
        for (group, flat) in [
            ("weights", &weights[..]),
            ("adam/first_moment", &optimiser.first_moment[..]),
            ("adam/second_moment", &optimiser.second_moment[..]),
        ] {
            for spec in self.policy.parameters.specs() {
                add(format!("{group}/{}", spec.name), &spec.dims, Values::F32(flat[spec.range()].to_vec()));
            }
        }
        let flat = |moments: &[Moments]| {
            Values::F64(moments.iter().flat_map(|m| [m.count, m.mean, m.deviations]).collect())
        };
        add(OBSERVATION_MOMENTS.into(), &[observation_moments.len(), 3], flat(observation_moments));
        add(RETURN_MOMENTS.into(), &[1, 3], flat(std::slice::from_ref(return_moments)));
        let Counters { steps, iterations, updates, episodes } = *counters;
        add(COUNTERS.into(), &[4], Values::U64(vec![steps, iterations, updates, episodes]));

        let snapshots: Vec<Snapshot> = lanes.iter().map(|(env, _)| env.snapshot()).collect();
        let count = self.config.lanes as usize;
        let floats = |part: fn(&Snapshot) -> &[f32]| {
            Values::F32(snapshots.iter().flat_map(|snapshot| part(snapshot).iter().copied()).collect())
        };
        let integers = |part: fn(&Snapshot) -> &[u32]| {
            Values::U32(snapshots.iter().flat_map(|snapshot| part(snapshot).iter().copied()).collect())
        };
        add("world/tick".into(), &[1], Values::U64(vec![snapshots.first().map_or(0, |s| s.tick)]));
        add("world/state".into(), &[count, W::STATE_LEN], floats(|s| &s.states));
        add("world/push".into(), &[count], floats(|s| &s.pushes));
        add("world/age".into(), &[count], integers(|s| &s.ages));
        add("world/next_episode".into(), &[count], integers(|s| &s.next_episodes));
        let running = |part: fn(&Running) -> &[f32]| {
            Values::F32(lanes.iter().flat_map(|(_, running)| part(running).iter().copied()).collect())
        };
        add("episode/return".into(), &[count], running(|r| &r.returns));
        add("episode/discounted_return".into(), &[count], running(|r| &r.discounted));
        let lengths = lanes.iter().flat_map(|(_, running)| running.lengths.iter().copied()).collect();
        add("episode/length".into(), &[count], Values::U32(lengths));
        let whole = lanes
            .iter()
            .flat_map(|(_, running)| running.whole.iter().map(|&whole| u32::from(whole)))
            .collect();
        add("episode/whole".into(), &[count], Values::U32(whole));
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
        let saved = Saved(tensors);
        let count = learner.config.lanes as usize;

        let specs = learner.policy.parameters.specs().to_vec();
        for spec in &specs {
            let tensor = saved.find(&format!("weights/{}", spec.name))?;
            let values = tensor.floats(&spec.dims)?;
            learner.policy.parameters.set(&spec.name, &spec.dims, values)?;
            let optimiser = &mut learner.updater.optimiser;
            for (group, flat) in [
                ("adam/first_moment", &mut optimiser.first_moment),
                ("adam/second_moment", &mut optimiser.second_moment),
            ] {
                let values = saved.find(&format!("{group}/{}", spec.name))?.floats(&spec.dims)?;
                flat[spec.range()].copy_from_slice(values);
            }
        }
        learner.policy.packed.refresh(&learner.policy.parameters);

        let observations = saved.find(OBSERVATION_MOMENTS)?.doubles(&[W::OBSERVATION_LEN, 3])?;
        learner.observation_moments = moments(observations);
        learner.return_moments = moments(saved.find(RETURN_MOMENTS)?.doubles(&[1, 3])?)[0];
        let &[steps, iterations, updates, episodes] = saved.find(COUNTERS)?.counters(4)? else {
            unreachable!()
        };
        learner.counters = Counters { steps, iterations, updates, episodes };

        let tick = saved.find("world/tick")?.counters(1)?[0];
        let states = saved.find("world/state")?.floats(&[count, W::STATE_LEN])?;
        let pushes = saved.find("world/push")?.floats(&[count])?;
        let ages = saved.find("world/age")?.integers(&[count])?;
        let next_episodes = saved.find("world/next_episode")?.integers(&[count])?;
        let returns = saved.find("episode/return")?.floats(&[count])?;
        let discounted = saved.find("episode/discounted_return")?.floats(&[count])?;
        let lengths = saved.find("episode/length")?.integers(&[count])?;
        let whole = saved.find("episode/whole")?.integers(&[count])?;
        let mut first = 0;
        for block in &mut learner.blocks {
            let lanes = first..first + block.lanes;
            first = lanes.end;
            let snapshot = Snapshot {
                tick,
                states: states[lanes.start * W::STATE_LEN..lanes.end * W::STATE_LEN].to_vec(),
                ages: ages[lanes.clone()].to_vec(),
                next_episodes: next_episodes[lanes.clone()].to_vec(),
                pushes: pushes[lanes.clone()].to_vec(),
                ..block.env.snapshot()
            };
            block.env = VectorEnv::restore(&snapshot)?;
            block.running = Running {
                returns: returns[lanes.clone()].to_vec(),
                lengths: lengths[lanes.clone()].to_vec(),
                discounted: discounted[lanes.clone()].to_vec(),
                whole: whole[lanes].iter().map(|&whole| whole != 0).collect(),
            };
        }
        learner.begin_iteration()?;
        Ok(learner)
    }
}

fn moments(numbers: &[f64]) -> Vec<Moments> {
    numbers.chunks_exact(3).map(|m| Moments { count: m[0], mean: m[1], deviations: m[2] }).collect()
}

/// Tensors from outside.
struct Saved<'a>(&'a [Tensor]);

impl<'a> Saved<'a> {
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

    fn counters(&self, count: usize) -> Result<&'a [u64], PpoError> {
        let values: &[u64] = if let Values::U64(values) = &self.0.values { values } else { &[] };
        self.check("u64", &[count], || true)?;
        Ok(values)
    }
}
