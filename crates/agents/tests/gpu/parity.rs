//! Compares PPO on the GPU with PPO on the CPU; results agree within rounding.

use crate::common::{gpu, iterate};
use crate::ppo::{config, config_of, same_report, same_state};
use vivarium_agents::Learner;
use vivarium_agents::ppo::config::Activation;
use vivarium_agents::ppo::{Ppo, PpoConfig, PpoGpuTrainer, PpoReport};
use vivarium_envs::{CartPole, CompiledWorld, Environment, MountainCar, Pendulum, each_world};
use vivarium_graph::Cpu;

/// Checks that `iterations` iterations agree on GPU and CPU within rounding. Returns the CPU's reports.
fn agrees<W: CompiledWorld>(config: &PpoConfig, iterations: usize) -> Vec<PpoReport> {
    let cpu = Cpu::new(1);
    let mut ppo = Ppo::new(config.clone(), Environment::of::<W>(), 5).unwrap();
    let mut trainer = PpoGpuTrainer::new(gpu(), &ppo).unwrap();
    let mut reports = Vec::new();
    for _ in 0..iterations {
        let expected = ppo.iterate(&cpu).unwrap();
        let report = iterate(&mut trainer);
        same_report(W::NAME, &report, &expected);
        same_state(W::NAME, trainer.state(), ppo.state());
        reports.push(expected);
    }
    reports
}

#[test]
fn fifty_gradient_steps_agree_in_every_world() {
    fn check<W: CompiledWorld>() {
        let reports = agrees::<W>(&config_of::<W>(), 5);
        assert_eq!(reports.last().unwrap().counters.updates, 50);
    }
    each_world!(check());
}

#[test]
fn the_networks_variants_agree() {
    agrees::<CartPole>(&PpoConfig { shared_torso: true, activation: Activation::Relu, ..config() }, 3);
    agrees::<Pendulum>(
        &PpoConfig { hidden: vec![], value_clip_range: 0.05, entropy_coefficient: 0.02, ..config() },
        3,
    );
    agrees::<MountainCar>(&PpoConfig { hidden: vec![33], shared_torso: true, ..config() }, 3);
    agrees::<MountainCar>(&PpoConfig { hidden: vec![30, 64, 7], ..config() }, 2);
    agrees::<Pendulum>(&PpoConfig { hidden: vec![128, 9], shared_torso: true, ..config() }, 2);
}

#[test]
fn networks_too_wide_for_one_kernel_agree() {
    agrees::<CartPole>(&PpoConfig { hidden: vec![65, 20], ..config() }, 2);
    agrees::<Pendulum>(&PpoConfig { hidden: vec![130], shared_torso: true, ..config() }, 2);
}

#[test]
fn gpu_and_cpu_agree_with_and_without_normalization() {
    let off = PpoConfig {
        normalize_observations: false,
        normalize_rewards: false,
        normalize_advantages: false,
        max_gradient_norm: 0.0,
        weight_decay: 0.01,
        ..config()
    };
    agrees::<CartPole>(&off, 3);
    agrees::<Pendulum>(
        &PpoConfig { normalize_rewards: true, reward_clip: 0.05, anneal_steps: 2000, ..off.clone() },
        3,
    );
    agrees::<MountainCar>(&PpoConfig { normalize_observations: true, ..off }, 3);
}

#[test]
fn environments_that_are_cut_off_agree() {
    // Each rollout is longer than two time limits of an episode; the first episodes start at various ages.
    let long = PpoConfig { num_envs: 6, horizon: 450, minibatch: 900, epochs: 1, ..config() };
    let reports = agrees::<MountainCar>(&long, 2);
    assert!(reports.iter().all(|report| report.episodes >= 6), "the test saw no episode cut off");
    // A pendulum amplifies rounding errors; normalized observations would spread them over all environments.
    agrees::<Pendulum>(&PpoConfig { normalize_observations: false, ..long }, 2);
    // A single environment, and batches of one minibatch.
    agrees::<CartPole>(&PpoConfig { num_envs: 1, horizon: 150, minibatch: 150, ..config() }, 3);
}

#[test]
fn an_update_that_ends_early_agrees() {
    let with = |target_kl| PpoConfig { target_kl, learning_rate: 1e-2, epochs: 6, ..config() };
    let reports = [2e-3, 2e-2].map(|target_kl| agrees::<CartPole>(&with(target_kl), 4)).concat();
    assert!(reports.iter().any(|report| report.epochs < 6), "no update ended early");
    assert!(reports.iter().any(|report| report.epochs > 1), "every update ended at once");
}

#[test]
fn minibatches_of_many_workgroups_agree() {
    let large = PpoConfig { num_envs: 300, horizon: 16, minibatch: 4300, epochs: 1, ..config() };
    agrees::<CartPole>(&large, 2);
}
