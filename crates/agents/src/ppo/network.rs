//! Actor, critic and loss of PPO as one graph, and inference of policy and value.

use super::config::{Activation, PpoConfig};
use super::normalize::ObservationNormalizer;
use super::sample::HALF_LN_TAU;
use vivarium_envs::ActionSpace;
use vivarium_graph::{Graph, GraphError, Initializer, Plan, Value, Workspace};

/// Graph of actor, critic and loss. Shapes are per minibatch row (sample).
pub(crate) struct PpoGraph {
    /// The graph. Its inputs are, in order: normalized observation, action, old log probability, advantage, return and
    /// old value of a minibatch row (sample); then the scalar [`LossSettings`].
    pub graph: Graph,
    /// Output of the actor. Discrete actions: log probability of each action \[n\]. Continuous action: mean of the
    /// Gaussian, divided by the largest action \[1\].
    pub policy: Value,
    /// Output of the critic: the value estimate \[1\].
    pub value: Value,
    /// Total loss of a minibatch row (sample) \[1\]: policy loss, weighted value loss and entropy bonus.
    pub loss: Value,
    /// Metrics of a minibatch row (sample), each \[1\]. [`POLICY_LOSS`], [`VALUE_LOSS`], [`ENTROPY`], [`KL`] and
    /// [`CLIPPED`] are their indices.
    pub measurements: [Value; MEASUREMENTS],
}

/// Number of inputs of the loss for each minibatch row (sample): observation, action, old log probability, advantage,
/// return and old value.
pub(crate) const INPUTS: usize = 6;
/// Number of metrics that the loss computes for each minibatch row (sample), the length of
/// [`PpoGraph::measurements`].
pub(crate) const MEASUREMENTS: usize = 5;
/// Index of the policy loss, the negative clipped surrogate objective, in [`PpoGraph::measurements`].
pub(crate) const POLICY_LOSS: usize = 0;
/// Index of the value loss, half the squared error of the value estimate, in [`PpoGraph::measurements`].
pub(crate) const VALUE_LOSS: usize = 1;
/// Index of the policy's entropy, in nats, in [`PpoGraph::measurements`].
pub(crate) const ENTROPY: usize = 2;
/// Index of the estimate of the KL divergence from the old to the new policy, KL(old‖new) in nats, in
/// [`PpoGraph::measurements`].
pub(crate) const KL: usize = 3;
/// Index of the clip flag in [`PpoGraph::measurements`]. The flag is 1 if the probability ratio is outside the clip
/// range, else 0.
pub(crate) const CLIPPED: usize = 4;

/// ½·ln(2πe): entropy of a Gaussian with standard deviation 1, in nats.
const HALF_LN_TAU_E: f32 = 1.418_938_5;

/// Name of the parameter that holds the log standard deviation of a Gaussian policy. The standard deviation is the
/// same in all states.
pub(crate) const LOG_STD: &str = "policy.log_std";

/// Returns the number of outputs of the actor per observation: one log probability for each discrete action, or the
/// mean of a continuous action.
pub(crate) fn policy_width(actions: ActionSpace) -> usize {
    match actions {
        ActionSpace::Discrete(n) => n,
        ActionSpace::Box { .. } => 1,
    }
}

/// Builds the graph of actor, critic and PPO's loss: clipped surrogate objective, clipped value loss and entropy
/// bonus.
pub(crate) fn network(config: &PpoConfig, observation_len: usize, actions: ActionSpace) -> PpoGraph {
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

    // Clipped surrogate: min(ratio·A, clip(ratio, 1 − ε, 1 + ε)·A).
    let log_ratio = g.sub(log_probability, old_log_probability);
    let ratio = g.exp(log_ratio);
    let clipped = {
        let highest = g.offset(clip_range, 1.0);
        let negative = g.neg(clip_range);
        let lowest = g.offset(negative, 1.0);
        let limited = g.min(ratio, highest);
        g.max(limited, lowest)
    };
    let surrogate = {
        let free = g.mul(ratio, advantage);
        let clipped = g.mul(clipped, advantage);
        g.min(free, clipped)
    };
    let policy_loss = g.neg(surrogate);

    // Clipped value loss: half the larger of two squared errors, of the value estimate and of the value estimate
    // clipped to the old value ± range.
    let value_loss = {
        let free = g.sub(value, target);
        let moved = g.sub(value, old_value);
        // The part of the change beyond the range is exactly 0 within the range.
        let limited = limit(g, moved, value_clip_range);
        let beyond = g.sub(moved, limited);
        let held = g.sub(free, beyond);
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

    // Approximate KL(old‖new) = (r − 1) − ln r of the probability ratio r, which is never negative (Schulman 2020,
    // http://joschu.net/blog/kl-approx.html).
    let excess = g.offset(ratio, -1.0);
    let divergence = g.sub(excess, log_ratio);
    let was_clipped = {
        let distance = g.abs(excess);
        g.less(clip_range, distance)
    };
    let measurements = [policy_loss, value_loss, entropy, divergence, was_clipped];
    PpoGraph { graph, policy, value, loss, measurements }
}

/// Builds a clamp of the value `x` to the range from −`bound` to `bound`.
fn limit(g: &mut Graph, x: Value, bound: Value) -> Value {
    let x = g.min(x, bound);
    let lower = g.neg(bound);
    g.max(x, lower)
}

/// Builds the log probability of the action and the entropy of a categorical policy. Returns both.
fn categorical(g: &mut Graph, log_probabilities: Value, action: Value) -> (Value, Value) {
    let chosen = g.gather(log_probabilities, action);
    let probabilities = g.exp(log_probabilities);
    let terms = g.mul(probabilities, log_probabilities);
    let sum = g.sum(terms);
    (chosen, g.neg(sum))
}

/// Builds the log density of the action and the entropy of a Gaussian policy. Returns both.
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

/// Builds actor and critic on the normalized observation. Returns the outputs [`PpoGraph::policy`] and
/// [`PpoGraph::value`].
pub(super) fn heads(
    g: &mut Graph,
    config: &PpoConfig,
    actions: ActionSpace,
    observation: Value,
) -> (Value, Value) {
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

/// Maximum number of observations in one forward pass of the policy.
pub(crate) const FORWARD_ROWS: usize = 256;

/// Actor and critic with their weights, and the normalizer of their observations.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    pub actions: ActionSpace,
    /// Network of actor and critic. Its only inference plan (compiled forward pass) computes policy and value from
    /// normalized observations.
    pub network: vivarium_learn::Network,
    pub scaling: ObservationNormalizer,
}

impl Policy {
    /// Creates a policy with randomly initialized weights, which does not normalize observations.
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

    /// Returns a copy of the policy whose weights are replaced by `weights`.
    pub fn with_weights(&self, weights: &[f32]) -> Self {
        let mut policy = self.clone();
        policy.network.write(weights);
        policy
    }

    /// Returns the number of outputs of the actor per observation.
    pub fn width(&self) -> usize {
        policy_width(self.actions)
    }

    /// Returns the log standard deviation of a Gaussian policy, or 0 for a categorical policy, which has no standard
    /// deviation.
    pub fn log_std(&self) -> f32 {
        self.network.parameters().get(LOG_STD).map_or(0.0, |log_std| log_std[0])
    }

    /// Evaluates actor and critic for normalized observations `[rows, observation]`. Writes the outputs of the actor
    /// to `policy`, `[rows, width]`, and the value estimates to `values`, `[rows]`.
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

/// Values of the scheduled hyperparameters after a number of environment steps: learning rate and settings of the
/// loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scheduled {
    /// Learning rate of AdamW.
    pub learning_rate: f32,
    /// Scalar settings of the loss, such as clip range and entropy coefficient.
    pub loss: LossSettings,
}

vivarium_config::numbers! {
    /// Scalar settings of PPO's loss, in the order of the graph's inputs.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) struct LossSettings: f32 {
        /// Clip range ε of the probability ratio, which is clipped to 1 ± ε.
        clip_range,
        /// Clip range of the value estimate: maximum difference from the old value estimate.
        value_clip_range,
        /// Weight of the value loss in the total loss.
        value_coefficient,
        /// Weight of the entropy bonus in the total loss.
        entropy_coefficient,
    }
}

impl LossSettings {
    /// Returns each setting as a slice of one element, the format of the loss's inputs.
    pub fn inputs(&self) -> [&[f32]; Self::COUNT] {
        let Self { clip_range, value_clip_range, value_coefficient, entropy_coefficient } = self;
        [clip_range, value_clip_range, value_coefficient, entropy_coefficient].map(std::slice::from_ref)
    }
}

impl Scheduled {
    /// Returns the values of the scheduled hyperparameters of `config` after `steps` environment steps.
    pub fn at(config: &PpoConfig, steps: u64) -> Self {
        // A bound that no value reaches disables clipping.
        let value_clip_range = if config.value_clip_range > 0.0 { config.value_clip_range } else { 1e30 };
        let loss = LossSettings {
            clip_range: config.clip_range,
            value_clip_range,
            value_coefficient: config.value_coefficient,
            entropy_coefficient: config.entropy_coefficient_at(steps),
        };
        Self { learning_rate: config.learning_rate_at(steps), loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_graph::Cpu;
    use vivarium_kernels::{rng, simd};

    const ROWS: usize = 200;
    const OBSERVATION: usize = 3;

    /// Inputs of the loss other than the observation, with one element per minibatch row (sample).
    struct Columns {
        action: Vec<f32>,
        old_log_probability: Vec<f32>,
        advantage: Vec<f32>,
        target: Vec<f32>,
        old_value: Vec<f32>,
    }

    /// Reference implementation of the loss in `f64`. Returns policy loss, value loss, entropy, KL estimate, clip
    /// flag and total loss of row `row`. `policy` holds the action probabilities, or mean and standard deviation of a
    /// Gaussian.
    fn reference(
        config: &PpoConfig,
        actions: ActionSpace,
        policy: &[f64],
        value: f64,
        row: usize,
        columns: &Columns,
    ) -> [f64; 6] {
        let at = |column: &[f32]| f64::from(column[row]);
        let action = at(&columns.action);
        let (log_probability, entropy) = match actions {
            ActionSpace::Discrete(_) => {
                (policy[action as usize].ln(), -policy.iter().map(|p| p * p.ln()).sum::<f64>())
            }
            ActionSpace::Box { .. } => {
                let (mean, std) = (policy[0], policy[1]);
                let density =
                    (-0.5 * ((action - mean) / std).powi(2)).exp() / (std * std::f64::consts::TAU.sqrt());
                (density.ln(), 0.5 * (std::f64::consts::TAU * std::f64::consts::E * std * std).ln())
            }
        };
        let ratio = (log_probability - at(&columns.old_log_probability)).exp();
        let epsilon = f64::from(config.clip_range);
        let advantage = at(&columns.advantage);
        let policy_loss = -(ratio * advantage).min(ratio.clamp(1.0 - epsilon, 1.0 + epsilon) * advantage);
        let (target, old_value) = (at(&columns.target), at(&columns.old_value));
        let limit =
            if config.value_clip_range > 0.0 { f64::from(config.value_clip_range) } else { f64::INFINITY };
        let held = old_value + (value - old_value).clamp(-limit, limit);
        let value_loss = 0.5 * (value - target).powi(2).max((held - target).powi(2));
        let loss = policy_loss + f64::from(config.value_coefficient) * value_loss
            - f64::from(config.entropy_coefficient) * entropy;
        let divergence = ratio - 1.0 - ratio.ln();
        [
            policy_loss,
            value_loss,
            entropy,
            divergence,
            f64::from(u8::from((ratio - 1.0).abs() > epsilon)),
            loss,
        ]
    }

    fn agrees_with_the_formulas(config: &PpoConfig, actions: ActionSpace) {
        let level = simd::level();
        let network = network(config, OBSERVATION, actions);
        let mut policy = Policy::new(&network, OBSERVATION, actions, 3).unwrap();
        // The initial policy hardly depends on the observation; scaling its weights makes it depend.
        policy.network.change(&Cpu::new(1), |parameters| {
            parameters.get_mut("policy.weight").unwrap().iter_mut().for_each(|w| *w *= 100.0);
        });
        let normal = |stream: u32, scale: f32, count: usize| {
            let mut numbers = vec![0.0; count];
            rng::fill_normal(level, 1, stream, 0, &mut numbers);
            numbers.iter_mut().for_each(|x| *x *= scale);
            numbers
        };
        let observations = normal(0, 1.0, ROWS * OBSERVATION);
        let (mut output, mut values) = (vec![0.0; ROWS * policy.width()], vec![0.0; ROWS]);
        policy.forward(&mut policy.network.workspace(), &observations, &mut output, &mut values);

        let columns = Columns {
            action: match actions {
                ActionSpace::Discrete(n) => (0..ROWS).map(|row| (row * 7 % n) as f32).collect(),
                ActionSpace::Box { .. } => normal(1, 1.0, ROWS),
            },
            old_log_probability: normal(2, 0.5, ROWS).iter().map(|x| x - 1.0).collect(),
            advantage: normal(3, 1.0, ROWS),
            target: normal(4, 1.0, ROWS),
            old_value: normal(5, 1.0, ROWS),
        };
        let loss = Scheduled::at(config, 0).loss;
        let [a, b, c, d] = loss.inputs();
        let inputs: [&[f32]; INPUTS + LossSettings::COUNT] = [
            &observations,
            &columns.action,
            &columns.old_log_probability,
            &columns.advantage,
            &columns.target,
            &columns.old_value,
            a,
            b,
            c,
            d,
        ];
        let outputs: Vec<Value> = network.measurements.iter().copied().chain([network.loss]).collect();
        let plan = Plan::compile(&network.graph, &outputs, 64).unwrap();
        let mut found = vec![vec![0.0; ROWS]; outputs.len()];
        let mut slices: Vec<&mut [f32]> = found.iter_mut().map(|column| &mut column[..]).collect();
        let mut workspace = Workspace::new(&plan);
        policy.network.evaluate_single_threaded(&plan, &mut workspace, ROWS, &inputs, &mut slices);

        let mut clipped = 0.0;
        for row in 0..ROWS {
            let output = &output[row * policy.width()..(row + 1) * policy.width()];
            let expected_policy: Vec<f64> = match actions {
                ActionSpace::Discrete(_) => output.iter().map(|&log| f64::from(log).exp()).collect(),
                ActionSpace::Box { .. } => {
                    vec![f64::from(output[0]), f64::from(config.initial_log_std).exp()]
                }
            };
            let expected =
                reference(config, actions, &expected_policy, f64::from(values[row]), row, &columns);
            clipped += expected[CLIPPED];
            for (column, expected) in found.iter().zip(expected) {
                let error = (f64::from(column[row]) - expected).abs();
                assert!(error < 1e-4 * (1.0 + expected.abs()), "row {row}: {} {expected}", column[row]);
            }
        }
        assert!(clipped > 0.0 && clipped < ROWS as f64, "the test must cover both sides of the clip range");
    }

    #[test]
    fn the_loss_agrees_with_its_formulas() {
        let config = PpoConfig {
            entropy_coefficient: 0.07,
            value_coefficient: 0.4,
            clip_range: 0.3,
            value_clip_range: 0.25,
            initial_log_std: -0.4,
            ..PpoConfig::default()
        };
        for actions in
            [ActionSpace::Discrete(2), ActionSpace::Discrete(3), ActionSpace::Box { low: -2.0, high: 2.0 }]
        {
            agrees_with_the_formulas(&config, actions);
            agrees_with_the_formulas(
                &PpoConfig { value_clip_range: 0.0, shared_torso: true, ..config.clone() },
                actions,
            );
        }
    }

    #[test]
    fn a_shared_torso_has_half_the_hidden_weights() {
        let weights = |shared_torso| {
            let config = PpoConfig { shared_torso, ..PpoConfig::default() };
            network(&config, 4, ActionSpace::Discrete(2)).graph.parameter_count()
        };
        let torso = 4 * 64 + 64 + 64 * 64 + 64;
        let heads = 64 * 2 + 2 + 64 + 1;
        assert_eq!((weights(false), weights(true)), (2 * torso + heads, torso + heads));
    }
}
