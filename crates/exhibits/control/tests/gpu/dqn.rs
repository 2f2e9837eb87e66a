//! Tests of DQN in control experiments on a GPU: equal metrics on both engines, moves between engines, changes of
//! config fields during a run, device loss.

use crate::close::assert_close;
use crate::common::open;
use crate::on::on;
use crate::rows::rows;
use serde_json::json;
use vivarium_exhibit_control::{ControlExhibit, FAMILY};
use vivarium_graph::Cpu;
use vivarium_lab::Engine;
use vivarium_lab::checkpoint::{self, TensorData};
use vivarium_lab::protocol::EngineInfo;

/// Returns the names of the control experiments that offer DQN: the experiments with discrete actions.
fn discrete() -> impl Iterator<Item = &'static str> {
    let has_dqn = |name: &&str| FAMILY.configure(name, &json!({})).unwrap().get("dqn").is_some();
    FAMILY.names().into_iter().filter(has_dqn)
}

/// Creates the experiment `name` with the learner DQN, and with a network and a replay buffer small enough for tests.
fn make(name: &str) -> Box<ControlExhibit> {
    let dqn = json!({
        "num_envs": 8, "hidden": [16], "replay_capacity": 512, "warm_up": 64, "minibatch": 32, "iteration": 10,
        "target_every": 7, "epsilon_steps": 1000
    });
    FAMILY.create(name, &json!({"learner": "dqn", "dqn": dqn}), 7).unwrap()
}

#[test]
fn trains_on_the_gpu_with_the_same_metrics() {
    let gpu = open();
    for name in discrete() {
        let (mut there, mut here) = (on(&gpu, make(name)), make(name));
        assert!(matches!(there.engine(), EngineInfo::Gpu { .. }));
        assert_close(name, &rows(&mut *there, 4), &rows(&mut *here, 4));
        assert!(matches!(there.engine(), EngineInfo::Gpu { .. }));
    }
}

#[test]
fn live_fields_apply_on_the_gpu() {
    let gpu = open();
    let (mut there, mut here) = (on(&gpu, make("cartpole")), make("cartpole"));
    for experiment in [&mut there, &mut here] {
        rows(&mut **experiment, 2);
        experiment.set("dqn.double", &json!(false)).unwrap();
        experiment.set("dqn.learning_rate", &json!(1e-4)).unwrap();
        experiment.set("world.gravity", &json!(3)).unwrap();
    }
    assert_close("cartpole", &rows(&mut *there, 2), &rows(&mut *here, 2));
    assert_eq!(there.config(), here.config());
    assert_ne!(there.engine(), EngineInfo::Cpu);
}

#[test]
fn a_run_moves_to_the_gpu_and_back_and_keeps_its_training() {
    let gpu = open();
    for name in discrete() {
        let mut experiment = make(name);
        rows(&mut *experiment, 1);
        // Advance into the middle of an iteration.
        for _ in 0..5 {
            experiment.advance(&Cpu::new(1)).unwrap();
        }
        let before = experiment.save();
        experiment.set_engine(Engine::Gpu(gpu.clone())).unwrap();
        assert!(experiment.save() == before, "{name}: the state changed in the copy to the GPU");
        experiment.set_engine(Engine::Cpu).unwrap();
        assert!(experiment.save() == before, "{name}: the state changed in the copy to the CPU");
        experiment.set_engine(Engine::Gpu(gpu.clone())).unwrap();
        rows(&mut *experiment, 2);
        let saved = experiment.save();
        experiment.set_engine(Engine::Cpu).unwrap();
        assert!(experiment.save() == saved, "{name}: the GPU's training progress was lost");
        let mut opened = FAMILY.open(&saved).unwrap();
        assert_eq!(opened.engine(), EngineInfo::Cpu);
        // Both continue from the same state with the same random numbers.
        assert_eq!(rows(&mut *experiment, 2), rows(&mut *opened, 2), "{name}");
    }
}

#[test]
fn a_run_continues_on_the_cpu_after_device_loss_and_reports_it() {
    let gpu = open();
    let mut experiment = on(&gpu, make("cartpole"));
    rows(&mut *experiment, 2);
    let steps = experiment.progress().steps;
    gpu.destroy();
    let row = rows(&mut *experiment, 1).remove(0);
    assert!(row.notice.as_ref().is_some_and(|notice| notice.contains("on the CPU")), "{row:?}");
    assert_eq!(experiment.engine(), EngineInfo::Cpu);
    assert!(rows(&mut *experiment, 1)[0].steps > steps);
}

#[test]
fn training_that_diverges_on_the_gpu_rolls_back_and_stays_there() {
    let gpu = open();
    let mut experiment = make("cartpole");
    rows(&mut *experiment, 1);
    // Weights that cause infinite values; the weights of the best state are valid.
    let (header, tensors) = checkpoint::read(&experiment.save()).unwrap();
    let mut tensors = tensors.into_vec();
    let broken = tensors.iter_mut().filter(|tensor| tensor.name.starts_with("weights/"));
    for tensor in broken {
        if let TensorData::F32(values) = &mut tensor.values {
            values.fill(f32::MAX);
        }
    }
    let mut experiment = FAMILY.open(&checkpoint::write(&header, &tensors)).unwrap();
    experiment.set_engine(Engine::Gpu(gpu)).unwrap();
    let notice = rows(&mut *experiment, 1).remove(0).notice.unwrap();
    assert!(notice.contains("back at its best state"), "{notice}");
    assert_ne!(experiment.engine(), EngineInfo::Cpu);
    let row = rows(&mut *experiment, 1).remove(0);
    assert!(row.values.iter().all(|(_, value)| value.is_finite()), "{row:?}");
    assert_ne!(experiment.engine(), EngineInfo::Cpu);
}
