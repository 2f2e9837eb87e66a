//! Learner state at the start of an iteration, independent of the engine (CPU or GPU).

use super::normalize::Moments;
use super::report::PpoCounters;
use super::running::RunningEpisodes;
use crate::env_batch::EnvBatch;

/// Complete state of a PPO learner at the start of an iteration, independent of the engine. The rollout is not
/// included: a restored learner repeats the iteration with the same random numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PpoState {
    /// Network parameters, in the layout of [`vivarium_graph::Parameters`].
    pub weights: Vec<f32>,
    /// First moments of AdamW, in the layout of `weights`.
    pub first_moment: Vec<f32>,
    /// Second moments of AdamW, in the layout of `weights`.
    pub second_moment: Vec<f32>,
    /// Running mean and variance of each observation dimension.
    pub observation_moments: Vec<Moments>,
    /// Running mean and variance of the discounted returns.
    pub return_moments: Moments,
    /// Counters of the run at the start of the iteration.
    pub counters: PpoCounters,
    /// State of every environment.
    pub envs: EnvBatch,
    /// Statistics of every environment's present episode.
    pub running: RunningEpisodes,
}
