//! The cubes on a GPU: the same run on either engine, moved between them.

#[path = "../../../tests/shared/close.rs"]
mod close;
#[path = "../../../tests/shared/on.rs"]
mod on;
#[path = "../../../../gpu/tests/shared/open.rs"]
mod open;
#[path = "../../../tests/shared/rows.rs"]
mod rows;

use close::assert_close;
use on::on;
use open::open;
use rows::rows;
use serde_json::{Value, json};
use vivarium_exhibit_cube::protocol::CubeCommand;
use vivarium_exhibit_cube::{CubeExhibit, FAMILY};
use vivarium_graph::Cpu;
use vivarium_lab::Engine;
use vivarium_lab::protocol::EngineInfo;

/// Each cube with a config small enough for tests.
fn cubes() -> [(&'static str, Value); 2] {
    let two = json!({
        "dqn": {
            "hidden": [16], "num_envs": 8, "replay": 500, "warm_up": 64, "minibatch": 32, "iteration": 10,
            "demonstrations": 640
        }
    });
    let three = json!({
        "learner": { "width": 16, "blocks": 1, "depth": 5, "scrambles": 6, "iteration": 10 },
        "tests": { "every": 0 }
    });
    [("cube2", two), ("cube3", three)]
}

/// An experiment without an evaluation beside training.
fn make(name: &str, config: &Value) -> Box<CubeExhibit> {
    let mut experiment = FAMILY.create(name, config, 7).unwrap();
    if name == "cube2" {
        experiment.command(CubeCommand::SetEvaluation { on: false }).unwrap();
    }
    experiment
}

#[test]
fn they_train_there_and_report_what_they_report_on_the_cpu() {
    let gpu = open();
    for (name, config) in cubes() {
        let (mut there, mut here) = (on(&gpu, make(name, &config)), make(name, &config));
        assert!(matches!(there.engine(), EngineInfo::Gpu { .. }));
        assert_close(name, &rows(&mut *there, 4), &rows(&mut *here, 4));
    }
}

#[test]
fn a_run_moves_there_and_back_and_is_saved_with_what_it_learnt() {
    let gpu = open();
    for (name, config) in cubes() {
        let mut experiment = make(name, &config);
        rows(&mut *experiment, 1);
        let before = experiment.progress();
        experiment.set_engine(Engine::Gpu(gpu.clone())).unwrap();
        assert_eq!(experiment.progress(), before);
        rows(&mut *experiment, 2);
        let saved = experiment.save();
        let mut opened = FAMILY.open(&saved).unwrap();
        assert_eq!(opened.progress(), experiment.progress());
        assert_eq!(opened.engine(), EngineInfo::Cpu);
        experiment.set_engine(Engine::Cpu).unwrap();
        assert_eq!(experiment.engine(), EngineInfo::Cpu);
        // Both go on from the same state with the same numbers.
        for (moved, opened) in rows(&mut *experiment, 1).iter().zip(rows(&mut *opened, 1)) {
            assert_eq!(*moved, opened);
        }
    }
}

#[test]
fn a_network_is_evaluated_there_and_on_the_cpu_where_that_is_lost() {
    let (name, config) = cubes()[1].clone();
    let (gpu, cpu) = (open(), Cpu::new(2));
    let (mut there, mut here) = (on(&gpu, make(name, &config)), make(name, &config));
    let expected = here.evaluate(&cpu, 1, 5).unwrap();
    assert_eq!(there.evaluate(&cpu, 1, 5).unwrap(), expected);
    assert!(matches!(there.engine(), EngineInfo::Gpu { .. }));
    let bytes = gpu.memory().bytes;
    there.evaluate(&cpu, 1, 6).unwrap();
    assert_eq!(gpu.memory().bytes, bytes, "an evaluation takes the memory of the one before");
    gpu.destroy();
    assert_eq!(there.evaluate(&cpu, 1, 5).unwrap(), expected);
    assert_eq!(there.engine(), EngineInfo::Cpu);
    let rows = there.take_metrics();
    assert!(rows.iter().any(|row| row.notice.as_ref().is_some_and(|notice| notice.contains("on the CPU"))));
}
