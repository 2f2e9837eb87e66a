//! Policy inference: computes policy and values from observations.

use super::config::PpoConfig;
use super::network::{LOG_STD, PpoGraph, SETTINGS, policy_width};
use super::normalize::ObservationNormalizer;
use vivarium_envs::ActionSpace;
use vivarium_graph::{GraphError, Plan, Workspace};

/// Maximum number of rows per forward pass.
pub(crate) const FORWARD_ROWS: usize = 256;

/// Actor-critic network with its observation normalizer.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    pub actions: ActionSpace,
    /// Network with a single plan, which computes policy and value from normalized observations.
    pub network: vivarium_learn::Network,
    pub scaling: ObservationNormalizer,
}

impl Policy {
    /// Creates a policy with initial weights.
    pub fn new(
        network: &PpoGraph,
        observation_len: usize,
        actions: ActionSpace,
        seed: u64,
    ) -> Result<Self, GraphError> {
        let PpoGraph { graph, policy, value, .. } = network;
        let plan = Plan::compile(graph, &[*policy, *value], FORWARD_ROWS)?;
        Ok(Self {
            actions,
            network: vivarium_learn::Network::new(graph, vec![plan], seed)?,
            scaling: ObservationNormalizer::identity(observation_len),
        })
    }

    /// Returns a copy of the policy with the given weights.
    pub fn with_weights(&self, weights: &[f32]) -> Self {
        let mut policy = self.clone();
        policy.network.write(weights);
        policy
    }

    /// Returns the number of policy outputs per row.
    pub fn width(&self) -> usize {
        policy_width(self.actions)
    }

    /// Returns the log standard deviation of a Gaussian policy; 0 for a categorical policy, which has none.
    pub fn log_std(&self) -> f32 {
        self.network.parameters().get(LOG_STD).map_or(0.0, |log_std| log_std[0])
    }

    /// Computes the policy `[rows, width]` and the values `[rows]` of normalized observations `[rows, observation]`.
    pub fn forward(
        &self,
        workspace: &mut Workspace,
        observations: &[f32],
        policy: &mut [f32],
        values: &mut [f32],
    ) {
        let outputs = &mut [policy, values];
        self.network.evaluate_single_threaded(
            self.network.plan(0),
            workspace,
            outputs[1].len(),
            &[observations],
            outputs,
        );
    }
}

/// Hyperparameter values that schedules yield after a number of environment steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scheduled {
    /// Learning rate of AdamW.
    pub learning_rate: f32,
    /// Scalar settings of the loss, in the order of the graph's inputs: clip range, value clip range, value
    /// coefficient, entropy coefficient.
    pub loss: [f32; SETTINGS],
}

impl Scheduled {
    /// Evaluates the schedules of a config after `steps` environment steps.
    pub fn at(config: &PpoConfig, steps: u64) -> Self {
        // A bound that no value reaches disables clipping.
        let value_clip_range = if config.value_clip_range > 0.0 { config.value_clip_range } else { 1e30 };
        let coefficients = [config.value_coefficient, config.entropy_coefficient_at(steps)];
        Self {
            learning_rate: config.learning_rate_at(steps),
            loss: [config.clip_range, value_clip_range, coefficients[0], coefficients[1]],
        }
    }
}
