//! The default configs solve each environment within a number of steps, on every machine.

use vivarium_agents::Learner;
use vivarium_agents::ppo::{Ppo, PpoConfig, PpoCounters};
use vivarium_agents::{Episode, mean_return};
use vivarium_envs::{Acrobot, CartPole, MountainCar, Pendulum, World};
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

fn reaches<W: World>(config: PpoConfig, seed: u64, target: f64, budget: u64) {
    let cpu = Cpu::new(2);
    let mut learner = Ppo::<W>::new(config, W::Params::default(), seed).unwrap();
    climb(&format!("{} with seed {seed}", W::NAME), target, budget, || {
        let PpoCounters { steps, iterations, .. } = learner.iterate(&cpu).unwrap().counters;
        (steps, learner.evaluate(&cpu, 100, iterations).unwrap())
    });
}

#[test]
fn cartpole_is_solved() {
    reaches::<CartPole>(PpoConfig::default_for(CartPole::NAME), 1, 475.0, 400_000);
}

#[test]
fn cartpole_is_solved_with_shared_layers_and_relu() {
    let config = PpoConfig::default_for(CartPole::NAME);
    let activation = vivarium_agents::ppo::config::Activation::Relu;
    reaches::<CartPole>(PpoConfig { shared_torso: true, activation, ..config }, 2, 475.0, 800_000);
}

#[test]
fn mountain_car_is_solved() {
    reaches::<MountainCar>(PpoConfig::default_for(MountainCar::NAME), 1, -110.0, 3_000_000);
}

#[test]
fn pendulum_is_solved() {
    reaches::<Pendulum>(PpoConfig::default_for(Pendulum::NAME), 1, -200.0, 1_500_000);
}

#[test]
fn acrobot_is_solved() {
    reaches::<Acrobot>(PpoConfig::default_for(Acrobot::NAME), 1, -100.0, 400_000);
}

#[test]
fn the_general_config_learns_too() {
    reaches::<CartPole>(PpoConfig::default(), 1, 300.0, 1_000_000);
}
