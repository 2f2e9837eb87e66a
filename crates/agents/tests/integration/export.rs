//! Networks for export compute what their learners compute.

use crate::configs;
use vivarium_agents::Learner;
use vivarium_agents::alphazero::{AlphaZeroNetwork, ConnectFour, ForwardPass, NetworkSize, SelfPlayGame};
use vivarium_agents::dqn::{self, ControlProblem, Dqn};
use vivarium_agents::ppo::{Ppo, PpoConfig};
use vivarium_envs::{ActionSpace, CompiledWorld, Environment, each_world};
use vivarium_graph::Cpu;
use vivarium_learn::InferenceNetwork;
use vivarium_mcts::Game;

const ROWS: usize = 20;

/// Returns all classic-control environments.
fn environments() -> Vec<Environment> {
    fn environment<W: CompiledWorld>() -> Environment {
        Environment::of::<W>()
    }
    each_world!(environment()).into()
}

/// Returns `count` numbers from −3 to 3.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i * 7_919 % 601) as f32 / 100.0 - 3.0).collect()
}

fn assert_outputs(network: &InferenceNetwork, input: &[f32], expected: &[(&str, Vec<f32>)]) {
    let outputs = network.evaluate(ROWS, input).unwrap();
    assert_eq!(
        network.outputs().collect::<Vec<_>>(),
        expected.iter().map(|(name, _)| *name).collect::<Vec<_>>()
    );
    for (output, (name, expected)) in outputs.iter().zip(expected) {
        let largest = expected.iter().fold(0f32, |most, x| most.max(x.abs()));
        assert!(largest > 0.0 && output.len() == expected.len());
        for (one, other) in output.iter().zip(expected) {
            assert!((one - other).abs() < 1e-4 * largest, "{name}: {one} instead of {other}");
        }
    }
}

#[test]
fn the_network_of_ppo_is_its_policy_and_value() {
    let small =
        PpoConfig { num_envs: 16, horizon: 32, minibatch: 128, hidden: vec![16, 8], ..Default::default() };
    let raw = PpoConfig { normalize_observations: false, normalize_rewards: false, ..small.clone() };
    for environment in environments() {
        for config in [&small, &PpoConfig { shared_torso: true, ..small.clone() }, &raw] {
            let mut learner = Ppo::new(config.clone(), environment.clone(), 3).unwrap();
            learner.iterate(&Cpu::new(1)).unwrap();
            let observations = numbers(ROWS * environment.spec().observation_len);
            let mut both = learner.policy_and_value(&observations);
            let name = match environment.spec().actions {
                ActionSpace::Discrete(_) => {
                    both.policy.iter_mut().for_each(|p| *p = p.ln());
                    "log_probabilities"
                }
                ActionSpace::Box { .. } => "action_mean",
            };
            let expected = [(name, both.policy), ("value", both.values)];
            assert_outputs(&learner.inference_network().unwrap(), &observations, &expected);
        }
    }
}

#[test]
fn the_network_of_dqn_scales_observations() {
    for environment in environments() {
        // DQN requires discrete actions.
        let ActionSpace::Discrete(actions) = environment.spec().actions else { continue };
        for dueling in [false, true] {
            let config = dqn::DqnConfig { dueling, ..configs::dqn() };
            let learner = Dqn::<ControlProblem>::new(config, environment.clone(), 3).unwrap();
            let observations = numbers(ROWS * environment.spec().observation_len);
            let mut values = vec![0.0; ROWS * actions];
            let network = learner.network();
            dqn::values::<ControlProblem>(&Cpu::new(1), network, &environment, &observations, &mut values);
            assert_outputs(&learner.inference_network().unwrap(), &observations, &[("q_values", values)]);
        }
    }
}

#[test]
fn the_network_of_a_game_has_the_outcome_probabilities_of_play() {
    let network = AlphaZeroNetwork::<ConnectFour>::new(NetworkSize { width: 16, blocks: 2 }, 5).unwrap();
    // Row `row` is the position after 1 to 10 moves.
    let position = |row: usize| ConnectFour::from_moves(&"1234567123"[..=row % 10]).unwrap();
    let states: Vec<ConnectFour> = (0..ROWS).map(position).collect();
    let mut input = vec![0.0; ROWS * ConnectFour::INPUTS];
    for (state, row) in states.iter().zip(input.chunks_exact_mut(ConnectFour::INPUTS)) {
        state.encode(row);
    }
    let mut heads = vec![0.0; ROWS * ConnectFour::HEADS];
    ForwardPass::new(&network, ROWS).heads(&network, &states, &mut heads);
    let exported = network.inference_network().unwrap();
    let logits = exported.evaluate(ROWS, &input).unwrap().remove(0);
    assert_eq!(logits.len(), ROWS * ConnectFour::ACTIONS);
    assert_outputs(&exported, &input, &[("policy_logits", logits), ("outcome_probabilities", heads)]);
}
