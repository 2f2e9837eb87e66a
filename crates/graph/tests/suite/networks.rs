//! Tests of whole networks: gradients against central differences in f64.

use crate::common::check_gradient;
use crate::engine::test;
use vivarium_graph::testing::ppo_loss;
use vivarium_graph::{Graph, Initializer, Value};

fn tanh_torso(g: &mut Graph, name: &str, x: Value, widths: &[usize]) -> Value {
    widths.iter().enumerate().fold(x, |x, (layer, &width)| {
        let x = g.linear(&format!("{name}.{layer}"), x, width);
        g.tanh(x)
    })
}

/// Adds a residual MLP block to the graph: relu(norm(relu(norm(x·W₁))·W₂) + x).
fn residual_block(g: &mut Graph, name: &str, x: Value) -> Value {
    let width = g.shape(x).width();
    let mut h = x;
    for half in 0..2 {
        h = g.linear(&format!("{name}.linear.{half}"), h, width);
        h = g.layer_norm(&format!("{name}.norm.{half}"), h);
        if half == 0 {
            h = g.relu(h);
        }
    }
    h = g.add(h, x);
    g.relu(h)
}

fn squared_error(g: &mut Graph, x: Value, target: Value) -> Value {
    let error = g.sub(x, target);
    let square = g.square(error);
    g.mean(square)
}

/// Creates an actor-critic graph: discrete policy and value on a shared torso. Returns the graph and its PPO loss.
pub fn actor_critic(hidden: usize, actions: usize) -> (Graph, Value) {
    let mut g = Graph::new();
    let x = g.input("observation", &[4]);
    let torso = tanh_torso(&mut g, "torso", x, &[hidden, hidden]);
    let logits = g.linear_with("policy", torso, actions, Initializer::Orthogonal { gain: 0.01 });
    let value = g.linear_with("value", torso, 1, Initializer::Orthogonal { gain: 1.0 });
    let batch = ["index.action", "old_log_probability", "advantage", "old_value", "return"]
        .map(|name| g.input(name, &[1]));
    let entropy_coefficient = g.setting("entropy_coefficient");
    let log_probabilities = g.log_softmax(logits);
    let loss = ppo_loss(&mut g, log_probabilities, value, batch, |g, negative_entropy| {
        g.mul(negative_entropy, entropy_coefficient)
    });
    (g, loss)
}

#[test]
pub fn a_discrete_actor_critic_with_the_loss_of_ppo() {
    for (hidden, actions) in [(16, 3), (9, 3)] {
        let (g, loss) = actor_critic(hidden, actions);
        check_gradient("discrete PPO", &g, loss, 23, 11);
    }
}

#[test]
pub fn a_gaussian_actor_critic_with_separate_torsos() {
    let mut g = Graph::new();
    let x = g.input("observation", &[3]);
    let actor = tanh_torso(&mut g, "actor", x, &[12, 12]);
    let critic = tanh_torso(&mut g, "critic", x, &[12, 12]);
    let mean = g.linear("mean", actor, 2);
    let value = g.linear("value", critic, 1);
    let log_deviation = g.parameter("log_deviation", 2, Initializer::Constant(0.0));
    let [action, old_log_probability, advantage, target] =
        [("action", 2), ("old_log_probability", 1), ("advantage", 1), ("return", 1)]
            .map(|(name, width)| g.input(name, &[width]));
    // log N(a; mean, deviation), summed over the dimensions.
    let deviation = g.exp(log_deviation);
    let error = g.sub(action, mean);
    let z = g.div(error, deviation);
    let square = g.square(z);
    let half = g.scale(square, -0.5);
    let log_density = g.sub(half, log_deviation);
    let log_density = g.offset(log_density, -0.5 * (2.0 * std::f32::consts::PI).ln());
    let log_probability = g.sum(log_density);
    let log_ratio = g.sub(log_probability, old_log_probability);
    let log_ratio = g.clamp(log_ratio, -3.0, 3.0);
    let ratio = g.exp(log_ratio);
    let clipped = g.clamp(ratio, 0.8, 1.2);
    let [plain, clipped] = [ratio, clipped].map(|ratio| g.mul(ratio, advantage));
    let surrogate = g.min(plain, clipped);
    let value_loss = squared_error(&mut g, value, target);
    let entropy = g.sum(log_deviation);
    let bonus = g.scale(entropy, -0.01);
    let loss = g.sub(value_loss, surrogate);
    let loss = g.add(loss, bonus);
    check_gradient("Gaussian PPO", &g, loss, 19, 2);
}

#[test]
pub fn a_residual_network_with_layer_norm_and_several_heads() {
    let mut g = Graph::new();
    let x = g.sparse_input("board", &[20]);
    let x = g.linear("stem", x, 12);
    let x = g.layer_norm("stem.norm", x);
    let mut x = g.relu(x);
    for block in 0..3 {
        x = residual_block(&mut g, &format!("block.{block}"), x);
    }
    let policy = g.linear("policy", x, 5);
    let hidden = g.linear("value.hidden", x, 8);
    let hidden = g.gelu(hidden);
    let value = g.linear("value", hidden, 2);
    let index = g.input("index", &[1]);
    let target = g.input("target", &[2]);
    let log_probabilities = g.log_softmax(policy);
    let picked = g.gather(log_probabilities, index);
    let value = g.sigmoid(value);
    let value_loss = squared_error(&mut g, value, target);
    let loss = g.sub(value_loss, picked);
    check_gradient("residual network", &g, loss, 13, 5);
}

#[test]
pub fn dueling_heads_with_a_huber_loss() {
    let mut g = Graph::new();
    let x = g.input("stickers", &[6]);
    let x = g.linear("torso", x, 16);
    let x = g.layer_norm("norm", x);
    let x = g.relu(x);
    let value = g.linear("value", x, 1);
    let advantages = g.linear("advantage", x, 5);
    let mean = g.mean(advantages);
    let centered = g.sub(advantages, mean);
    let q = g.add(centered, value);
    let index = g.input("index", &[1]);
    let target = g.input("target", &[1]);
    let importance = g.input("importance", &[1]);
    let picked = g.gather(q, index);
    let error = g.sub(picked, target);
    let huber = g.huber(error, 1.0);
    let loss = g.mul(huber, importance);
    check_gradient("dueling heads", &g, loss, 21, 9);
}
