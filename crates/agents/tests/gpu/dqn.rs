//! Compares DQN on the GPU with DQN on the CPU; results agree within rounding.

use crate::common::{finish, gpu, open};
use crate::configs;
use crate::tensors::{assert_close, numbers};
use vivarium_agents::dqn::gpu_trainer::DqnGpuTrainer;
use vivarium_agents::dqn::{
    ControlProblem, CubeParams, CubeProblem, Dqn, DqnConfig, DqnProblem, DqnReport, DqnWork,
};
use vivarium_agents::{Learner, LearnerError};
use vivarium_envs::{CartPole, Environment};
use vivarium_gpu::Gpu;
use vivarium_graph::{Cpu, TensorData};

fn config() -> DqnConfig {
    DqnConfig { warm_up: 100, minibatch: 50, iteration: 10, ..configs::dqn() }
}

/// Runs an iteration of DQN on the GPU. Returns its report and the kinds of its work.
fn iterate<P: DqnProblem>(trainer: &mut DqnGpuTrainer, learner: &mut Dqn<P>) -> (DqnReport, Vec<DqnWork>) {
    let cpu = Cpu::new(2);
    finish(|| trainer.advance(&cpu, learner))
}

/// Checks that `iterations` iterations give equal results on GPU and CPU. Returns the kinds of their work.
fn agree<P: DqnProblem>(config: &DqnConfig, params: &P::Params, iterations: usize) -> Vec<DqnWork> {
    let cpu = Cpu::new(1);
    let [mut there, mut here] = [0, 1].map(|_| Dqn::<P>::new(config.clone(), params.clone(), 5).unwrap());
    // Both learners make a part of an iteration on the CPU, before one of them moves to the GPU.
    for learner in [&mut there, &mut here] {
        for _ in 0..15 {
            learner.advance(&cpu).unwrap();
        }
    }
    let mut trainer = DqnGpuTrainer::new(gpu(), &there).unwrap();
    let mut all = Vec::new();
    for _ in 0..iterations {
        let (found, kinds) = iterate(&mut trainer, &mut there);
        let expected = here.iterate(&cpu).unwrap();
        all.extend(kinds);
        assert_eq!(found.counters, expected.counters);
        assert_close(&numbers(there.save()), &numbers(here.save()));
    }
    drop(trainer);
    there.iterate(&cpu).unwrap();
    here.iterate(&cpu).unwrap();
    assert_close(&numbers(there.save()), &numbers(here.save()));
    all
}

#[test]
fn a_pole_is_learned_as_on_the_cpu() {
    let all = agree::<ControlProblem>(&config(), &Environment::of::<CartPole>(), 5);
    assert!(all.contains(&DqnWork::Act) && all.contains(&DqnWork::Learn));
}

#[test]
fn so_it_is_with_a_slow_target_network_and_without_any() {
    for (double, target_every, target_rate) in [(true, 0, 0.01), (false, 5, 0.0), (true, 0, 0.0)] {
        let config = DqnConfig { double, target_every, target_rate, ..config() };
        agree::<ControlProblem>(&config, &Environment::of::<CartPole>(), 2);
    }
}

#[test]
fn target_cost_depends_on_the_configured_networks() {
    let cost = |double, target_every| {
        let config = DqnConfig { double, target_every, ..config() };
        let learner = Dqn::<ControlProblem>::new(config, Environment::of::<CartPole>(), 5).unwrap();
        DqnGpuTrainer::new(gpu(), &learner).unwrap().cost()
    };
    // One network selects and evaluates: the target network, or the online one.
    let [both, target, online] = [cost(true, 7), cost(false, 7), cost(true, 0)];
    assert_eq!((target.dispatches, target.bytes_copied), (online.dispatches, online.bytes_copied));
    assert!(target.dispatches < both.dispatches && target.bytes_copied < both.bytes_copied);
}

#[test]
fn a_change_of_the_target_networks_applies_immediately() {
    let (cpu, params) = (Cpu::new(1), Environment::of::<CartPole>());
    let [mut there, mut here] =
        [0, 1].map(|_| Dqn::<ControlProblem>::new(config(), params.clone(), 5).unwrap());
    let mut trainer = DqnGpuTrainer::new(gpu(), &there).unwrap();
    for (double, target_every) in [(true, 7), (false, 7), (false, 0), (true, 7)] {
        for learner in [&mut there, &mut here] {
            learner.set_config(DqnConfig { double, target_every, ..config() }).unwrap();
        }
        iterate(&mut trainer, &mut there);
        here.iterate(&cpu).unwrap();
        assert_close(&numbers(there.save()), &numbers(here.save()));
    }
}

#[test]
fn a_cube_is_learned_from_demonstrations_and_by_trying() {
    let config = DqnConfig { demonstrations: 1_500, ..config() };
    let all = agree::<CubeProblem>(&config, &CubeParams::default(), 5);
    for work in [DqnWork::Pretrain, DqnWork::Act, DqnWork::Learn] {
        assert!(all.contains(&work), "{work:?}");
    }
}

#[test]
fn programs_for_demonstrations_are_freed_after_pretraining() {
    let config = DqnConfig { demonstrations: 1_500, iteration: 5, ..config() };
    let begun = || Dqn::<CubeProblem>::new(config.clone(), CubeParams::default(), 5).unwrap();
    let bytes = |gpu: &Gpu, learner: &mut Dqn<CubeProblem>, last: DqnWork| {
        let mut trainer = DqnGpuTrainer::new(gpu, learner).unwrap();
        while !iterate(&mut trainer, learner).1.contains(&last) {}
        gpu.memory().bytes
    };
    let mut learner = begun();
    let before = bytes(&open(), &mut learner, DqnWork::Pretrain);
    let after = bytes(&open(), &mut learner, DqnWork::Learn);
    // The memory use equals that without pretraining, because the pretraining programs are freed first.
    assert_eq!(bytes(&open(), &mut learner, DqnWork::Learn), after);
    let gpu = open();
    gpu.limit_memory(before.max(after));
    bytes(&gpu, &mut begun(), DqnWork::Learn);
}

#[test]
fn non_finite_values_stop_training_on_the_gpu() {
    let cpu = Cpu::new(1);
    let params = Environment::of::<CartPole>();
    let mut learner = Dqn::<ControlProblem>::new(config(), params.clone(), 5).unwrap();
    learner.iterate(&cpu).unwrap();
    let mut tensors = learner.save();
    for tensor in &mut tensors {
        if let TensorData::F32(values) = &mut tensor.values
            && tensor.name.ends_with("hidden.0.weight")
        {
            values.fill(f32::MAX);
        }
    }
    let mut learner = Dqn::<ControlProblem>::restore(config(), params, 5, &tensors).unwrap();
    let mut trainer = DqnGpuTrainer::new(gpu(), &learner).unwrap();
    let error = loop {
        if let Err(error) = trainer.advance(&cpu, &mut learner) {
            break error;
        }
    };
    assert!(matches!(error, LearnerError::NotFinite(_)), "{error}");
}
