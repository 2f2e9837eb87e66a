//! Checkpoints of a PPO learner as named tensors.

use super::config::PpoConfig;
use super::learner::Ppo;
use super::normalize::Moments;
use super::report::PpoCounters;
use super::running::RunningEpisodes;
use super::state::PpoState;
use crate::env_batch::EnvBatch;
use crate::error::LearnerError;
use vivarium_envs::Environment;
use vivarium_graph::{ParameterSpec, SavedTensors, TensorError, tensors_of};
pub use vivarium_graph::{Tensor, TensorData};
use vivarium_learn::{FIRST_MOMENT, Network, SECOND_MOMENT};

/// Name prefix of the tensors that hold the parameters of actor and critic.
const WEIGHTS: &str = "weights";
/// Name of the checkpoint tensor that holds count, mean and sum of squared deviations of each observation dimension,
/// `[observation, 3]`. The constants after `OBSERVATION_MOMENTS` are the names of the other tensors.
const OBSERVATION_MOMENTS: &str = "normaliser/observations";
const RETURN_MOMENTS: &str = "normaliser/returns";
const COUNTERS: &str = "counters";
const RETURNS: &str = "episode/return";
const DISCOUNTED: &str = "episode/discounted_return";
const LENGTHS: &str = "episode/length";
const WHOLE: &str = "episode/whole";

impl Ppo {
    /// Returns the trained part of the state at the start of the current iteration as named tensors: weights, optimizer
    /// moments, and running moments of observations and returns.
    #[must_use]
    pub fn learned(&self) -> Vec<Tensor> {
        learned_tensors(self.state(), self.policy.network.specs())
    }

    /// Returns the complete state of the learner at the start of the current iteration as named tensors.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        all_tensors(self.state(), self.policy.network.specs(), self.environment.spec().state_len)
    }

    /// Restores a learner from the tensors of [`save`](Self::save). Config and seed must equal the config and
    /// seed of the saved learner, except for live config fields, which may change during a run.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or has the wrong shape, or the invalid config field.
    pub fn restore(
        config: PpoConfig,
        environment: Environment,
        seed: u64,
        tensors: &[Tensor],
    ) -> Result<Self, LearnerError> {
        let spec = environment.spec();
        let mut learner = Self::new(config, environment, seed)?;
        let state = state(
            &SavedTensors(tensors),
            &learner.policy.network,
            learner.config.num_envs as usize,
            [spec.observation_len, spec.state_len],
        )?;
        learner.adopt(&state)?;
        Ok(learner)
    }
}

/// Returns the tensors of [`Ppo::learned`] for `state`. `specs` holds the names and shapes of the network's
/// parameters.
fn learned_tensors(state: &PpoState, specs: &[ParameterSpec]) -> Vec<Tensor> {
    let mut tensors = Vec::new();
    for (group, flat) in [
        (WEIGHTS, &state.weights),
        (FIRST_MOMENT, &state.first_moment),
        (SECOND_MOMENT, &state.second_moment),
    ] {
        tensors.extend(tensors_of(group, specs, flat));
    }
    let flat = |moments: &[Moments]| {
        TensorData::F64(moments.iter().flat_map(|m| [m.count, m.mean, m.deviations]).collect())
    };
    let observations = &state.observation_moments;
    tensors.push(Tensor::new(OBSERVATION_MOMENTS, &[observations.len(), 3], flat(observations)));
    tensors.push(Tensor::new(RETURN_MOMENTS, &[1, 3], flat(&[state.return_moments])));
    tensors
}

/// Returns the tensors of [`Ppo::save`] for `state`. `specs` holds the names and shapes of the network's parameters,
/// `state_len` the number of values in the state of an environment.
fn all_tensors(state: &PpoState, specs: &[ParameterSpec], state_len: usize) -> Vec<Tensor> {
    let PpoState { envs, running, counters, .. } = state;
    let RunningEpisodes { returns, lengths, discounted, whole } = running;
    let mut tensors = learned_tensors(state, specs);
    tensors.push(Tensor::flat(COUNTERS, TensorData::U64(counters.numbers().to_vec())));
    tensors.extend(envs.tensors(state_len));
    tensors.extend([
        Tensor::flat(RETURNS, TensorData::F32(returns.clone())),
        Tensor::flat(DISCOUNTED, TensorData::F32(discounted.clone())),
        Tensor::flat(LENGTHS, TensorData::U32(lengths.clone())),
        Tensor::flat(WHOLE, TensorData::U32(whole.iter().map(|&whole| u32::from(whole)).collect())),
    ]);
    tensors
}

/// Reads the state of a learner from untrusted tensors. The shapes of the tensors must fit the network, the number of
/// environments, and the lengths of an observation and of an environment state.
fn state(
    saved: &SavedTensors<'_>,
    network: &Network,
    num_envs: usize,
    [observation_len, state_len]: [usize; 2],
) -> Result<PpoState, TensorError> {
    let flat = |group| saved.flat(group, network.specs(), network.weights().len());
    let shape = [num_envs];
    Ok(PpoState {
        weights: flat(WEIGHTS)?,
        first_moment: flat(FIRST_MOMENT)?,
        second_moment: flat(SECOND_MOMENT)?,
        observation_moments: moments(saved, OBSERVATION_MOMENTS, observation_len)?,
        return_moments: moments(saved, RETURN_MOMENTS, 1)?[0],
        counters: PpoCounters::of(*saved.find(COUNTERS)?.counters()?),
        envs: EnvBatch::read(saved, num_envs, state_len)?,
        running: RunningEpisodes {
            returns: saved.find(RETURNS)?.floats(&shape)?.to_vec(),
            lengths: saved.find(LENGTHS)?.integers(&shape)?.to_vec(),
            discounted: saved.find(DISCOUNTED)?.floats(&shape)?.to_vec(),
            whole: saved.find(WHOLE)?.integers(&shape)?.iter().map(|&whole| whole != 0).collect(),
        },
    })
}

fn moments(saved: &SavedTensors<'_>, name: &str, count: usize) -> Result<Vec<Moments>, TensorError> {
    let moments = saved.find(name)?.doubles(&[count, 3])?.chunks_exact(3);
    Ok(moments.map(|m| Moments { count: m[0], mean: m[1], deviations: m[2] }).collect())
}
