//! The actor, the critic and PPO's loss, as graphs.

use super::config::{Activation, PpoConfig};
use vivarium_envs::ActionSpace;
use vivarium_graph::{Graph, Initializer, Value};

/// Everything that a learner computes, as one graph. Plans take the part that they need.
pub(crate) struct Network {
    /// Its inputs, in order: [`INPUTS`] arrays of rows, the first of them the normalised observation, then
    /// [`SETTINGS`] settings.
    pub graph: Graph,
    /// Discrete actions: the logarithms of their probabilities \[n\]. A number as action: the mean, in multiples of
    /// the strongest action \[1\].
    pub policy: Value,
    /// \[1\].
    pub value: Value,
    /// The loss of a row, \[1\].
    pub loss: Value,
    /// Measurements of a row, each \[1\], in the order of the constants [`POLICY_LOSS`] and so on.
    pub measurements: [Value; MEASUREMENTS],
}

/// Observation, action, old log probability, advantage, return, old value.
pub(crate) const INPUTS: usize = 6;
/// Clip range, value clip range, value coefficient, entropy coefficient.
pub(crate) const SETTINGS: usize = 4;
/// How many measurements there are: one number each of what follows.
pub(crate) const MEASUREMENTS: usize = 5;
/// The negative clipped surrogate.
pub(crate) const POLICY_LOSS: usize = 0;
/// Half the squared error of the value.
pub(crate) const VALUE_LOSS: usize = 1;
/// Entropy of the policy.
pub(crate) const ENTROPY: usize = 2;
/// Estimate of KL(old‖new).
pub(crate) const KL: usize = 3;
/// 1 where the probability ratio left the clip range.
pub(crate) const CLIPPED: usize = 4;

/// ½·ln(2π), in a normal distribution's log density.
const HALF_LN_TAU: f32 = 0.918_938_5;
/// ½·ln(2πe), in its entropy.
const HALF_LN_TAU_E: f32 = 1.418_938_5;

/// Name of the parameter that holds the logarithm of a continuous policy's standard deviation; no state changes it.
pub(crate) const LOG_STD: &str = "policy.log_std";

/// How many numbers the policy gives per row.
pub(crate) fn policy_width(actions: ActionSpace) -> usize {
    match actions {
        ActionSpace::Discrete(n) => n,
        ActionSpace::Box { .. } => 1,
    }
}

/// The policy, the value, and PPO's loss: the clipped surrogate objective with a clipped value loss and an entropy
/// bonus.
pub(crate) fn network(config: &PpoConfig, observation_len: usize, actions: ActionSpace) -> Network {
    let mut graph = Graph::new();
    let g = &mut graph;
    let observation = g.input("observation", &[observation_len]);
    let action = g.input("action", &[1]);
    let old_log_probability = g.input("old_log_probability", &[1]);
    let advantage = g.input("advantage", &[1]);
    let target = g.input("return", &[1]);
    let old_value = g.input("old_value", &[1]);
    let clip_range = g.setting("clip_range");
    let value_clip_range = g.setting("value_clip_range");
    let value_coefficient = g.setting("value_coefficient");
    let entropy_coefficient = g.setting("entropy_coefficient");

    let (policy, value) = heads(g, config, actions, observation);
    let (log_probability, entropy) = match actions {
        ActionSpace::Discrete(_) => categorical(g, policy, action),
        ActionSpace::Box { .. } => {
            let log_std = g.parameter(LOG_STD, 1, Initializer::Constant(config.initial_log_std));
            gaussian(g, policy, log_std, action)
        }
    };

    // The surrogate: the smaller of ratio·A and clip(ratio, 1 − ε, 1 + ε)·A.
    let log_ratio = g.sub(log_probability, old_log_probability);
    let ratio = g.exp(log_ratio);
    let excess = g.offset(ratio, -1.0);
    let clipped = {
        let limited = limit(g, excess, clip_range);
        g.offset(limited, 1.0)
    };
    let surrogate = {
        let free = g.mul(ratio, advantage);
        let clipped = g.mul(clipped, advantage);
        g.min(free, clipped)
    };
    let policy_loss = g.neg(surrogate);

    // The larger error of the value and of the value held near the old one.
    let value_loss = {
        let free = g.sub(value, target);
        let moved = g.sub(value, old_value);
        let moved = limit(g, moved, value_clip_range);
        let held = g.add(old_value, moved);
        let held = g.sub(held, target);
        let (free, held) = (g.square(free), g.square(held));
        let larger = g.max(free, held);
        g.scale(larger, 0.5)
    };

    let loss = {
        let weighted_value = g.mul(value_loss, value_coefficient);
        let bonus = g.mul(entropy, entropy_coefficient);
        let loss = g.add(policy_loss, weighted_value);
        g.sub(loss, bonus)
    };

    // Schulman's estimate of KL(old‖new), (r − 1) − ln r, which is never negative.
    let divergence = g.sub(excess, log_ratio);
    let was_clipped = {
        let distance = g.abs(excess);
        g.less(clip_range, distance)
    };
    let measurements = [policy_loss, value_loss, entropy, divergence, was_clipped];
    Network { graph, policy, value, loss, measurements }
}

/// x held within ±bound.
fn limit(g: &mut Graph, x: Value, bound: Value) -> Value {
    let x = g.min(x, bound);
    let lower = g.neg(bound);
    g.max(x, lower)
}

/// Log probability of the action, and the entropy.
fn categorical(g: &mut Graph, log_probabilities: Value, action: Value) -> (Value, Value) {
    let chosen = g.gather(log_probabilities, action);
    let probabilities = g.exp(log_probabilities);
    let terms = g.mul(probabilities, log_probabilities);
    let sum = g.sum(terms);
    (chosen, g.neg(sum))
}

/// Log density of the action, and the entropy.
fn gaussian(g: &mut Graph, mean: Value, log_std: Value, action: Value) -> (Value, Value) {
    let precision = {
        let negative = g.neg(log_std);
        g.exp(negative)
    };
    let distance = g.sub(action, mean);
    let distance = g.mul(distance, precision);
    let squared = g.square(distance);
    let exponent = g.scale(squared, -0.5);
    let density = g.sub(exponent, log_std);
    (g.offset(density, -HALF_LN_TAU), g.offset(log_std, HALF_LN_TAU_E))
}

fn heads(g: &mut Graph, config: &PpoConfig, actions: ActionSpace, observation: Value) -> (Value, Value) {
    let (actor, critic) = if config.shared_torso {
        let torso = torso(g, config, "torso", observation);
        (torso, torso)
    } else {
        (torso(g, config, "actor", observation), torso(g, config, "critic", observation))
    };
    let output =
        g.linear_with("policy", actor, policy_width(actions), Initializer::Orthogonal { gain: 0.01 });
    let value = g.linear_with("value", critic, 1, Initializer::Orthogonal { gain: 1.0 });
    let policy = match actions {
        ActionSpace::Discrete(_) => g.log_softmax(output),
        ActionSpace::Box { .. } => output,
    };
    (policy, value)
}

fn torso(g: &mut Graph, config: &PpoConfig, name: &str, mut x: Value) -> Value {
    for (layer, &units) in config.hidden.iter().enumerate() {
        let gain = std::f32::consts::SQRT_2;
        x = g.linear_with(&format!("{name}.{layer}"), x, units as usize, Initializer::Orthogonal { gain });
        x = match config.activation {
            Activation::Tanh => g.tanh(x),
            Activation::Relu => g.relu(x),
        };
    }
    x
}
