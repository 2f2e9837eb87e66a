//! Tests of PPO in control experiments on a GPU: metrics, moves between engines, device loss, divergence.

use crate::common::open;
use crate::notice::notice;
use crate::on::on;
use crate::steps::advance_to;
use serde_json::{Value, json};
use vivarium_exhibit_control::protocol::ControlView;
use vivarium_exhibit_control::{ControlExhibit, FAMILY};
use vivarium_graph::Cpu;
use vivarium_lab::protocol::{EngineInfo, MetricRow};
use vivarium_lab::{Engine, LabError};

/// Returns a PPO config with small networks and batches, valid in every control experiment.
fn small() -> Value {
    json!({"ppo": {"num_envs": 16, "horizon": 16, "minibatch": 64, "epochs": 2, "hidden": [8, 8]}})
}

/// Number of environment steps of one training iteration with the config [`small`]: 16 environments × 16 steps.
const ITERATION: u64 = 16 * 16;

fn make(name: &str) -> Box<ControlExhibit> {
    FAMILY.create(name, &small(), 7).unwrap()
}

fn set(experiment: &mut ControlExhibit, path: &str, value: Value) -> Result<(), LabError> {
    experiment.set(path, &value)
}

#[test]
fn every_experiment_trains_on_the_gpu_with_the_same_metrics() {
    let gpu = open();
    for name in FAMILY.names() {
        let mut experiment = on(&gpu, make(name));
        let report = gpu.adapter_info();
        let info = EngineInfo::Gpu { adapter: report.name.clone(), software: report.software };
        assert_eq!(experiment.engine(), info);
        // The run is long enough for every environment to end an episode, even with a staggered start.
        let limit = (vivarium_exhibit_control::DESCRIPTIONS.find(name).unwrap().info)().world["max_steps"]
            .as_u64()
            .unwrap();
        let steps = (2 * limit * 16).next_multiple_of(ITERATION);
        advance_to(&mut *experiment, steps);
        assert_eq!(experiment.progress().steps, steps, "whole iterations alone are reported");
        assert!(experiment.progress().episodes > 0 && experiment.progress().updates > 0);
        let rows = experiment.take_metrics();
        assert_eq!(rows.len() as u64, steps / ITERATION);
        assert!(rows.iter().flat_map(|row| &row.values).all(|(_, value)| value.is_finite()), "{name}");
        let mut beside = make(name);
        advance_to(&mut *beside, steps);
        let named = |rows: &[MetricRow]| -> Vec<String> {
            rows.last().unwrap().values.iter().map(|(name, _)| name.clone()).collect()
        };
        assert_eq!(named(&rows), named(&beside.take_metrics()), "{name}");
        let view = ControlView { members: 5, focus: 0, map: None };
        let frame = experiment.frame(&view, 0.1);
        assert_eq!(frame.arrays[0].shape[0], 5);
        assert_eq!(experiment.evaluate(&Cpu::new(1), 3, 1).unwrap().details["episodes"], 3);
        assert_eq!(experiment.engine(), info, "the experiment stays on the GPU");
    }
}

#[test]
fn a_move_keeps_weights_and_optimizer_bit_for_bit() {
    let gpu = open();
    for name in FAMILY.names() {
        let mut stayed = make(name);
        advance_to(&mut *stayed, 4 * ITERATION);
        // Advance into the middle of an iteration, after some gradient steps.
        while stayed.phase() == "rollout" {
            stayed.advance(&Cpu::new(1)).unwrap();
        }
        stayed.advance(&Cpu::new(1)).unwrap();
        let saved = stayed.save();
        let mut moved = FAMILY.open(&saved).unwrap();
        moved.set_engine(Engine::Gpu(gpu.clone())).unwrap();
        assert!(moved.save() == saved, "{name}: the state changed in the copy to the GPU");
        moved.set_engine(Engine::Cpu).unwrap();
        assert!(moved.save() == saved, "{name}: the state changed in the copy to the CPU");
        assert_eq!(moved.engine(), EngineInfo::Cpu);
        stayed.take_metrics();
        advance_to(&mut *stayed, 8 * ITERATION);
        advance_to(&mut *moved, 8 * ITERATION);
        assert_eq!(
            moved.take_metrics(),
            stayed.take_metrics(),
            "{name}: moving to the GPU and back must not change the run"
        );

        // Repeat the test after work on the GPU, with more gradient steps in flight.
        moved.set_engine(Engine::Gpu(gpu.clone())).unwrap();
        advance_to(&mut *moved, 12 * ITERATION);
        let saved = moved.save();
        moved.set_engine(Engine::Cpu).unwrap();
        assert!(moved.save() == saved, "{name}: the GPU's training progress was lost");
        let mut opened = FAMILY.open(&saved).unwrap();
        moved.take_metrics();
        advance_to(&mut *moved, 16 * ITERATION);
        advance_to(&mut *opened, 16 * ITERATION);
        assert_eq!(moved.take_metrics(), opened.take_metrics(), "{name}");
    }
}

#[test]
fn the_same_seed_gives_the_same_run_on_one_adapter() {
    let gpu = open();
    let run = |name: &str| {
        let mut experiment = on(&gpu, make(name));
        advance_to(&mut *experiment, 6 * ITERATION);
        experiment.save()
    };
    assert!(run("cartpole") == run("cartpole"));
}

#[test]
fn a_lost_device_costs_nothing_learned() {
    let gpu = open();
    let mut experiment = on(&gpu, make("cartpole"));
    advance_to(&mut *experiment, 4 * ITERATION);
    experiment.take_metrics();
    let (saved, steps) = (experiment.save(), experiment.progress().steps);
    gpu.destroy();
    let cpu = Cpu::new(1);
    // Iterations in flight may still arrive.
    while experiment.engine() != EngineInfo::Cpu {
        assert!(experiment.progress().steps <= steps + 2 * ITERATION, "no error is reported yet");
        experiment.advance(&cpu).unwrap();
    }
    let rows = experiment.take_metrics();
    let notice = rows.last().and_then(|row| row.notice.clone()).unwrap();
    assert!(notice.starts_with("The GPU was lost") && notice.contains("on the CPU"), "{notice}");
    if rows.len() == 1 {
        assert!(experiment.save() == saved, "training continues from the last finished iteration");
    }
    advance_to(&mut *experiment, 8 * ITERATION);
    assert!(!experiment.take_metrics().is_empty());
    // A lost device cannot be selected again; the run stays on the CPU.
    let error = experiment.set_engine(Engine::Gpu(gpu)).unwrap_err();
    assert!(error.to_string().contains("lost"), "{error}");
    assert_eq!(experiment.engine(), EngineInfo::Cpu);
}

#[test]
fn live_fields_apply_on_the_gpu() {
    let gpu = open();
    let mut experiment = on(&gpu, make("cartpole"));
    advance_to(&mut *experiment, 2 * ITERATION);
    set(&mut *experiment, "ppo.learning_rate", json!(1e-4)).unwrap();
    set(&mut *experiment, "ppo.anneal_steps", json!(0)).unwrap();
    set(&mut *experiment, "world.gravity", json!(3)).unwrap();
    assert!(set(&mut *experiment, "ppo.num_envs", json!(9)).is_err());
    assert!(set(&mut *experiment, "world.gravity", json!(1e9)).is_err());
    advance_to(&mut *experiment, 8 * ITERATION);
    let last = experiment.take_metrics().pop().unwrap();
    let rate = last.values.iter().find(|(name, _)| name == "learning_rate").unwrap().1;
    assert!((rate - 1e-4).abs() < 1e-9, "{rate}");
    assert_ne!(experiment.engine(), EngineInfo::Cpu);
    let opened = FAMILY.open(&experiment.save()).unwrap();
    assert_eq!(opened.config(), experiment.config());
    assert_eq!(opened.config()["world"]["gravity"], json!(3.0));
}

#[test]
fn a_batch_that_is_too_large_is_rejected_with_the_limit() {
    let gpu = open();
    // The activations of this minibatch exceed the adapter's maximum buffer size.
    let row = 4 * (512 + 512);
    let minibatch = 1 << 20;
    assert!(gpu.adapter_info().largest_buffer < row * minibatch, "{:?}", gpu.adapter_info());
    let config =
        json!({"ppo": {"num_envs": 4096, "horizon": 256, "minibatch": minibatch, "hidden": [512, 512]}});
    let mut experiment = FAMILY.create("cartpole", &config, 1).unwrap();
    let error = experiment.set_engine(Engine::Gpu(gpu.clone())).unwrap_err();
    let LabError::Invalid { field, value, allowed } = error else { panic!("{error}") };
    assert_eq!((field.as_str(), value), ("ppo.minibatch", minibatch.to_string()));
    assert!(allowed.contains(&gpu.adapter_info().name) && allowed.contains("at most"), "{allowed}");
    assert_eq!(experiment.engine(), EngineInfo::Cpu);
    // The device is still usable.
    gpu.check().unwrap();
    let mut other = on(&gpu, make("cartpole"));
    advance_to(&mut *other, ITERATION);
}

#[test]
fn a_learner_that_diverges_on_the_gpu_rolls_back_and_stays_there() {
    let gpu = open();
    let mut experiment = on(&gpu, make("cartpole"));
    advance_to(&mut *experiment, 60_000);
    // A huge learning rate without gradient clipping.
    set(&mut *experiment, "ppo.max_gradient_norm", json!(0)).unwrap();
    set(&mut *experiment, "ppo.learning_rate", json!(1.0)).unwrap();
    set(&mut *experiment, "ppo.anneal_steps", json!(0)).unwrap();
    experiment.take_metrics();
    let notice = notice(&mut *experiment, 1_000_000);
    assert!(notice.contains("back at its best state") && notice.contains("0.5"), "{notice}");
    assert_ne!(experiment.engine(), EngineInfo::Cpu);
    let steps = experiment.progress().steps;
    advance_to(&mut *experiment, steps + ITERATION);
    let rate = experiment.take_metrics().pop().unwrap();
    assert!(rate.values.contains(&("learning_rate".into(), 0.5)), "{rate:?}");
}

#[test]
#[ignore = "takes minutes on a software adapter"]
fn default_configs_solve_their_environments_on_the_gpu() {
    let (gpu, cpu) = (open(), Cpu::new(2));
    for name in FAMILY.names() {
        let solved =
            vivarium_exhibit_control::DESCRIPTIONS.find(name).unwrap().measures.scale().unwrap().solved;
        let mut experiment = on(&gpu, FAMILY.create(name, &json!({}), 1).unwrap());
        for steps in (1..).map(|evaluation| evaluation * 50_000) {
            advance_to(&mut *experiment, steps);
            let mean = experiment.evaluate(&cpu, 1000, 1).unwrap().quality().unwrap();
            if mean >= solved {
                break;
            }
            assert!(steps < 3_000_000, "{name} came to {mean} in {steps} steps; solved at {solved}");
        }
    }
}
