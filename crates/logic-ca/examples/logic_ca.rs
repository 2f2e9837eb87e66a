//! A differentiable logic cellular automaton in one file: Miotti, Niklasson, Randazzo and Mordvintsev 2025,
//! "Differentiable Logic Cellular Automata", <https://google-research.github.io/self-organising-systems/difflogic-ca/>,
//! with the gates of Petersen et al. 2022, "Deep Differentiable Logic Gate Networks",
//! <https://arxiv.org/abs/2210.08277>. A checkerboard grows from random bits. The hardening and the decay of the
//! learning rate are not in the papers.
//!
//! `CellRollout` computes the rollout of the soft automaton and its backpropagation through time, with four sums per
//! gate as the result. `cargo run --release -p vivarium-logic-ca --example logic_ca` prints the learning curve. A test
//! requires that `vivarium_logic_ca::LogicCa` computes the same logits bit for bit.

use std::error::Error;
use vivarium_graph::Cpu;
use vivarium_kernels::{adam, rng, softmax};
use vivarium_learn::schedule::linear;
use vivarium_logic_ca::circuit::initial_logits;
use vivarium_logic_ca::gate::{self, FUNCTIONS};
use vivarium_logic_ca::hard::{Boards, Circuit, CompiledCircuit};
use vivarium_logic_ca::soft::CellRollout;
use vivarium_logic_ca::{Architecture, Border, Grid, LayeredCircuit, TargetPattern, Wiring};

const GRID: Grid = Grid { boards: 2, height: 16, width: 16, border: Border::Fixed };
const STEPS: usize = 20;
const CHANNELS: usize = 8;
const KERNELS: usize = 16;
const PERCEIVE: [usize; 3] = [8, 4, 2];
const UPDATE: [usize; 16] = [256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 128, 64, 32, 16, 8, 8];
const EPOCHS: u64 = 2_000;
const LEARNING_RATE: f32 = 0.1;
const FINAL_LEARNING_RATE: f32 = 0.003;
const HARD_SHARE: f32 = 0.5;
const BETA2: f32 = 0.99;
const WEIGHT_DECAY: f32 = 0.01;
const GRADIENT_CLIP: f32 = 100.0;

fn main() -> Result<(), Box<dyn Error>> {
    train(EPOCHS, 1).map(|_| ())
}

/// Returns the random initial bits of a channel in an epoch, one per cell. A block of 64 random bits serves 64
/// successive cells.
fn random_bits(seed: u64, epoch: u64, channel: usize) -> impl Iterator<Item = bool> {
    (0..GRID.lanes()).map(move |lane| {
        let step = channel * GRID.lanes().div_ceil(64) + lane / 64;
        let [low, high] = rng::block(seed, epoch as u32, step as u32);
        (u64::from(high) << 32 | u64::from(low)) >> (lane % 64) & 1 == 1
    })
}

/// Trains for `epochs` epochs, or until the hard automaton (each gate computes its most probable function) has no wrong
/// bit. Returns the logits, `[gate][function]`.
pub fn train(epochs: u64, seed: u64) -> Result<Vec<f32>, Box<dyn Error>> {
    let cpu = Cpu::new(std::thread::available_parallelism()?.get());
    let target = TargetPattern::checkerboard(GRID.width, GRID.height);
    // The wires are random and fixed. Each gate begins as a pass-through of one of its two inputs.
    let (perceive, update) = (PERCEIVE.to_vec(), UPDATE.to_vec());
    let architecture = Architecture { channels: CHANNELS, kernels: KERNELS, perceive, update };
    let wiring = Wiring::new(&architecture, seed);
    let mut logits = initial_logits(&architecture, &wiring);
    let [mut first_moment, mut second_moment, mut probabilities, mut gradient] =
        [(); 4].map(|()| vec![0.0; logits.len()]);
    let mut sums = vec![[0.0; 4]; architecture.gates()];
    let mut soft = CellRollout::new(LayeredCircuit::new(&architecture, &wiring), GRID, STEPS, false);
    let mut hard = Boards::new(GRID, CHANNELS)?;
    let [start_seed, hardening_seed] = [21, 23].map(|purpose| rng::derive(rng::derive(seed, purpose), 0));
    let mut uniform = vec![0.0; architecture.gates() + STEPS];

    for epoch in 0..epochs {
        // A soft gate is the mixture of the 16 functions of two bits with the probabilities p = softmax(logits).
        softmax::softmax(cpu.level(), architecture.gates(), FUNCTIONS, &logits, &mut probabilities);
        // The hardened fraction of the gates and of the steps grows, so that the soft automaton approaches a hard
        // automaton.
        let share = HARD_SHARE * (epoch as f64 / EPOCHS as f64).min(1.0) as f32;
        rng::fill_uniform(cpu.level(), hardening_seed, epoch as u32, 0, &mut uniform);
        let (of_gates, of_steps) = uniform.split_at(architecture.gates());
        let gates = soft.coefficients_mut().iter_mut().zip(probabilities.as_chunks().0);
        for ((coefficients, p), &number) in gates.zip(of_gates) {
            let is_hard = number < share;
            *coefficients =
                if is_hard { gate::coefficients(gate::argmax_function(p)) } else { gate::mixture(p) };
        }
        // A hard gate is the function with the largest logit.
        let functions: Vec<u8> = logits.as_chunks().0.iter().map(gate::argmax_function).collect();
        let mut circuit = CompiledCircuit::new(&Circuit::from_functions(&architecture, &wiring, &functions)?);

        // Both automata run from the same random bits.
        for channel in 0..CHANNELS {
            let bits = || random_bits(start_seed, epoch, channel);
            soft.set_start(channel, bits().map(|bit| f32::from(u8::from(bit))));
            hard.set_channel(channel, bits());
        }
        for (step, &number) in of_steps.iter().enumerate() {
            soft.forward(&cpu, step);
            if step + 1 < STEPS && number < share {
                soft.round(step + 1);
            }
            circuit.step(&cpu, &mut hard, None, step as u32);
        }

        // The loss is the squared distance of the first channel to the target.
        let targets: Vec<bool> = (0..GRID.lanes()).map(|lane| target.on(&GRID, 0, lane)).collect();
        let error = |lane| soft.value(STEPS, 0, lane) - f32::from(u8::from(targets[lane]));
        let errors: Vec<f32> = (0..GRID.lanes()).map(error).collect();
        let loss: f32 = errors.iter().map(|error| error * error).sum();
        let wrong_bits = hard.channel(0).zip(&targets).filter(|(bit, target)| bit != *target).count();
        if epoch % 20 == 0 || wrong_bits == 0 {
            println!(
                "epoch {epoch:4}: soft loss {loss:7.2}, {wrong_bits:3} wrong bits of the hard automaton"
            );
        }
        if wrong_bits == 0 {
            break;
        }

        // Backpropagation through time gives Σg, Σg·a, Σg·b and Σg·a·b of each gate, where g is the gradient of its
        // output and a, b are its inputs. The gradient of its logits follows from the sums.
        soft.set_loss_gradient(0, errors.iter().map(|error| 2.0 * error));
        for step in (0..STEPS).rev() {
            soft.backward(&cpu, step);
        }
        soft.gate_sums(&mut sums);
        let gates = gradient.as_chunks_mut().0.iter_mut().zip(probabilities.as_chunks().0);
        for ((gradient, p), sums) in gates.zip(&sums) {
            gate::logit_gradient(p, sums, gradient);
            gradient.iter_mut().for_each(|g| *g = g.clamp(-GRADIENT_CLIP, GRADIENT_CLIP));
        }
        let settings = adam::AdamStep {
            learning_rate: linear(LEARNING_RATE, FINAL_LEARNING_RATE, epoch, EPOCHS),
            beta2: BETA2,
            weight_decay: WEIGHT_DECAY,
            step: epoch + 1,
            ..adam::AdamStep::default()
        };
        adam::step(cpu.level(), &mut logits, &gradient, &mut first_moment, &mut second_moment, &settings);
    }
    Ok(logits)
}
