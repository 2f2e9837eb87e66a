//! The examples, each a learner in one file, compute the weights of the production learners.

use vivarium_agents::Learner;
use vivarium_agents::alphazero::{AlphaZero, AlphaZeroConfig};
use vivarium_agents::cube3::{Cube3Config, Cube3Learner};
use vivarium_agents::dqn::{ControlProblem, Dqn, DqnConfig};
use vivarium_agents::ppo::{Ppo, PpoConfig};
use vivarium_envs::connect_four::ConnectFour;
use vivarium_envs::cube::{Cube3, Face, FaceTurn};
use vivarium_envs::{CartPole, Environment};
use vivarium_graph::{Cpu, SavedTensors};

#[allow(dead_code)]
#[path = "../../examples/alphazero.rs"]
mod alphazero;
#[allow(dead_code)]
#[path = "../../examples/dqn.rs"]
mod dqn;
#[allow(dead_code)]
#[path = "../../examples/ppo.rs"]
mod ppo;
#[allow(dead_code)]
#[path = "../../examples/scrambles.rs"]
mod scrambles;

#[test]
fn each_learner_fits_on_a_few_pages() {
    for (text, most) in [
        (include_str!("../../examples/ppo.rs"), 150),
        (include_str!("../../examples/dqn.rs"), 150),
        (include_str!("../../examples/scrambles.rs"), 150),
        (include_str!("../../examples/alphazero.rs"), 200),
    ] {
        assert!(text.lines().count() <= most, "{}", text.lines().next().unwrap());
    }
}

#[test]
fn ppo_in_one_file_computes_the_weights_of_the_learner() {
    let config = PpoConfig {
        num_envs: 64,
        minibatch: 512,
        final_learning_rate: 0.0,
        anneal_steps: 400_000,
        entropy_coefficient: 0.01,
        normalize_observations: false,
        normalize_rewards: false,
        ..PpoConfig::default()
    };
    // 9 iterations of 64 steps: the time limit of 500 steps truncates episodes if the pole stays up.
    let (cpu, iterations, seed) = (Cpu::new(2), 9, 5);
    let mut learner = Ppo::new(config, Environment::of::<CartPole>(), seed).unwrap();
    for _ in 0..iterations {
        learner.iterate(&cpu).unwrap();
    }
    assert_eq!(ppo::train(iterations, seed).unwrap(), learner.state().weights);
}

#[test]
fn dqn_in_one_file_computes_the_weights_of_the_learner() {
    let config = DqnConfig {
        // The extensions of the paper's algorithm.
        layer_norm: false,
        dueling: false,
        double: false,
        n_step: 1,
        priority_exponent: 0.0,
        importance_exponent: 0.0,
        importance_samples: 0,
        num_envs: 16,
        learning_rate: 2.5e-4,
        target_every: 500,
        anneal_samples: 0,
        iteration: 600,
        ..DqnConfig::default()
    };
    let (cpu, seed) = (Cpu::new(2), 5);
    let mut learner = Dqn::<ControlProblem>::new(config, Environment::of::<CartPole>(), seed).unwrap();
    learner.iterate(&cpu).unwrap();
    let [online, target] = dqn::train(600, seed).unwrap();
    assert_eq!(online, learner.network().weights());
    assert_eq!(target, learner.target_network().weights());
}

#[test]
fn alphazero_in_one_file_computes_the_weights_of_the_learner() {
    let config = AlphaZeroConfig {
        // The extensions of the paper's algorithm.
        trace: 1.0,
        trace_samples: 0,
        ema_steps: 1,
        match_every: 0,
        width: 64,
        blocks: 2,
        workers: 1,
        simulations: 50,
        replay_capacity: 65_536,
        replay_ratio: 2.0,
        minibatch: 128,
        learning_rate: 2e-3,
        final_learning_rate: 0.0,
        anneal_samples: 1_000_000,
        generation: 1_500,
        ..AlphaZeroConfig::default()
    };
    let (cpu, seed) = (Cpu::new(2), 5);
    let mut learner = AlphaZero::<ConnectFour>::new(config, seed).unwrap();
    learner.iterate(&cpu).unwrap();
    assert!(learner.counters().updates > 10);
    assert_eq!(alphazero::train(1_500, seed).unwrap(), learner.newest().weights());
}

#[test]
fn scrambles_in_one_file_compute_the_weights_of_the_learner() {
    let config =
        Cube3Config { width: 256, anneal_samples: 2_000_000, iteration: 4, ..Cube3Config::default() };
    let (cpu, seed) = (Cpu::new(2), 5);
    let mut learner = Cube3Learner::new(config, seed).unwrap();
    learner.iterate(&cpu).unwrap();
    let network = scrambles::train(4, seed).unwrap();
    let mut expected = network.clone();
    expected.read(&SavedTensors(&learner.save()), "weights").unwrap();
    assert_eq!(network.weights(), expected.weights());
    // A beam search needs no training for two moves.
    let turns = [Face::U, Face::R].map(|face| FaceTurn::new(face, 1).unwrap());
    let cube = turns.iter().fold(Cube3::SOLVED, |cube, &turn| cube.turned(turn));
    let moves = scrambles::solve(&network, cube, 2).unwrap();
    assert_eq!(moves, [turns[1].inverse(), turns[0].inverse()]);
}
