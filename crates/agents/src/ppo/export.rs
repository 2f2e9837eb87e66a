//! Actor and critic as a network for export.

use super::learner::Ppo;
use super::network::heads;
use super::normalize::{OBSERVATION_LIMIT, reward_scale};
use crate::error::LearnerError;
use crate::observation_input::{SCALE, SHIFT, normalized_observation};
use vivarium_envs::ActionSpace;
use vivarium_graph::Graph;
use vivarium_learn::InferenceNetwork;

impl Ppo {
    /// Returns actor and critic with the normalization of their inputs and outputs, for export. The input is the
    /// unnormalized `observation` \[width\]. The outputs are `log_probabilities` \[n\] of discrete actions, or the
    /// `action_mean` \[1\] of a continuous action in the environment's unit; and `value` \[1\], the expected discounted
    /// return in units of the unnormalized reward. [`policy_and_value`](Ppo::policy_and_value) computes the same.
    ///
    /// # Errors
    /// [`LearnerError::Network`] if the graph cannot be built, which never occurs for a valid learner.
    pub fn inference_network(&self) -> Result<InferenceNetwork, LearnerError> {
        let spec = self.environment.spec();
        let (mut graph, scaling) = (Graph::new(), &self.policy.scaling);
        let g = &mut graph;
        let observation = if scaling.is_active() {
            let normalized = normalized_observation(g, spec.observation_len);
            g.clamp(normalized, -OBSERVATION_LIMIT, OBSERVATION_LIMIT)
        } else {
            g.input("observation", &[spec.observation_len])
        };
        let (policy, mut value) = heads(g, &self.config, spec.actions, observation);
        let policy = match spec.actions {
            ActionSpace::Discrete(_) => ("log_probabilities", policy),
            ActionSpace::Box { low, high } => {
                let mean = g.scale(policy, high);
                ("action_mean", g.clamp(mean, low, high))
            }
        };
        if self.config.normalize_rewards {
            value = g.scale(value, 1.0 / reward_scale(&self.return_moments));
        }
        let constants = [(SHIFT, scaling.shift()), (SCALE, scaling.scale())];
        Ok(InferenceNetwork::new(
            graph,
            &[policy, ("value", value)],
            self.policy.network.parameters(),
            &constants,
        )?)
    }
}
