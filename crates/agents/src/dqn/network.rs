//! The network and its losses, as one graph.

use super::config::DqnConfig;
use super::problem::Inputs;
use vivarium_graph::{Graph, GraphError, Initializer, Plan, Value};

/// What can be computed, as values of one graph. Its inputs come in the order of the fields.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The graph, with the inputs `state` \[inputs\], `action` \[1\], `target` \[1\], `weight` \[1\] and `best` \[actions\].
    pub graph: Graph,
    /// The value of each action \[actions\].
    pub values: Value,
    /// The value of the action that was taken \[1\].
    pub value: Value,
    /// Target less value \[1\].
    pub error: Value,
    /// The Huber loss of the error, weighed \[1\].
    pub loss: Value,
    /// −ln of the probability that a softmax over the values, at the demonstration's temperature, gives to the best actions
    /// together, and the Huber loss of how far these are from the target on average \[1\].
    pub demonstration_loss: Value,
}

impl Definition {
    /// The network of a config for a problem with such inputs and so many actions. Of features each has a row in the first
    /// layer's weights, and those of a state are added up.
    pub fn new(config: &DqnConfig, inputs: Inputs, actions: usize) -> Self {
        let mut graph = Graph::new();
        let g = &mut graph;
        let state = g.input("state", &[inputs.count]);
        let action = g.input("action", &[1]);
        let target = g.input("target", &[1]);
        let weight = g.input("weight", &[1]);
        let best = g.input("best", &[actions]);

        let mut h = state;
        for (index, &units) in config.hidden.iter().enumerate() {
            let name = format!("hidden.{index}");
            h = match inputs.features {
                Some(features) if index == 0 => {
                    // As many of them are added up as there are numbers.
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
        let values = if config.dueling { dueling(g, h, actions) } else { head(g, "values", h, actions) };

        let value = g.gather(values, action);
        let error = g.sub(target, value);
        let loss = huber(g, error, config.huber);
        let loss = g.mul(weight, loss);
        let demonstration_loss =
            demonstration_loss(g, values, best, target, config.demonstration_temperature);
        Self { graph, values, value, error, loss, demonstration_loss }
    }

    /// The plans of a network that acts: the values of all actions \[actions\], from states alone.
    ///
    /// # Errors
    /// [`GraphError`] for a size of nothing.
    pub fn plans(&self) -> Result<Vec<Plan>, GraphError> {
        Ok(vec![Plan::for_cache(&self.graph, &[self.values])?])
    }
}

/// A head that knows nothing yet finds all actions alike, and worth nothing.
fn head(g: &mut Graph, name: &str, h: Value, width: usize) -> Value {
    g.linear_with(name, h, width, Initializer::Orthogonal { gain: 0.01 })
}

/// V + A − mean A (Wang and others, "Dueling network architectures for deep reinforcement learning", 2016, equation 9).
fn dueling(g: &mut Graph, h: Value, actions: usize) -> Value {
    let value = head(g, "value", h, 1);
    let advantages = head(g, "advantages", h, actions);
    let mean = g.mean(advantages);
    let base = g.sub(value, mean);
    g.add(advantages, base)
}

/// ½·x² up to |x| = δ and δ·(|x| − ½δ) from there (Huber 1964), as m·(|x| − ½m) with m = min(|x|, δ); ½·x² throughout for a
/// δ of 0.
fn huber(g: &mut Graph, x: Value, delta: f32) -> Value {
    if delta == 0.0 {
        let square = g.square(x);
        return g.scale(square, 0.5);
    }
    let size = g.abs(x);
    let small = g.clamp(size, 0.0, delta);
    let half = g.scale(small, 0.5);
    let rest = g.sub(size, half);
    g.mul(small, rest)
}

fn demonstration_loss(g: &mut Graph, values: Value, best: Value, target: Value, temperature: f32) -> Value {
    // Keeps the logarithm finite where no probability is left.
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
    let off = huber(g, error, 1.0);
    g.sub(off, log)
}
