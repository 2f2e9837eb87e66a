//! Values, losses and gradients of the DQN graph against scalar loops in `f64`.

use vivarium_agents::dqn::{DqnConfig, DqnGraph, NetworkInputs};
use vivarium_graph::{Gradients, PackedParameters, Parameters, Plan, PlanWeights, Value, Workspace};
use vivarium_kernels::rng::Stream;
use vivarium_kernels::simd;

const INPUTS: usize = 6;
const ACTIONS: usize = 3;
const ROWS: usize = 5;

/// Minibatch of a DQN gradient step; each row is one transition.
struct Batch {
    states: Vec<f32>,
    actions: Vec<f32>,
    targets: Vec<f32>,
    weights: Vec<f32>,
    best: Vec<f32>,
}

impl Batch {
    fn new(features: Option<usize>) -> Self {
        let mut random = Stream::new(5, 6);
        let mut input = || match features {
            Some(count) => random.below(count as u32) as f32,
            None => random.normal(),
        };
        let states = (0..ROWS * INPUTS).map(|_| input()).collect();
        Self {
            states,
            actions: vec![0.0, 2.0, 1.0, 1.0, 0.0],
            // Errors on both sides of the Huber threshold.
            targets: vec![0.2, -3.0, 0.1, 5.0, -0.3],
            weights: vec![1.0, 0.5, 0.25, 0.75, 1.0],
            best: [[1, 0, 0], [0, 1, 1], [0, 0, 1], [1, 1, 1], [0, 1, 0]]
                .concat()
                .iter()
                .map(|&b| b as f32)
                .collect(),
        }
    }

    fn inputs(&self) -> [&[f32]; 5] {
        [&self.states, &self.actions, &self.targets, &self.weights, &self.best]
    }
}

/// Reference implementation of the Q-network in `f64`, with its parameters by name.
struct Slow<'a> {
    config: &'a DqnConfig,
    features: bool,
    parameters: Vec<(String, Vec<f64>)>,
}

impl Slow<'_> {
    fn get(&self, name: &str) -> &[f64] {
        &self.parameters.iter().find(|(found, _)| found == name).unwrap().1
    }

    fn linear(&self, name: &str, x: &[f64]) -> Vec<f64> {
        let (weight, bias) = (self.get(&format!("{name}.weight")), self.get(&format!("{name}.bias")));
        let n = bias.len();
        (0..n).map(|j| bias[j] + (0..x.len()).map(|i| x[i] * weight[i * n + j]).sum::<f64>()).collect()
    }

    /// Returns the first layer's output for sparse features: the sum of the weight rows of all features.
    fn embedding(&self, features: &[f64]) -> Vec<f64> {
        let (weight, n) = (self.get("hidden.0.weight"), self.config.hidden[0] as usize);
        (0..n).map(|j| features.iter().map(|&feature| weight[feature as usize * n + j]).sum()).collect()
    }

    fn values(&self, state: &[f32]) -> Vec<f64> {
        let mut h: Vec<f64> = state.iter().map(|&x| x.into()).collect();
        for layer in 0..self.config.hidden.len() {
            h = match (layer, self.features) {
                (0, true) => self.embedding(&h),
                _ => self.linear(&format!("hidden.{layer}"), &h),
            };
            if self.config.layer_norm {
                let n = h.len() as f64;
                let mean = h.iter().sum::<f64>() / n;
                let variance = h.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
                let scale = self.get(&format!("hidden.{layer}.norm.weight"));
                let shift = self.get(&format!("hidden.{layer}.norm.bias"));
                let each = h.iter().zip(scale.iter().zip(shift));
                h = each
                    .map(|(x, (scale, shift))| (x - mean) / (variance + 1e-5).sqrt() * scale + shift)
                    .collect();
            }
            h.iter_mut().for_each(|x| *x = x.max(0.0));
        }
        if !self.config.dueling {
            return self.linear("values", &h);
        }
        let (value, advantages) = (self.linear("value", &h)[0], self.linear("advantages", &h));
        let mean = advantages.iter().sum::<f64>() / ACTIONS as f64;
        advantages.iter().map(|advantage| value + advantage - mean).collect()
    }

    /// Returns the mean weighted Huber loss and the mean demonstration loss of a minibatch.
    fn losses(&self, batch: &Batch) -> [f64; 2] {
        let delta = f64::from(self.config.huber);
        let mut sums = [0.0; 2];
        for row in 0..ROWS {
            let values = self.values(&batch.states[row * INPUTS..][..INPUTS]);
            let error = (f64::from(batch.targets[row]) - values[batch.actions[row] as usize]).abs();
            let bent = delta > 0.0 && error > delta;
            let loss = if bent { delta * (error - 0.5 * delta) } else { 0.5 * error * error };
            sums[0] += f64::from(batch.weights[row]) * loss;
            let exponentials =
                values.iter().map(|value| (value / f64::from(self.config.demonstration_temperature)).exp());
            let exponentials: Vec<f64> = exponentials.collect();
            let best =
                exponentials.iter().zip(&batch.best[row * ACTIONS..]).map(|(e, &best)| e * f64::from(best));
            sums[1] -= (best.sum::<f64>() / exponentials.iter().sum::<f64>()).ln();
            let taught = values.iter().zip(&batch.best[row * ACTIONS..]).filter(|(_, best)| **best > 0.0);
            let (sum, count) = taught.fold((0.0, 0.0), |(sum, count), (value, _)| (sum + value, count + 1.0));
            let off = f64::from(batch.targets[row]) - sum / count;
            sums[1] += if off.abs() > 1.0 { off.abs() - 0.5 } else { 0.5 * off * off };
        }
        sums.map(|sum| sum / ROWS as f64)
    }
}

/// Checks one loss of a minibatch and its gradient against the reference. `pick` selects the Q-learning loss (0) or
/// the demonstration loss (1).
fn check(config: &DqnConfig, features: Option<usize>, pick: usize) {
    let level = simd::level();
    let definition = DqnGraph::new(config, NetworkInputs { count: INPUTS, features }, ACTIONS);
    let mut parameters = Parameters::new(&definition.graph, 3).unwrap();
    // Initial heads are near 0, which would hide a wrong sign.
    let mut random = Stream::new(8, 9);
    for spec in parameters.specs().to_vec() {
        parameters.flat_mut()[spec.range()].iter_mut().for_each(|weight| *weight += 0.3 * random.normal());
    }
    let loss: Value = [definition.loss, definition.demonstration_loss][pick];
    let plan = Plan::compile(&definition.graph.gradient(loss), &[loss, definition.values], 2).unwrap();
    let packed = PackedParameters::new(level, &parameters);
    let batch = Batch::new(features);
    let (mut losses, mut values) = (vec![0.0; ROWS], vec![0.0; ROWS * ACTIONS]);
    let mut gradients = Gradients::zeros(&parameters);
    let mut workspace = Workspace::new(&plan);
    let outputs = &mut [&mut losses[..], &mut values[..]];
    plan.gradients(
        PlanWeights::new(&parameters, &packed),
        &mut workspace,
        vivarium_graph::BatchInputs::new(ROWS, &batch.inputs()),
        outputs,
        &mut gradients,
    );

    let as_f64 = |flat: &[f32]| flat.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
    let named =
        parameters.specs().iter().map(|spec| (spec.name.clone(), as_f64(&parameters.flat()[spec.range()])));
    let mut slow = Slow { config, features: features.is_some(), parameters: named.collect() };
    for row in 0..ROWS {
        let expected = slow.values(&batch.states[row * INPUTS..][..INPUTS]);
        for (value, expected) in values[row * ACTIONS..].iter().zip(&expected) {
            assert!((f64::from(*value) - expected).abs() < 1e-4, "{value}, not {expected}");
        }
    }
    let mean = losses.iter().map(|&loss| f64::from(loss)).sum::<f64>() / ROWS as f64;
    let expected = slow.losses(&batch)[pick];
    assert!((mean - expected).abs() < 1e-4, "loss {mean}, not {expected}");

    const STEP: f64 = 1e-5;
    for index in 0..slow.parameters.len() {
        let name = slow.parameters[index].0.clone();
        for at in 0..slow.parameters[index].1.len() {
            let mut beside = [STEP, -STEP].map(|step| {
                slow.parameters[index].1[at] += step;
                let loss = slow.losses(&batch)[pick];
                slow.parameters[index].1[at] -= step;
                loss
            });
            beside.iter_mut().for_each(|loss| *loss /= 2.0 * STEP);
            let expected = beside[0] - beside[1];
            let got = f64::from(gradients.get(&name).unwrap()[at]);
            assert!(
                (got - expected).abs() < 1e-3 * (1.0 + expected.abs()),
                "{name}[{at}]: {got}, not {expected}"
            );
        }
    }
}

#[test]
fn losses_and_gradients_are_those_of_plain_loops() {
    for (layer_norm, dueling, huber) in
        [(true, true, 1.0), (true, false, 0.0), (false, true, 0.5), (false, false, 1.0)]
    {
        let config = DqnConfig { hidden: vec![5, 4], layer_norm, dueling, huber, ..DqnConfig::default() };
        for (features, pick) in [(None, 0), (Some(9), 0), (Some(9), 1)] {
            check(&config, features, pick);
        }
    }
}
