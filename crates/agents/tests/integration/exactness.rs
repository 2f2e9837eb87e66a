//! A PPO run is a function of config, environment and seed: threads, queries and saving do not change it.

use vivarium_agents::Learner;
use vivarium_agents::LearnerError;
use vivarium_agents::ppo::{
    ActionSelection, Ppo, PpoConfig, PpoReport, PpoState, PpoWork, Tensor, TensorData,
};
use vivarium_envs::{CartPole, CompiledWorld, Environment, MountainCar, each_world};
use vivarium_graph::Cpu;

/// Returns a PPO config with several blocks of environments (the last one incomplete) and minibatches that do not
/// divide the batch.
fn config() -> PpoConfig {
    PpoConfig {
        num_envs: 300,
        horizon: 24,
        minibatch: 1000,
        epochs: 2,
        hidden: vec![16, 16],
        ..PpoConfig::default()
    }
}

fn learner<W: CompiledWorld>(config: PpoConfig) -> Ppo {
    Ppo::new(config, Environment::of::<W>(), 11).unwrap()
}

fn run<W: CompiledWorld>(
    config: PpoConfig,
    threads: usize,
    iterations: usize,
) -> (Vec<PpoReport>, Vec<Tensor>) {
    let cpu = Cpu::new(threads);
    let mut learner = learner::<W>(config);
    let reports = (0..iterations).map(|_| learner.iterate(&cpu).unwrap()).collect();
    (reports, learner.save())
}

#[test]
fn threads_change_nothing() {
    fn check<W: CompiledWorld>() {
        let one = run::<W>(config(), 1, 4);
        for threads in [2, 5] {
            assert!(one == run::<W>(config(), threads, 4), "{} differs on {threads} threads", W::NAME);
        }
    }
    each_world!(check());
}

#[test]
fn seeds_change_everything() {
    let cpu = Cpu::new(1);
    let mut other = Ppo::new(config(), Environment::of::<CartPole>(), 12).unwrap();
    let report = other.iterate(&cpu).unwrap();
    assert_ne!(report, run::<CartPole>(config(), 1, 1).0[0]);
}

#[test]
fn a_restored_run_continues_exactly() {
    fn check<W: CompiledWorld>() {
        let cpu = Cpu::new(1);
        let config = PpoConfig { stagger: true, ..config() };
        let mut whole = learner::<W>(config.clone());
        for _ in 0..3 {
            whole.iterate(&cpu).unwrap();
        }
        // Saves at several points of an iteration, during rollout and update.
        for slices in [0, 1, 5] {
            for _ in 0..slices {
                whole.advance(&cpu).unwrap();
            }
            let mut resumed =
                Ppo::restore(config.clone(), Environment::of::<W>(), 11, &whole.save()).unwrap();
            for _ in 0..3 {
                assert_eq!(whole.iterate(&cpu).unwrap(), resumed.iterate(&cpu).unwrap(), "{}", W::NAME);
            }
            assert!(whole.save() == resumed.save(), "{}", W::NAME);
        }
    }
    each_world!(check());
}

#[test]
fn a_learner_that_adopts_a_state_continues_like_its_source() {
    fn check<W: CompiledWorld>() {
        let cpu = Cpu::new(1);
        let config = PpoConfig { stagger: true, ..config() };
        let mut whole = learner::<W>(config.clone());
        let start = whole.state().clone();
        let first = whole.iterate(&cpu).unwrap();
        for _ in 0..2 {
            whole.iterate(&cpu).unwrap();
        }
        let mut other = learner::<W>(config);
        other.advance(&cpu).unwrap();
        other.adopt(whole.state()).unwrap();
        assert!(other.state() == whole.state() && other.save() == whole.save(), "{}", W::NAME);
        assert_eq!(whole.iterate(&cpu).unwrap(), other.iterate(&cpu).unwrap(), "{}", W::NAME);
        // Returns to the initial state.
        other.adopt(&start).unwrap();
        assert_eq!(other.iterate(&cpu).unwrap(), first, "{}", W::NAME);
    }
    each_world!(check());
}

#[test]
fn a_mismatched_state_is_rejected_and_changes_nothing() {
    let mut learner = learner::<CartPole>(config());
    let before = learner.state().clone();
    let refused = |learner: &mut Ppo, change: &dyn Fn(&mut PpoState)| {
        let mut state = before.clone();
        change(&mut state);
        let error = learner.adopt(&state).unwrap_err().to_string();
        assert!(*learner.state() == before);
        error
    };
    let error = refused(&mut learner, &|state| state.weights.truncate(100));
    assert!(error.contains("weights") && error.contains("100"), "{error}");
    let error = refused(&mut learner, &|state| state.running.whole.push(true));
    assert!(error.contains("whole episodes") && error.contains("300 are needed"), "{error}");
    let error = refused(&mut learner, &|state| state.envs.states[7] = f32::NAN);
    assert!(error.contains("pole angular velocity"), "{error}");
}

#[test]
fn queries_and_evaluations_do_not_change_training() {
    let cpu = Cpu::new(1);
    let mut watched = learner::<CartPole>(config());
    for _ in 0..2 {
        while watched.advance(&cpu).unwrap().finished().is_none() {
            watched.evaluate(&cpu, 10, 3).unwrap();
            let _ = watched.policy_and_value(&[0.0; 8]);
            let _ = watched.act(&[0.0; 8], ActionSelection::Sampled { seed: 1, step: 2 });
            let _ = watched.save();
        }
    }
    assert!(watched.save() == run::<CartPole>(config(), 1, 2).1);
}

#[test]
fn evaluation_depends_on_its_seed_alone() {
    let learner = learner::<CartPole>(config());
    let one = learner.evaluate(&Cpu::new(1), 150, 5).unwrap();
    assert_eq!(one.len(), 150);
    assert_eq!(one, learner.evaluate(&Cpu::new(3), 150, 5).unwrap());
    assert_ne!(one, learner.evaluate(&Cpu::new(1), 150, 6).unwrap());
    // An untrained policy lets the pole fall.
    assert!(one.iter().all(|episode| episode.terminated && episode.total == episode.length as f32));
    assert!(learner.evaluate(&Cpu::new(1), 0, 5).is_err());
}

#[test]
fn the_evaluated_state_is_the_saved_state() {
    let cpu = Cpu::new(1);
    let mut learner = learner::<CartPole>(PpoConfig { learning_rate: 0.1, ..config() });
    learner.iterate(&cpu).unwrap();
    // Advances to a gradient step in the middle of the next iteration.
    while learner.next_work() == PpoWork::Rollout {
        learner.advance(&cpu).unwrap();
    }
    for _ in 0..3 {
        learner.advance(&cpu).unwrap();
    }
    let restored =
        Ppo::restore(learner.config().clone(), learner.environment().clone(), 11, &learner.save()).unwrap();
    assert_eq!(learner.evaluate(&cpu, 50, 1).unwrap(), restored.evaluate(&cpu, 50, 1).unwrap());
}

#[test]
fn a_damaged_state_is_rejected_with_the_tensor_name() {
    let (_, tensors) = run::<CartPole>(config(), 1, 1);
    let refused = |change: &dyn Fn(&mut Vec<Tensor>)| {
        let mut tensors = tensors.clone();
        change(&mut tensors);
        Ppo::restore(config(), Environment::of::<CartPole>(), 11, &tensors)
            .err()
            .expect("a refusal")
            .to_string()
    };
    for name in tensors.iter().map(|tensor| &tensor.name) {
        let error = refused(&|tensors| tensors.retain(|tensor| tensor.name != *name));
        assert!(error.contains(name) && error.contains("missing"), "{error}");
        let error =
            refused(&|tensors| tensors.iter_mut().filter(|t| t.name == *name).for_each(|t| t.shape.push(2)));
        assert!(error.contains(name), "{error}");
        let error = refused(&|tensors| {
            for tensor in tensors.iter_mut().filter(|tensor| tensor.name == *name) {
                match &mut tensor.values {
                    TensorData::F32(values) => values[0] = f32::NAN,
                    TensorData::F64(values) => values[0] = f64::INFINITY,
                    TensorData::U64(_) | TensorData::U32(_) => tensor.values = TensorData::F32(vec![1.0]),
                }
            }
        });
        assert!(error.contains(name), "{error}");
    }
    let small = PpoConfig { hidden: vec![8], ..config() };
    assert!(Ppo::restore(small, Environment::of::<CartPole>(), 11, &tensors).is_err());
    assert!(Ppo::restore(config(), Environment::of::<MountainCar>(), 11, &tensors).is_err());
}

#[test]
fn divergence_is_an_error_and_the_weights_stay_finite() {
    fn check<W: CompiledWorld>() {
        let cpu = Cpu::new(1);
        let mut tensors = learner::<W>(config()).save();
        // The weights are finite, but the outputs of the network are not.
        for tensor in tensors.iter_mut().filter(|tensor| tensor.name.starts_with("weights/")) {
            if let TensorData::F32(values) = &mut tensor.values {
                values.fill(3e38);
            }
        }
        let mut learner = Ppo::restore(config(), Environment::of::<W>(), 11, &tensors).unwrap();
        let error = learner.iterate(&cpu).unwrap_err();
        assert!(matches!(error, LearnerError::NotFinite { .. }), "{}: {error}", W::NAME);
        assert!(error.to_string().contains("finite"), "{error}");
        assert!(learner.save() == tensors);
    }
    each_world!(check());
}

#[test]
fn live_fields_change_a_running_learner_and_other_fields_are_rejected() {
    let cpu = Cpu::new(1);
    let mut learner = learner::<CartPole>(config());
    learner.iterate(&cpu).unwrap();
    learner.set_config(PpoConfig { learning_rate: 1e-5, anneal_steps: 0, ..config() }).unwrap();
    assert!((learner.iterate(&cpu).unwrap().learning_rate - 1e-5).abs() < 1e-9);
    let error = learner.set_config(PpoConfig { horizon: 8, ..config() }).unwrap_err();
    assert!(matches!(error, LearnerError::Config(error) if error.field == "ppo.horizon"));
    let before = learner.environment().clone();
    let mut world = before.params::<CartPole>().unwrap();
    world.gravity = -5.0;
    assert!(learner.set_environment(Environment::with_params::<CartPole>(&world)).is_err());
    assert!(learner.set_environment(Environment::of::<MountainCar>()).is_err());
    assert_eq!(*learner.environment(), before);
    world.gravity = 1.6;
    learner.set_environment(Environment::with_params::<CartPole>(&world)).unwrap();
    learner.iterate(&cpu).unwrap();
    assert_eq!(learner.environment().params::<CartPole>().unwrap().gravity, 1.6);
}
