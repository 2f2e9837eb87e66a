//! EfficientCube in one file: Takano 2023, "Self-Supervision is All You Need for Solving Rubik's Cube",
//! <https://arxiv.org/abs/2106.03157>. A network learns to predict the move that undoes the last turn of a scramble. A
//! beam search follows its predictions. States are reduced by the 48 symmetries of the cube, and the network is smaller
//! than the paper's.
//!
//! `cargo run --release -p vivarium-agents --example scrambles` prints the learning curve, then solves scrambled cubes.
//! A test requires that `vivarium_agents::cube3::Cube3Learner` computes the same weights bit for bit.

use std::collections::HashSet;
use std::error::Error;
use vivarium_envs::cube::{Backtracking, Cube3, CubeSize, FaceTurn, RandomWalk, Symmetry, TurnMetric};
use vivarium_graph::{Cpu, Graph, Initializer, Plan, Value, Workspaces};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::rng::{self, Stream};
use vivarium_learn::{Loss, Network, Trainer, schedule::cosine_annealing};

const METRIC: TurnMetric = TurnMetric::Quarter;
const TURNS: &[FaceTurn] = Cube3::turns(METRIC);
const DEPTH: usize = 26;
const SCRAMBLES: usize = 32;
const BATCH: usize = SCRAMBLES * DEPTH;
const WIDTH: usize = 256;
const BLOCKS: usize = 2;
const LEARNING_RATE: f32 = 2e-3;
const FINAL_LEARNING_RATE: f32 = 1e-5;
const ANNEAL_SAMPLES: u64 = 2_000_000;
const MAX_GRADIENT_NORM: f32 = 1.0;
const BEAM_WIDTH: usize = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let network = train(ANNEAL_SAMPLES / BATCH as u64, 1)?;
    for length in [4, 8, 12, 16, 20] {
        let mut walk = RandomWalk::new(CubeSize::Three, METRIC, Backtracking::Never);
        let mut random = Stream::new(9, length);
        let cube = (0..length).fold(Cube3::SOLVED, |cube, _| cube.turned(walk.next(&mut random).1));
        let moves =
            solve(&network, cube, 40).map(|moves| moves.iter().map(|turn| turn.to_string() + " ").collect());
        println!("{length:2} moves: {}", moves.unwrap_or_else(|| "not solved".to_owned()));
    }
    Ok(())
}

/// Adds the layer relu(layer_norm(x·W + b) + skip) to the graph and returns its output. `skip` is the optional input of
/// a skip connection, `name` the prefix of the parameter names.
fn layer(g: &mut Graph, name: &str, x: Value, skip: Option<Value>) -> Value {
    let h = g.linear(name, x, WIDTH);
    let h = g.layer_norm(&format!("{name}.norm"), h);
    let h = skip.map_or(h, |skip| g.add(h, skip));
    g.relu(h)
}

/// Trains for `updates` gradient steps. Returns the network; its plan computes the log-probability of each move, ln
/// π(·|s).
pub fn train(updates: u64, seed: u64) -> Result<Network, Box<dyn Error>> {
    let mut g = Graph::new();
    let state = g.sparse_input("state", &[Cube3::INPUTS]);
    let undo = g.input("move", &[1]);
    let mut trunk = layer(&mut g, "stem", state, None);
    for block in 0..BLOCKS {
        let middle = layer(&mut g, &format!("block.{block}.0"), trunk, None);
        trunk = layer(&mut g, &format!("block.{block}.1"), middle, Some(trunk));
    }
    let logits = g.linear_with("moves", trunk, TURNS.len(), Initializer::Orthogonal { gain: 0.01 });
    let log_pi = g.log_softmax(logits);
    let log_p = g.gather(log_pi, undo);
    let loss = g.neg(log_p);

    let cpu = Cpu::new(std::thread::available_parallelism()?.get());
    let [weights, scrambling] = [50, 51].map(|stream| rng::derive(seed, stream));
    let mut network = Network::new(&g, vec![Plan::for_cache(&g, &[log_pi])?], weights)?;
    let plan = Plan::compile(&g.gradient(loss), &[loss], 64)?;
    let mut trainer = Trainer::new(&network, vec![Loss { plan, names: &["the loss"] }]);
    let (mut states, mut undone) = (vec![0.0; BATCH * Cube3::INPUTS], vec![0.0; BATCH]);
    let mut mean_loss = 0.0;
    for update in 0..updates {
        // The states after each turn of the scrambles, labeled with the inverse turn.
        for (i, state) in states.chunks_mut(DEPTH * Cube3::INPUTS).enumerate() {
            let mut random = Stream::new(scrambling, (update * SCRAMBLES as u64) as u32 + i as u32);
            let mut walk = RandomWalk::new(CubeSize::Three, METRIC, Backtracking::Never);
            let mut cube = Cube3::SOLVED;
            for (depth, row) in state.chunks_mut(Cube3::INPUTS).enumerate() {
                let (_, turn) = walk.next(&mut random);
                cube = cube.turned(turn);
                let (representative, symmetry) = Symmetry::representative(&cube);
                representative.encode(row);
                undone[i * DEPTH + depth] = METRIC.action(symmetry.turn(turn.inverse())) as f32;
            }
        }
        trainer.differentiate(&cpu, &network, 0, BATCH, &[&states, &undone]);
        let samples = update * BATCH as u64;
        let learning_rate = cosine_annealing(LEARNING_RATE, FINAL_LEARNING_RATE, samples, ANNEAL_SAMPLES);
        let adam = AdamStep { learning_rate, step: update + 1, ..AdamStep::default() };
        mean_loss += trainer.sum(0) / (BATCH * 100) as f64;
        trainer.step(&cpu, &mut network, &adam, MAX_GRADIENT_NORM)?;
        if (update + 1).is_multiple_of(100) {
            println!("{:8} samples, loss {:.3}", samples + BATCH as u64, std::mem::take(&mut mean_loss));
        }
    }
    Ok(network)
}

/// Solves the cube `start` by beam search. After each move, the beam keeps the BEAM_WIDTH most likely move sequences
/// that lead to different states. Returns a solution of at most `max_moves` moves, or `None` if none is found.
pub fn solve(network: &Network, start: Cube3, max_moves: usize) -> Option<Vec<FaceTurn>> {
    let (cpu, mut workspaces) = (Cpu::new(1), Workspaces::default());
    let (mut beam, mut seen) = (vec![(start, 0.0, Vec::new())], HashSet::from([start]));
    for _ in 0..=max_moves {
        if let Some((.., moves)) = beam.iter().find(|(cube, ..)| cube.is_solved()) {
            return Some(moves.clone());
        }
        let representatives: Vec<_> = beam.iter().map(|(cube, ..)| Symmetry::representative(cube)).collect();
        let mut states = vec![0.0; beam.len() * Cube3::INPUTS];
        for ((cube, _), row) in representatives.iter().zip(states.chunks_mut(Cube3::INPUTS)) {
            cube.encode(row);
        }
        let mut log_pi = vec![0.0; beam.len() * TURNS.len()];
        network.evaluate(&cpu, &mut workspaces, 0, beam.len(), &[&states], &mut [&mut log_pi]);
        let mut candidates = Vec::new();
        for (i, ((_, log_p, _), (_, symmetry))) in beam.iter().zip(&representatives).enumerate() {
            for &turn in TURNS {
                let guess = log_pi[i * TURNS.len() + METRIC.action(symmetry.turn(turn))];
                candidates.push((log_p + guess, i, turn));
            }
        }
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
        let longer = candidates.into_iter().filter_map(|(log_p, i, turn)| {
            let cube = beam[i].0.turned(turn);
            seen.insert(cube).then(|| (cube, log_p, [&beam[i].2[..], &[turn]].concat()))
        });
        beam = longer.take(BEAM_WIDTH).collect();
    }
    None
}
