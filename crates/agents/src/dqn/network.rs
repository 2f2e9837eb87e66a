//! Q-network of DQN and its losses, as one graph.

use super::config::DqnConfig;
use super::problem::NetworkInputs;
use vivarium_graph::{Graph, GraphError, Initializer, Plan, Value};

/// Graph of the Q-network and its losses. Shapes are per minibatch row (sample).
#[derive(Clone, Debug)]
pub struct DqnGraph {
    /// Graph with five inputs: `state` \[inputs\], the encoded state; `action` \[1\], the index of the action; `target`
    /// \[1\], the target of the action's value; `weight` \[1\], the importance-sampling weight; and `best` \[actions\],
    /// 1 for each optimal action of a demonstration.
    pub graph: Graph,
    /// Value of each action in the state, Q(s, ·) \[actions\].
    pub values: Value,
    /// Value of the action that was taken, Q(s, a) \[1\].
    pub value: Value,
    /// Temporal-difference error: `target` − Q(s, a) \[1\].
    pub error: Value,
    /// Huber loss of the temporal-difference error, multiplied by the importance-sampling weight \[1\].
    pub loss: Value,
    /// Demonstration loss \[1\]: cross-entropy plus value loss. The cross-entropy is −ln of the total probability of
    /// the best actions under a softmax of the action values at the demonstration temperature. The value loss is the
    /// Huber loss of `target` minus the mean value of the best actions.
    pub demonstration_loss: Value,
}

impl DqnGraph {
    /// Builds the Q-network and its losses for a config. If the inputs are indices of active features, the first
    /// layer is an embedding: it sums one row of its weight matrix per active feature.
    pub fn new(config: &DqnConfig, inputs: NetworkInputs, actions: usize) -> Self {
        let mut graph = Graph::new();
        let g = &mut graph;
        let state = g.input("state", &[inputs.count]);
        let action = g.input("action", &[1]);
        let target = g.input("target", &[1]);
        let weight = g.input("weight", &[1]);
        let best = g.input("best", &[actions]);

        let values = q_values(g, config, inputs, actions, state);

        let value = g.gather(values, action);
        let error = g.sub(target, value);
        let loss = g.huber(error, config.huber);
        let loss = g.mul(weight, loss);
        let demonstration_loss =
            demonstration_loss(g, values, best, target, config.demonstration_temperature);
        Self { graph, values, value, error, loss, demonstration_loss }
    }

    /// Compiles the inference plan, which computes the action values \[actions\] of a state. The list has one
    /// element.
    ///
    /// # Errors
    /// [`GraphError`] if a size is 0.
    pub fn plans(&self) -> Result<Vec<Plan>, GraphError> {
        Ok(vec![Plan::for_cache(&self.graph, &[self.values])?])
    }
}

/// Builds the Q-network on the encoded state \[inputs\]. Returns the value of each action \[actions\].
pub(super) fn q_values(
    g: &mut Graph,
    config: &DqnConfig,
    inputs: NetworkInputs,
    actions: usize,
    state: Value,
) -> Value {
    let mut h = state;
    for (index, &units) in config.hidden.iter().enumerate() {
        let name = format!("hidden.{index}");
        h = match inputs.features {
            Some(features) if index == 0 => {
                // He initialization for a sum of `count` embeddings.
                let deviation = (2.0 / inputs.count as f32).sqrt();
                g.embedding(&name, h, features, units as usize, Initializer::Normal(deviation))
            }
            _ => g.linear(&name, h, units as usize),
        };
        if config.layer_norm {
            h = g.layer_norm(&format!("{name}.norm"), h);
        }
        h = g.relu(h);
    }
    if config.dueling { dueling(g, h, actions) } else { head(g, "values", h, actions) }
}

/// Builds a linear output layer whose initial weights are small, so that all initial outputs are near 0.
fn head(g: &mut Graph, name: &str, h: Value, width: usize) -> Value {
    g.linear_with(name, h, width, Initializer::Orthogonal { gain: 0.01 })
}

/// Builds dueling heads: a state value V and advantages A, combined to action values V + A − mean A (Wang et al. 2016,
/// equation 9).
fn dueling(g: &mut Graph, h: Value, actions: usize) -> Value {
    let value = head(g, "value", h, 1);
    let advantages = head(g, "advantages", h, actions);
    let mean = g.mean(advantages);
    let base = g.sub(value, mean);
    g.add(advantages, base)
}

fn demonstration_loss(g: &mut Graph, values: Value, best: Value, target: Value, temperature: f32) -> Value {
    // Lower bound of the probability, which keeps the logarithm finite.
    const LEAST: f32 = 1e-20;
    let logits = g.scale(values, 1.0 / temperature);
    let probabilities = g.softmax(logits);
    let right = g.mul(probabilities, best);
    let right = g.sum(right);
    let right = g.offset(right, LEAST);
    let log = g.ln(right);
    let of_best = g.mul(values, best);
    let (of_best, count) = (g.sum(of_best), g.sum(best));
    let mean = g.div(of_best, count);
    let error = g.sub(target, mean);
    let off = g.huber(error, 1.0);
    g.sub(off, log)
}
