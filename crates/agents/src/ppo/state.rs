//! State of a PPO learner at the start of an iteration, the same for training on CPU and GPU.

use super::normalize::Moments;
use super::report::PpoCounters;
use super::running::RunningEpisodes;
use crate::env_batch::EnvBatch;

/// Complete state of a PPO learner at the start of an iteration, the same for training on CPU and GPU. The rollout is
/// not included: a restored learner repeats the iteration with the same random numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PpoState {
    /// Parameters of actor and critic, in the layout of [`vivarium_graph::Parameters`].
    pub weights: Vec<f32>,
    /// First moments of AdamW, one for each element of `weights`.
    pub first_moment: Vec<f32>,
    /// Second moments of AdamW, one for each element of `weights`.
    pub second_moment: Vec<f32>,
    /// Running count, mean and variance of each observation dimension, for observation normalization.
    pub observation_moments: Vec<Moments>,
    /// Running count, mean and variance of the discounted returns, for reward normalization.
    pub return_moments: Moments,
    /// Counters of the run at the start of the iteration.
    pub counters: PpoCounters,
    /// States of all environments.
    pub envs: EnvBatch,
    /// Statistics of the current episode of every environment.
    pub running: RunningEpisodes,
}
