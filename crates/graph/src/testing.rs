//! Losses of learners, for tests and benchmarks of the engines.

use crate::graph::Graph;
use crate::ids::Value;

/// Appends the loss of PPO (Schulman et al. 2017, <https://arxiv.org/abs/1707.06347>) of each row: clipped surrogate
/// objective, clipped value loss and entropy bonus. `log_probabilities` are those of a discrete policy. `batch` holds
/// action, old log-probability, advantage, old value and return. `entropy_bonus` appends the bonus to be added, given
/// the negative entropy.
pub fn ppo_loss(
    g: &mut Graph,
    log_probabilities: Value,
    value: Value,
    batch: [Value; 5],
    entropy_bonus: impl FnOnce(&mut Graph, Value) -> Value,
) -> Value {
    let [action, old_log_probability, advantage, old_value, target] = batch;
    let log_probability = g.gather(log_probabilities, action);
    let log_ratio = g.sub(log_probability, old_log_probability);
    let ratio = g.exp(log_ratio);
    let clipped_ratio = g.clamp(ratio, 0.8, 1.2);
    let [plain, clipped] = [ratio, clipped_ratio].map(|ratio| g.mul(ratio, advantage));
    let surrogate = g.min(plain, clipped);
    let change = g.sub(value, old_value);
    let change = g.clamp(change, -0.2, 0.2);
    let clipped_value = g.add(old_value, change);
    let [error, clipped_error] = [value, clipped_value].map(|value| {
        let error = g.sub(value, target);
        g.square(error)
    });
    let value_loss = g.max(error, clipped_error);
    let value_loss = g.scale(value_loss, 0.25);
    let probabilities = g.exp(log_probabilities);
    let terms = g.mul(probabilities, log_probabilities);
    let negative_entropy = g.sum(terms);
    let bonus = entropy_bonus(g, negative_entropy);
    let loss = g.sub(value_loss, surrogate);
    g.add(loss, bonus)
}
