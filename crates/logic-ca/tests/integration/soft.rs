//! Soft rollout against a scalar reference implementation in f64 and against finite differences.

use std::collections::HashMap;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_logic_ca::gate::Coefficients;
use vivarium_logic_ca::soft::CellRollout;
use vivarium_logic_ca::{Architecture, Border, Grid, LayeredCircuit, Wiring};

/// Circuit with random soft gates, boards and update masks.
struct Case {
    architecture: Architecture,
    wiring: Wiring,
    grid: Grid,
    steps: usize,
    /// Coefficients of 1, a, b and a·b of each soft gate, `[gate]`.
    coefficients: Vec<[f64; 4]>,
    /// Initial state of every cell (lane), `[channel][lane]`.
    start: Vec<Vec<f64>>,
    /// Whether a step updates a cell (lane), `[step][lane]`; empty for synchronous updates.
    update_mask: Vec<Vec<bool>>,
    /// Weights of the loss Σ weight·value² over the last state, `[channel][lane]`.
    weights: Vec<Vec<f64>>,
}

impl Case {
    fn new(architecture: Architecture, grid: Grid, steps: usize, asynchronous: bool) -> Self {
        architecture.check().unwrap();
        let mut stream = Stream::new(11, 0);
        // Coefficients of a mixture of gate functions, whose values at the four corners are probabilities.
        let coefficients = (0..architecture.gates())
            .map(|_| {
                let [v11, v10, v01, v00] = [(); 4].map(|()| f64::from(stream.uniform()));
                [v00, v10 - v00, v01 - v00, v11 - v10 - v01 + v00].map(|c| f64::from(c as f32))
            })
            .collect();
        let mut per_lane = || {
            let lanes = || (0..grid.lanes()).map(|_| f64::from(stream.uniform())).collect();
            std::iter::repeat_with(lanes).take(architecture.channels).collect::<Vec<Vec<f64>>>()
        };
        let (start, weights) = (per_lane(), per_lane());
        let count = if asynchronous { steps } else { 0 };
        let update_mask =
            (0..count).map(|_| (0..grid.lanes()).map(|_| stream.uniform() < 0.6).collect()).collect();
        let wiring = Wiring::new(&architecture, 5);
        Self { architecture, wiring, grid, steps, coefficients, start, update_mask, weights }
    }

    fn layer(wires: &[[u32; 2]], values: &[f64], gates: &mut impl Iterator<Item = [f64; 4]>) -> Vec<f64> {
        let of = |(&[a, b], c): (&[u32; 2], [f64; 4])| {
            let (a, b) = (values[a as usize], values[b as usize]);
            c[0] + c[1] * a + c[2] * b + c[3] * a * b
        };
        wires.iter().zip(gates).map(of).collect()
    }

    fn cell(&self, coefficients: &[[f64; 4]], state: &[Vec<f64>], lane: usize) -> Vec<f64> {
        let Architecture { kernels, ref perceive, .. } = self.architecture;
        let mut inputs: Vec<f64> = state.iter().map(|channel| channel[lane]).collect();
        for channel in state {
            let value = |place| self.grid.neighbor(lane, place).map_or(0.0, |cell| channel[cell]);
            let mut of_kernels = vec![(0..9).map(value).collect::<Vec<f64>>(); kernels];
            let mut gates = coefficients.iter().copied();
            for wires in &self.wiring.perceive {
                for values in &mut of_kernels {
                    *values = Self::layer(wires, values, &mut gates);
                }
            }
            for output in 0..self.architecture.kernel_outputs() {
                inputs.extend(of_kernels.iter().map(|values| values[output]));
            }
        }
        let mut gates = coefficients[kernels * perceive.iter().sum::<usize>()..].iter().copied();
        for wires in &self.wiring.update {
            inputs = Self::layer(wires, &inputs, &mut gates);
        }
        inputs
    }

    /// Returns the last state of the rollout, computed by the reference implementation.
    fn reference(&self, coefficients: &[[f64; 4]], start: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut state = start.to_vec();
        for step in 0..self.steps {
            let before = state.clone();
            for lane in 0..self.grid.lanes() {
                if self.update_mask.get(step).is_none_or(|update_mask| update_mask[lane]) {
                    for (channel, value) in self.cell(coefficients, &before, lane).into_iter().enumerate() {
                        state[channel][lane] = value;
                    }
                }
            }
        }
        state
    }

    fn loss(&self, coefficients: &[[f64; 4]], start: &[Vec<f64>]) -> f64 {
        let state = self.reference(coefficients, start);
        let terms = state.iter().flatten().zip(self.weights.iter().flatten());
        terms.map(|(value, weight)| weight * value * value).sum()
    }

    /// Runs the rollout forward and backward. Returns the rollout and the gradient sums of every gate.
    fn fast(&self, cpu: &Cpu) -> (CellRollout, Vec<Coefficients>) {
        let program = LayeredCircuit::new(&self.architecture, &self.wiring);
        let mut rollout = CellRollout::new(program, self.grid, self.steps, !self.update_mask.is_empty());
        for (fast, slow) in rollout.coefficients_mut().iter_mut().zip(&self.coefficients) {
            *fast = slow.map(|c| c as f32);
        }
        for (channel, values) in self.start.iter().enumerate() {
            rollout.set_start(channel, values.iter().map(|&value| value as f32));
        }
        for (step, update_mask) in self.update_mask.iter().enumerate() {
            rollout.set_update_mask(step, update_mask.iter().map(|&fires| if fires { 1.0 } else { 0.0 }));
        }
        for step in 0..self.steps {
            rollout.forward(cpu, step);
        }
        for (channel, weights) in self.weights.iter().enumerate() {
            let of_lane = |(lane, &weight): (usize, &f64)| {
                2.0 * weight as f32 * rollout.value(self.steps, channel, lane)
            };
            let gradient: Vec<f32> = weights.iter().enumerate().map(of_lane).collect();
            rollout.set_loss_gradient(channel, gradient.into_iter());
        }
        for step in (0..self.steps).rev() {
            rollout.backward(cpu, step);
        }
        let mut sums = vec![[0.0; 4]; self.coefficients.len()];
        rollout.gate_sums(&mut sums);
        (rollout, sums)
    }

    fn check(&self, name: &str) {
        let (rollout, sums) = self.fast(&Cpu::new(1));
        let slow = self.reference(&self.coefficients, &self.start);
        for (channel, values) in slow.iter().enumerate() {
            for (lane, &value) in values.iter().enumerate() {
                let fast = f64::from(rollout.value(self.steps, channel, lane));
                assert!(
                    (fast - value).abs() < 2e-5,
                    "{name}: channel {channel}, lane {lane}: {fast} {value}"
                );
            }
        }
        // The sums of a gate are the gradient ∂L/∂c of its coefficients. The loss is a polynomial, so finite
        // differences in f64 are accurate.
        let mut stream = Stream::new(17, 0);
        let small = 1e-4;
        let close = |got: f32, slope: f64, what: &str| {
            let tolerance = 1e-4 * slope.abs().max(0.1);
            assert!((f64::from(got) - slope).abs() < tolerance, "{name}, {what}: {got} {slope}");
        };
        let slope = |change: &dyn Fn(f64) -> f64| (change(small) - change(-small)) / (2.0 * small);
        let mut largest = 0.0f64;
        for _ in 0..60 {
            let (gate, term) = (stream.below(sums.len() as u32) as usize, stream.below(4) as usize);
            let expected = slope(&|by| {
                let mut changed = self.coefficients.clone();
                changed[gate][term] += by;
                self.loss(&changed, &self.start)
            });
            largest = largest.max(expected.abs());
            close(sums[gate][term], expected, &format!("gate {gate}, term {term}"));
        }
        assert!(largest > 1e-3, "{name}: no inspected gate affects the loss");
        for _ in 0..20 {
            let channel = stream.below(self.architecture.channels as u32) as usize;
            let lane = stream.below(self.grid.lanes() as u32) as usize;
            let expected = slope(&|by| {
                let mut changed = self.start.clone();
                changed[channel][lane] += by;
                self.loss(&self.coefficients, &changed)
            });
            close(rollout.start_gradient(channel, lane), expected, &format!("start {channel}, {lane}"));
        }
    }
}

fn small() -> Architecture {
    Architecture { channels: 3, kernels: 2, perceive: vec![8, 4, 2], update: vec![10, 6, 5, 3] }
}

#[test]
fn agrees_with_reference_and_finite_differences() {
    for border in [Border::Periodic, Border::Fixed] {
        for asynchronous in [false, true] {
            // Cases: fewer lanes than a block, several blocks with a remainder, boards whose neighborhoods wrap around.
            for (boards, height, width, steps) in [(1, 3, 5, 3), (2, 5, 9, 2), (3, 1, 2, 4), (1, 3, 3, 1)] {
                let grid = Grid { boards, height, width, border };
                let case = Case::new(small(), grid, steps, asynchronous);
                case.check(&format!("{grid:?}, {steps} steps, asynchronous: {asynchronous}"));
            }
        }
    }
}

#[test]
fn single_perceive_and_update_layers_work() {
    let architecture = Architecture { channels: 1, kernels: 1, perceive: vec![8], update: vec![1] };
    let grid = Grid { boards: 2, height: 4, width: 4, border: Border::Fixed };
    Case::new(architecture, grid, 2, false).check("one layer each");
}

#[test]
fn results_are_independent_of_threads() {
    // 1000 lanes: more blocks than groups, so groups have several blocks.
    let grid = Grid { boards: 10, height: 10, width: 10, border: Border::Fixed };
    let case = Case::new(small(), grid, 3, true);
    let mut seen = HashMap::new();
    for threads in [1, 2, 3] {
        let (rollout, sums) = case.fast(&Cpu::new(threads));
        let bits: Vec<_> = sums.iter().flatten().map(|sum| sum.to_bits()).collect();
        let state: Vec<_> = (0..1000).map(|lane| rollout.value(3, 1, lane).to_bits()).collect();
        seen.insert((bits, state), threads);
    }
    assert_eq!(seen.len(), 1, "runs differ: {:?}", seen.values());
}
