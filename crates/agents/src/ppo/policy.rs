//! The network as everyone runs it who acts: observations in, policy and value out.

use super::config::PpoConfig;
use super::network::{LOG_STD, Network, SETTINGS, policy_width};
use super::normalize::Scaling;
use vivarium_envs::ActionSpace;
use vivarium_graph::{GraphError, Plan, Workspace};

/// Rows that one pass through the network takes at most.
pub(crate) const FORWARD_ROWS: usize = 256;

/// The network, and the scaling of the observations that it sees.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    pub actions: ActionSpace,
    /// Its only plan makes policy and value of an observation.
    pub network: vivarium_learn::Network,
    pub scaling: Scaling,
}

impl Policy {
    /// Freshly initialized.
    pub fn new(
        network: &Network,
        observation_len: usize,
        actions: ActionSpace,
        seed: u64,
    ) -> Result<Self, GraphError> {
        let Network { graph, policy, value, .. } = network;
        let plan = Plan::compile(graph, &[*policy, *value], FORWARD_ROWS)?;
        Ok(Self {
            actions,
            network: vivarium_learn::Network::new(graph, vec![plan], seed)?,
            scaling: Scaling::identity(observation_len),
        })
    }

    /// The same with other weights.
    pub fn with_weights(&self, weights: &[f32]) -> Self {
        let mut policy = self.clone();
        policy.network.write(weights);
        policy
    }

    /// Numbers that the policy gives per row.
    pub fn width(&self) -> usize {
        policy_width(self.actions)
    }

    /// Logarithm of a continuous policy's standard deviation; 0 for a discrete one.
    pub fn log_std(&self) -> f32 {
        self.network.parameters().get(LOG_STD).map_or(0.0, |log_std| log_std[0])
    }

    /// From normalized observations `[rows, observation]` to the policy `[rows, width]` and values `[rows]`.
    pub fn forward(
        &self,
        workspace: &mut Workspace,
        observations: &[f32],
        policy: &mut [f32],
        values: &mut [f32],
    ) {
        let outputs = &mut [policy, values];
        self.network.evaluate_here(
            self.network.plan(0),
            workspace,
            outputs[1].len(),
            &[observations],
            outputs,
        );
    }
}

/// What a gradient step goes by: the config after so many environment steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scheduled {
    /// Adam's step size.
    pub learning_rate: f32,
    /// The settings of the loss, in the order of the network's inputs.
    pub loss: [f32; SETTINGS],
}

impl Scheduled {
    /// What the schedules of a config have come to after so many environment steps.
    pub fn at(config: &PpoConfig, steps: u64) -> Self {
        // Without a limit, one that no value reaches.
        let value_clip_range = if config.value_clip_range > 0.0 { config.value_clip_range } else { 1e30 };
        let coefficients = [config.value_coefficient, config.entropy_coefficient_at(steps)];
        Self {
            learning_rate: config.learning_rate_at(steps),
            loss: [config.clip_range, value_clip_range, coefficients[0], coefficients[1]],
        }
    }
}
