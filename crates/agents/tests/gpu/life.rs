//! Life cycle of the PPO GPU trainer: switches between CPU and GPU, config changes during a run, long runs, device
//! loss.

use crate::common::{gpu, iterate, open};
use vivarium_agents::Learner;
use vivarium_agents::LearnerError;
use vivarium_agents::ppo::{Ppo, PpoConfig, PpoGpuTrainer, PpoState};
use vivarium_envs::{
    CartPole, CartPoleParams, CompiledWorld, EnvError, Environment, MountainCar, Pendulum, PendulumParams,
    each_world,
};
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;
use vivarium_learn::NotFinite;

fn config() -> PpoConfig {
    PpoConfig {
        num_envs: 20,
        horizon: 8,
        minibatch: 80,
        epochs: 1,
        hidden: vec![8],
        stagger: true,
        ..PpoConfig::default()
    }
}

fn learner<W: CompiledWorld>(config: &PpoConfig) -> Ppo {
    Ppo::new(config.clone(), Environment::of::<W>(), 3).unwrap()
}

#[test]
fn a_state_that_was_only_moved_comes_back_as_it_was() {
    fn check<W: CompiledWorld>() {
        let cpu = Cpu::new(1);
        let mut ppo = learner::<W>(&config());
        for _ in 0..3 {
            ppo.iterate(&cpu).unwrap();
        }
        let trainer = PpoGpuTrainer::new(gpu(), &ppo).unwrap();
        let mut other = learner::<W>(&config());
        other.adopt(trainer.state()).unwrap();
        assert!(other.save() == ppo.save(), "{}", W::NAME);
    }
    each_world!(check());
}

/// Checks that the state of a run that has changed engines is close to `expected`, the state of a run on one engine.
#[track_caller]
fn close(found: &PpoState, expected: &PpoState) {
    assert_eq!(found.counters, expected.counters);
    for (found, expected) in found.weights.iter().zip(&expected.weights) {
        assert!((found - expected).abs() < 1e-4, "{found}, not {expected}");
    }
    for (found, expected) in found.envs.states.iter().zip(&expected.envs.states) {
        assert!((found - expected).abs() < 1e-3 * expected.abs().max(1.0), "{found}, not {expected}");
    }
}

#[test]
fn a_run_continues_after_an_engine_change() {
    fn check<W: CompiledWorld>() {
        let cpu = Cpu::new(1);
        let mut whole = learner::<W>(&config());
        let mut moved = learner::<W>(&config());
        for _ in 0..2 {
            moved.iterate(&cpu).unwrap();
        }
        // An iteration in flight when training leaves the device is repeated.
        let mut trainer = PpoGpuTrainer::new(gpu(), &moved).unwrap();
        for _ in 0..2 {
            iterate(&mut trainer);
        }
        moved.adopt(trainer.state()).unwrap();
        for _ in 0..2 {
            moved.iterate(&cpu).unwrap();
        }
        let mut trainer = PpoGpuTrainer::new(gpu(), &moved).unwrap();
        let report = iterate(&mut trainer);
        assert_eq!(report.counters.iterations, 7);
        for _ in 0..7 {
            whole.iterate(&cpu).unwrap();
        }
        close(trainer.state(), whole.state());
    }
    each_world!(check());
}

#[test]
fn the_same_run_comes_out_twice_bit_for_bit() {
    let run = |config: &PpoConfig| {
        let mut trainer = PpoGpuTrainer::new(gpu(), &learner::<Pendulum>(config)).unwrap();
        let reports: Vec<_> = (0..4).map(|_| iterate(&mut trainer)).collect();
        (reports, trainer.state().clone())
    };
    let config = PpoConfig { num_envs: 130, minibatch: 600, ..config() };
    assert!(run(&config) == run(&config));
}

#[test]
fn live_fields_change_a_running_learner_and_other_fields_are_rejected() {
    let config = PpoConfig { epochs: 3, ..config() };
    let mut trainer = PpoGpuTrainer::new(gpu(), &learner::<CartPole>(&config)).unwrap();
    iterate(&mut trainer);
    // At most the iteration in flight uses the previous values.
    let mut after = |change: PpoConfig| {
        trainer.set_config(change).unwrap();
        [(); 4].map(|()| iterate(&mut trainer))
    };
    let slow = PpoConfig { learning_rate: 1e-5, anneal_steps: 0, ..config.clone() };
    let reports = after(slow.clone());
    assert!(reports[0].learning_rate > 1e-4);
    assert!(reports[1..].iter().all(|report| (report.learning_rate - 1e-5).abs() < 1e-9), "{reports:?}");
    // First a KL limit that every epoch exceeds, then no limit.
    let reports = after(PpoConfig { learning_rate: 0.05, target_kl: 1e-6, ..slow.clone() });
    assert_eq!(reports.map(|report| report.epochs), [3, 1, 1, 1]);
    let reports = after(slow);
    assert_eq!(reports.map(|report| report.epochs), [3; 4]);
    assert_eq!(trainer.state().counters.updates, 2 * (5 * 3 + 6 + 4 * 3));

    let error = trainer.set_config(PpoConfig { horizon: 9, ..config.clone() }).unwrap_err();
    assert!(matches!(error, LearnerError::Config(error) if error.field == "ppo.horizon"));
    let world = CartPoleParams { gravity: -5.0, ..Default::default() };
    let environment = Environment::with_params::<CartPole>(&world);
    assert!(matches!(trainer.set_environment(&environment), Err(LearnerError::World(_))));
    let other = trainer.set_environment(&Environment::of::<MountainCar>());
    assert!(matches!(other, Err(LearnerError::World(EnvError::World { .. }))));
    assert_eq!(iterate(&mut trainer).counters.iterations, 14);
}

#[test]
fn the_world_changes_as_it_does_on_the_cpu() {
    let cpu = Cpu::new(1);
    let config = config();
    let mut ppo = learner::<Pendulum>(&config);
    let world = PendulumParams { gravity: 2.5, ..Default::default() };
    let environment = Environment::with_params::<Pendulum>(&world);
    ppo.set_environment(environment.clone()).unwrap();
    let mut trainer = PpoGpuTrainer::new(gpu(), &learner::<Pendulum>(&config)).unwrap();
    trainer.set_environment(&environment).unwrap();
    for _ in 0..3 {
        ppo.iterate(&cpu).unwrap();
        iterate(&mut trainer);
    }
    close(trainer.state(), ppo.state());
    // The parameters of the environment change the results.
    let mut other = learner::<Pendulum>(&config);
    for _ in 0..3 {
        other.iterate(&cpu).unwrap();
    }
    let apart = |a: &PpoState, b: &PpoState| {
        a.envs.states.iter().zip(&b.envs.states).any(|(a, b)| (a - b).abs() > 0.1)
    };
    assert!(apart(other.state(), ppo.state()));
}

#[test]
fn a_push_is_felt_once() {
    let cpu = Cpu::new(1);
    let mut ppo = learner::<CartPole>(&config());
    let mut state = ppo.state().clone();
    state.envs.pushes.fill(5.0);
    ppo.adopt(&state).unwrap();
    let mut trainer = PpoGpuTrainer::new(gpu(), &ppo).unwrap();
    ppo.iterate(&cpu).unwrap();
    iterate(&mut trainer);
    close(trainer.state(), ppo.state());
    assert!(trainer.state().envs.pushes.iter().all(|&push| push == 0.0));
}

#[test]
fn long_runs_create_no_device_objects() {
    let gpu = open();
    let tiny = PpoConfig { num_envs: 4, horizon: 2, minibatch: 8, hidden: vec![4], ..config() };
    let mut trainer = PpoGpuTrainer::new(&gpu, &learner::<CartPole>(&tiny)).unwrap();
    for _ in 0..10 {
        iterate(&mut trainer);
    }
    let (memory, kernels) = (gpu.memory(), gpu.kernels_compiled());
    for _ in 0..500 {
        iterate(&mut trainer);
    }
    assert_eq!((gpu.memory(), gpu.kernels_compiled()), (memory, kernels));
    assert_eq!(trainer.state().counters.iterations, 510);
    assert_eq!(trainer.state().envs.tick, 1020);
    assert!(trainer.state().weights.iter().all(|weight| weight.is_finite()));
    // Another trainer reuses the freed memory.
    drop(trainer);
    let _again = PpoGpuTrainer::new(&gpu, &learner::<CartPole>(&tiny)).unwrap();
    assert_eq!(gpu.kernels_compiled(), kernels);
}

#[test]
fn a_lost_device_is_an_error_and_the_last_state_is_kept() {
    let gpu = open();
    let mut trainer = PpoGpuTrainer::new(&gpu, &learner::<CartPole>(&config())).unwrap();
    iterate(&mut trainer);
    let kept = trainer.state().clone();
    gpu.destroy();
    for _ in 0..2 {
        let error = trainer.advance().unwrap_err();
        assert!(matches!(error, LearnerError::Gpu(GpuError::Lost { .. })), "{error}");
    }
    assert!(*trainer.state() == kept);
    // The CPU continues from the last state.
    let mut ppo = learner::<CartPole>(&config());
    ppo.adopt(&kept).unwrap();
    assert_eq!(ppo.iterate(&Cpu::new(1)).unwrap().counters.iterations, 2);
    assert!(matches!(PpoGpuTrainer::new(&gpu, &ppo), Err(LearnerError::Gpu(GpuError::Lost { .. }))));
}

#[test]
fn divergence_is_an_error_and_the_weights_stay_finite() {
    fn check<W: CompiledWorld>() {
        let mut ppo = learner::<W>(&config());
        let mut state = ppo.state().clone();
        // The weights are finite, but the outputs of the network are not.
        state.weights.fill(3e38);
        ppo.adopt(&state).unwrap();
        let mut trainer = PpoGpuTrainer::new(gpu(), &ppo).unwrap();
        for _ in 0..2 {
            let error = trainer.advance().unwrap_err();
            assert!(
                matches!(error, LearnerError::NotFinite(NotFinite { updates: 0, .. })),
                "{}: {error}",
                W::NAME
            );
        }
        assert!(*trainer.state() == state);
    }
    each_world!(check());
}

#[test]
fn an_iteration_reports_its_cost() {
    let cost = |config: &PpoConfig| PpoGpuTrainer::new(gpu(), &learner::<CartPole>(config)).unwrap().cost();
    let (short, long) = (cost(&config()), cost(&PpoConfig { horizon: 16, ..config() }));
    // Kernels per step: one or two layers and the step itself; twice the steps and twice the minibatches.
    assert!(short.dispatches > 8 * 3 && short.dispatches < long.dispatches, "{short:?} {long:?}");
    assert!(long.dispatches <= 2 * short.dispatches);
    // A longer iteration reads back only the metrics of its additional gradient steps.
    assert!(long.bytes_copied - short.bytes_copied < 256, "{short:?} {long:?}");
}
