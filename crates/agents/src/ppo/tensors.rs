//! A learner's state as named tensors, to save and to restore.

use super::config::PpoConfig;
use super::learner::Ppo;
use super::normalize::Moments;
use super::report::Counters;
use super::running::Running;
use super::state::State;
use crate::error::LearnerError;
use crate::lanes::Lanes;
use vivarium_envs::World;
use vivarium_graph::{Saved, TensorError, tensors_of};
pub use vivarium_graph::{Tensor, Values};
use vivarium_learn::{FIRST_MOMENT, SECOND_MOMENT};

/// Name of the group of tensors with one for every parameter of the network.
const WEIGHTS: &str = "weights";
/// Names of the tensors beside the weights and the optimizer's moments.
const OBSERVATION_MOMENTS: &str = "normaliser/observations";
const RETURN_MOMENTS: &str = "normaliser/returns";
const COUNTERS: &str = "counters";
const RETURNS: &str = "episode/return";
const DISCOUNTED: &str = "episode/discounted_return";
const LENGTHS: &str = "episode/length";
const WHOLE: &str = "episode/whole";

impl<W: World> Ppo<W> {
    /// What it has learned by the start of the present iteration: the state without counters and worlds.
    #[must_use]
    pub fn learned(&self) -> Vec<Tensor> {
        let state = self.state();
        let specs = self.policy.network.specs();
        let mut tensors = Vec::new();
        for (group, flat) in [
            (WEIGHTS, &state.weights),
            (FIRST_MOMENT, &state.first_moment),
            (SECOND_MOMENT, &state.second_moment),
        ] {
            tensors.extend(tensors_of(group, specs, flat));
        }
        let flat = |moments: &[Moments]| {
            Values::F64(moments.iter().flat_map(|m| [m.count, m.mean, m.deviations]).collect())
        };
        let observations = &state.observation_moments;
        tensors.push(Tensor::new(OBSERVATION_MOMENTS, &[observations.len(), 3], flat(observations)));
        tensors.push(Tensor::new(RETURN_MOMENTS, &[1, 3], flat(&[state.return_moments])));
        tensors
    }

    /// The state at the start of the present iteration.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let State { lanes, running, counters, .. } = self.state();
        let Running { returns, lengths, discounted, whole } = running;
        let mut tensors = self.learned();
        tensors.push(Tensor::flat(COUNTERS, Values::U64(counters.numbers().to_vec())));
        tensors.extend(lanes.tensors::<W>());
        tensors.extend([
            Tensor::flat(RETURNS, Values::F32(returns.clone())),
            Tensor::flat(DISCOUNTED, Values::F32(discounted.clone())),
            Tensor::flat(LENGTHS, Values::U32(lengths.clone())),
            Tensor::flat(WHOLE, Values::U32(whole.iter().map(|&whole| u32::from(whole)).collect())),
        ]);
        tensors
    }

    /// A learner in a saved state. Config and seed must be those that it was saved under (live fields may differ).
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(
        config: PpoConfig,
        world: W::Params,
        seed: u64,
        tensors: &[Tensor],
    ) -> Result<Self, LearnerError> {
        let mut learner = Self::new(config, world, seed)?;
        let state = state::<W>(&Saved(tensors), &learner)?;
        learner.adopt(&state)?;
        Ok(learner)
    }
}

/// The state that tensors from outside make for this learner.
fn state<W: World>(saved: &Saved<'_>, learner: &Ppo<W>) -> Result<State, TensorError> {
    let network = &learner.policy.network;
    let flat = |group| saved.flat(group, network.specs(), network.weights().len());
    let lanes = [learner.config.num_envs as usize];
    Ok(State {
        weights: flat(WEIGHTS)?,
        first_moment: flat(FIRST_MOMENT)?,
        second_moment: flat(SECOND_MOMENT)?,
        observation_moments: moments(saved, OBSERVATION_MOMENTS, W::OBSERVATION_LEN)?,
        return_moments: moments(saved, RETURN_MOMENTS, 1)?[0],
        counters: Counters::of(*saved.find(COUNTERS)?.counters()?),
        lanes: Lanes::read::<W>(saved, lanes[0])?,
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
