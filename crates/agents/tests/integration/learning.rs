//! The learner solves an environment within a number of steps, on every machine. The configs that ship are tested in
//! `crates/exhibits/control/tests/integration` (`presets.rs`, `frozen_lake.rs`).

use vivarium_agents::Learner;
use vivarium_agents::ppo::{Ppo, PpoConfig, PpoCounters};
use vivarium_agents::{Episode, mean_return};
use vivarium_envs::{CartPole, CompiledWorld, Environment};
use vivarium_graph::Cpu;

/// Trains until the mean return of 100 fresh greedy episodes reaches `target`; fails after `budget` environment steps.
/// `iterate` runs an iteration; it returns the total steps and the evaluation episodes.
pub fn climb(name: &str, target: f64, budget: u64, mut iterate: impl FnMut() -> (u64, Vec<Episode>)) {
    let mut best = f64::NEG_INFINITY;
    while best < target {
        let (steps, episodes) = iterate();
        best = best.max(mean_return(&episodes));
        assert!(steps < budget, "{name}: at best {best} after {steps} steps");
    }
}

fn reaches<W: CompiledWorld>(config: PpoConfig, seed: u64, target: f64, budget: u64) {
    let cpu = Cpu::new(2);
    let mut learner = Ppo::new(config, Environment::of::<W>(), seed).unwrap();
    climb(&format!("{} with seed {seed}", W::NAME), target, budget, || {
        let PpoCounters { steps, iterations, .. } = learner.iterate(&cpu).unwrap().counters;
        (steps, learner.evaluate(&cpu, 100, iterations).unwrap())
    });
}

#[test]
fn cartpole_is_solved_with_shared_layers_and_relu() {
    let activation = vivarium_agents::ppo::config::Activation::Relu;
    let config =
        PpoConfig { num_envs: 128, minibatch: 1024, normalize_observations: false, ..PpoConfig::default() };
    reaches::<CartPole>(PpoConfig { shared_torso: true, activation, ..config }, 2, 475.0, 800_000);
}

#[test]
fn the_general_config_learns_too() {
    reaches::<CartPole>(PpoConfig::default(), 1, 300.0, 1_000_000);
}
