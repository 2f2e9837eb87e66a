//! The network as everyone runs it who acts: observations in, policy and value out.

use super::config::PpoConfig;
use super::network::{INPUTS, LOG_STD, Network, SETTINGS, policy_width};
use super::normalise::Scaling;
use vivarium_envs::ActionSpace;
use vivarium_graph::{GraphError, PackedParameters, Parameters, Plan, Workspace};
use vivarium_kernels::Level;

/// Rows that one pass through the network takes at most.
pub(crate) const FORWARD_ROWS: usize = 256;

/// Weights, the scaling of observations, and the plan that makes actions and values of them.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    pub level: Level,
    pub actions: ActionSpace,
    pub plan: Plan,
    pub parameters: Parameters,
    pub packed: PackedParameters,
    pub scaling: Scaling,
}

impl Policy {
    /// Freshly initialised.
    pub fn new(
        level: Level,
        network: &Network,
        observation_len: usize,
        actions: ActionSpace,
        seed: u64,
    ) -> Result<Self, GraphError> {
        let parameters = Parameters::new(&network.graph, seed)?;
        Ok(Self {
            level,
            actions,
            plan: Plan::compile(&network.graph, &[network.policy, network.value], FORWARD_ROWS)?,
            packed: PackedParameters::new(level, &parameters),
            parameters,
            scaling: Scaling::identity(observation_len),
        })
    }

    /// Packs the weights anew where they were packed for another SIMD level.
    pub fn set_level(&mut self, level: Level) {
        if std::mem::discriminant(&self.level) != std::mem::discriminant(&level) {
            self.level = level;
            self.packed = PackedParameters::new(level, &self.parameters);
        }
    }

    /// The same with other weights, packed for this level.
    pub fn with_weights(&self, weights: &[f32], level: Level) -> Self {
        let mut parameters = self.parameters.clone();
        parameters.flat_mut().copy_from_slice(weights);
        Self { level, packed: PackedParameters::new(level, &parameters), parameters, ..self.clone() }
    }

    /// Numbers that the policy gives per row.
    pub fn width(&self) -> usize {
        policy_width(self.actions)
    }

    /// Logarithm of a continuous policy's standard deviation; 0 for a discrete one.
    pub fn log_std(&self) -> f32 {
        self.parameters.get(LOG_STD).map_or(0.0, |log_std| log_std[0])
    }

    /// From normalised observations `[rows, observation]` to the policy `[rows, width]` and values `[rows]`.
    pub fn forward(
        &self,
        workspace: &mut Workspace,
        observations: &[f32],
        policy: &mut [f32],
        values: &mut [f32],
    ) {
        let rows = values.len();
        let mut inputs: [&[f32]; INPUTS + SETTINGS] = [&[]; INPUTS + SETTINGS];
        inputs[0] = observations;
        let outputs = &mut [policy, values];
        self.plan.run(self.level, &self.parameters, &self.packed, workspace, rows, &inputs, outputs);
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
