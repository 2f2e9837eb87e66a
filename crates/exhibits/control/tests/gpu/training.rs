//! The control experiments on a GPU: the same run on either engine, moved between them, and what happens when the device
//! goes away.

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

/// The control experiments.
const WORLDS: [&str; 4] = ["cartpole", "mountain-car", "pendulum", "acrobot"];

/// A config small enough for tests, of any experiment.
fn small() -> Value {
    json!({"ppo": {"num_envs": 16, "horizon": 16, "minibatch": 64, "epochs": 2, "hidden": [8, 8]}})
}

/// Steps of one iteration of it.
const ITERATION: u64 = 16 * 16;

fn make(name: &str) -> Box<ControlExhibit> {
    FAMILY.create(name, &small(), 7).unwrap()
}

fn set(experiment: &mut ControlExhibit, path: &str, value: Value) -> Result<(), LabError> {
    experiment.set(path, &value)
}

#[test]
fn every_experiment_trains_there_and_reports_what_it_reports_on_the_cpu() {
    let gpu = open();
    for name in WORLDS {
        let mut experiment = on(&gpu, make(name));
        let report = gpu.adapter_info();
        let info = EngineInfo::Gpu { adapter: report.name.clone(), software: report.software };
        assert_eq!(experiment.engine(), info);
        // Each environment ends an episode in this time, even if its first one began in the middle.
        let limit = vivarium_exhibit_control::info(name).world["max_steps"].as_u64().unwrap();
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
        assert_eq!(experiment.engine(), info, "it is still there");
    }
}

#[test]
fn a_move_keeps_weights_and_optimizer_bit_for_bit() {
    let gpu = open();
    for name in WORLDS {
        let mut stayed = make(name);
        advance_to(&mut *stayed, 4 * ITERATION);
        // In the middle of an iteration, with some gradient steps taken.
        while stayed.phase() == "rollout" {
            stayed.advance(&Cpu::new(1)).unwrap();
        }
        stayed.advance(&Cpu::new(1)).unwrap();
        let saved = stayed.save();
        let mut moved = FAMILY.open(&saved).unwrap();
        moved.set_engine(Engine::Gpu(gpu.clone())).unwrap();
        assert!(moved.save() == saved, "{name}: it changed on the way there");
        moved.set_engine(Engine::Cpu).unwrap();
        assert!(moved.save() == saved, "{name}: it changed on the way back");
        assert_eq!(moved.engine(), EngineInfo::Cpu);
        stayed.take_metrics();
        advance_to(&mut *stayed, 8 * ITERATION);
        advance_to(&mut *moved, 8 * ITERATION);
        assert_eq!(moved.take_metrics(), stayed.take_metrics(), "{name}: it goes on as if nothing had been");

        // The same with work done there, and more under way.
        moved.set_engine(Engine::Gpu(gpu.clone())).unwrap();
        advance_to(&mut *moved, 12 * ITERATION);
        let saved = moved.save();
        moved.set_engine(Engine::Cpu).unwrap();
        assert!(moved.save() == saved, "{name}: something learned there was lost");
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
    // What was under way may still arrive.
    while experiment.engine() != EngineInfo::Cpu {
        assert!(experiment.progress().steps <= steps + 2 * ITERATION, "nobody notices");
        experiment.advance(&cpu).unwrap();
    }
    let rows = experiment.take_metrics();
    let notice = rows.last().and_then(|row| row.notice.clone()).unwrap();
    assert!(notice.starts_with("The GPU was lost") && notice.contains("on the CPU"), "{notice}");
    if rows.len() == 1 {
        assert!(experiment.save() == saved, "it goes on from the last finished iteration");
    }
    advance_to(&mut *experiment, 8 * ITERATION);
    assert!(!experiment.take_metrics().is_empty());
    // Once gone, it cannot be gone back to; the run stays where it is.
    let error = experiment.set_engine(Engine::Gpu(gpu)).unwrap_err();
    assert!(error.to_string().contains("lost"), "{error}");
    assert_eq!(experiment.engine(), EngineInfo::Cpu);
}

#[test]
fn what_is_set_while_it_runs_is_felt_there() {
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
fn a_batch_that_is_too_large_is_refused_with_what_is_possible() {
    let gpu = open();
    // A minibatch whose values, one row after another, fill more than the adapter gives in one buffer.
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
    // The device is as good as before.
    gpu.check().unwrap();
    let mut other = on(&gpu, make("cartpole"));
    advance_to(&mut *other, ITERATION);
}

#[test]
fn a_learner_that_breaks_down_there_goes_back_and_stays_there() {
    let gpu = open();
    let mut experiment = on(&gpu, make("cartpole"));
    advance_to(&mut *experiment, 60_000);
    // A step size at which nothing can be learned, and a gradient that nothing limits.
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
