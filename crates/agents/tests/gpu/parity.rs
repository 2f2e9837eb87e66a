//! The learner on the GPU does what the one on the CPU does, within rounding.

use crate::common::{gpu, iterate};
use vivarium_agents::ppo::config::Activation;
use vivarium_agents::ppo::{GpuTrainer, Ppo, PpoConfig, Report, State};
use vivarium_envs::{Acrobot, CartPole, MountainCar, Pendulum};
use vivarium_gpu::worlds::GpuWorld;
use vivarium_graph::Cpu;

/// 50 gradient steps in 5 iterations. Two blocks of lanes, the second not full; a last minibatch that is smaller.
fn config() -> PpoConfig {
    PpoConfig {
        num_envs: 72,
        horizon: 8,
        minibatch: 120,
        epochs: 2,
        hidden: vec![16, 16],
        learning_rate: 1e-3,
        anneal_steps: 0,
        stagger: true,
        ..PpoConfig::default()
    }
}

/// How far numbers may differ after 50 gradient steps, relative to 1 and their size. Weights, moments and losses were found
/// to differ by less than 1e-6, and states by less than 1e-5; had a single draw come out differently, it would be
/// 1e-2 and more.
const TOLERANCE: f64 = 1e-4;

#[track_caller]
fn same(what: &str, found: impl Iterator<Item = f64>, expected: impl Iterator<Item = f64>) {
    for (index, (found, expected)) in found.zip(expected).enumerate() {
        let error = (found - expected).abs() / expected.abs().max(1.0);
        assert!(error < TOLERANCE, "{what} {index}: {found}, not {expected}");
    }
}

#[track_caller]
fn same_state(world: &str, found: &State, expected: &State) {
    type Numbers = fn(&State) -> &[f32];
    let floats: [(&str, Numbers); 6] = [
        ("weight", |state| &state.weights),
        ("first moment", |state| &state.first_moment),
        ("second moment", |state| &state.second_moment),
        ("state", |state| &state.lanes.states),
        ("return", |state| &state.running.returns),
        ("discounted return", |state| &state.running.discounted),
    ];
    for (what, of) in floats {
        let numbers = |state| of(state).iter().map(|&x: &f32| f64::from(x)).collect::<Vec<_>>();
        let (found, expected) = (numbers(found), numbers(expected));
        assert_eq!(found.len(), expected.len());
        same(&format!("{world}: {what}"), found.into_iter(), expected.into_iter());
    }
    let moments = |state: &State| {
        let all = state.observation_moments.iter().chain([&state.return_moments]);
        all.flat_map(|m| [m.count, m.mean, m.variance()]).collect::<Vec<_>>()
    };
    same(&format!("{world}: moments"), moments(found).into_iter(), moments(expected).into_iter());
    assert_eq!(found.counters, expected.counters, "{world}");
    assert_eq!(found.lanes.tick, expected.lanes.tick);
    assert_eq!(found.lanes.ages, expected.lanes.ages);
    assert_eq!(found.lanes.next_episodes, expected.lanes.next_episodes);
    assert_eq!(found.lanes.pushes, expected.lanes.pushes);
    assert_eq!(found.running.lengths, expected.running.lengths);
    assert_eq!(found.running.whole, expected.running.whole);
}

#[track_caller]
fn same_report(world: &str, found: &Report, expected: &Report) {
    let numbers = |report: &Report| {
        [
            report.return_mean.unwrap_or(-1e9),
            report.length_mean.unwrap_or(-1e9),
            report.policy_loss,
            report.value_loss,
            report.entropy,
            report.approximate_kl,
            report.clip_fraction,
            report.explained_variance,
            report.learning_rate,
            report.gradient_norm,
        ]
    };
    same(&format!("{world}: report"), numbers(found).into_iter(), numbers(expected).into_iter());
    assert_eq!(found.counters, expected.counters, "{world}");
    assert_eq!((found.episodes, found.epochs), (expected.episodes, expected.epochs), "{world}");
}

/// Runs both for some iterations; gives the CPU's reports.
fn agrees<W: GpuWorld>(config: &PpoConfig, iterations: usize) -> Vec<Report> {
    let cpu = Cpu::new(1);
    let mut ppo = Ppo::<W>::new(config.clone(), W::Params::default(), 5).unwrap();
    let mut trainer = GpuTrainer::new(gpu(), &ppo).unwrap();
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
    fn check<W: GpuWorld>() {
        let reports = agrees::<W>(&config(), 5);
        assert_eq!(reports.last().unwrap().counters.updates, 50);
    }
    check::<CartPole>();
    check::<MountainCar>();
    check::<Pendulum>();
}

#[test]
fn fifty_gradient_steps_agree_where_two_links_hang() {
    // Links that hardly move have a cosine of nearly 1: scaled by its deviation, it would show its rounding.
    let reports = agrees::<Acrobot>(&PpoConfig { normalise_observations: false, ..config() }, 5);
    assert_eq!(reports.last().unwrap().counters.updates, 50);
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
fn what_is_normalised_or_not_agrees() {
    let off = PpoConfig {
        normalise_observations: false,
        normalise_rewards: false,
        normalise_advantages: false,
        max_gradient_norm: 0.0,
        weight_decay: 0.01,
        ..config()
    };
    agrees::<CartPole>(&off, 3);
    agrees::<Pendulum>(&PpoConfig { normalise_rewards: true, anneal_steps: 2000, ..off.clone() }, 3);
    agrees::<MountainCar>(&PpoConfig { normalise_observations: true, ..off }, 3);
}

#[test]
fn lanes_that_are_cut_off_agree_however_often() {
    // More steps than an episode may have, twice over, from ages of all kinds.
    let long = PpoConfig { num_envs: 6, horizon: 450, minibatch: 900, epochs: 1, ..config() };
    let reports = agrees::<MountainCar>(&long, 2);
    assert!(reports.iter().all(|report| report.episodes >= 6), "the test saw no episode cut off");
    agrees::<Pendulum>(&long, 2);
    // A single lane, and batches that are one minibatch.
    agrees::<CartPole>(&PpoConfig { num_envs: 1, horizon: 150, minibatch: 150, ..config() }, 3);
}

#[test]
fn an_update_that_ends_early_agrees() {
    let config = PpoConfig { target_kl: 2e-3, learning_rate: 1e-2, epochs: 6, ..config() };
    let reports = agrees::<CartPole>(&config, 4);
    assert!(reports.iter().any(|report| report.epochs < 6), "no update ended early");
    assert!(reports.iter().any(|report| report.epochs > 1), "every update ended at once");
}

#[test]
fn minibatches_of_many_workgroups_agree() {
    let large = PpoConfig { num_envs: 300, horizon: 16, minibatch: 4300, epochs: 1, ..config() };
    agrees::<CartPole>(&large, 2);
}
