//! Q-networks for export.

use super::config::DqnConfig;
use super::control::ControlProblem;
use super::learner::Dqn;
use super::network::{DqnGraph, q_values};
use super::problem::{DqnProblem, ProblemSpec};
use crate::error::LearnerError;
use crate::observation_input::{SCALE, SHIFT, normalized_observation};
use vivarium_graph::Graph;
use vivarium_learn::{InferenceNetwork, Network};

/// Name of the output with the value of each action.
const Q_VALUES: &str = "q_values";

/// Returns a Q-network for export. The input is the encoded `state` \[inputs\]: for the cube, the indices of the active
/// features ([`DqnProblem::encode`]). The output is `q_values` \[actions\].
///
/// # Errors
/// [`LearnerError::Network`] if the graph cannot be built, which never occurs for a valid config.
///
/// # Panics
/// If `network` has other parameters than a network of this config.
pub fn inference_network<P: DqnProblem>(
    config: &DqnConfig,
    params: &P::Params,
    network: &Network,
) -> Result<InferenceNetwork, LearnerError> {
    let ProblemSpec { inputs, actions, .. } = P::spec(params);
    let DqnGraph { graph, values, .. } = DqnGraph::new(config, inputs, actions);
    Ok(InferenceNetwork::new(graph, &[(Q_VALUES, values)], network.parameters(), &[])?)
}

impl Dqn<ControlProblem> {
    /// Returns the online network with the scaling of its inputs, for export. The input is the unscaled `observation`
    /// \[width\]; the output is `q_values` \[actions\].
    ///
    /// # Errors
    /// [`LearnerError::Network`] if the graph cannot be built, which never occurs for a valid learner.
    pub fn inference_network(&self) -> Result<InferenceNetwork, LearnerError> {
        let ProblemSpec { inputs, actions, .. } = self.spec;
        // `ControlProblem::encode` maps the usual range of a dimension to −1 to 1.
        let ranges = self.params.spec().observation;
        let shift: Vec<f32> = ranges.iter().map(|range| 0.5 * (range.high + range.low)).collect();
        let scale: Vec<f32> = ranges.iter().map(|range| 2.0 / (range.high - range.low)).collect();
        let mut graph = Graph::new();
        let observation = normalized_observation(&mut graph, inputs.count);
        let values = q_values(&mut graph, &self.config, inputs, actions, observation);
        let constants = [(SHIFT, &*shift), (SCALE, &*scale)];
        Ok(InferenceNetwork::new(graph, &[(Q_VALUES, values)], self.network().parameters(), &constants)?)
    }
}
