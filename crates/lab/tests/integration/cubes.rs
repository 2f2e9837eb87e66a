//! What tests of cubes do at a table.

use serde_json::json;
use vivarium_graph::Cpu;
use vivarium_lab::protocol::cube::{CubeExam, CubeRun, CubeSolver, CubeStatus, CubeTable, CubeView};
use vivarium_lab::protocol::{Command, Frame, Reply, ViewRequest};
use vivarium_lab::{Experiment, registry};

/// A network so small that a test can wait for it.
pub fn small(name: &str) -> Box<dyn Experiment> {
    let config = if name == "cube2" {
        json!({
            "cube": { "features": "stickers" },
            "dqn": { "hidden": [16], "num_envs": 32, "warm_up": 256, "replay": 4096, "minibatch": 64, "iteration": 4 },
        })
    } else {
        json!({
            "learner": { "width": 32, "blocks": 0, "scrambles": 4, "depth": 10, "iteration": 5 },
            "tests": { "every": 2000, "cubes": 2 },
        })
    };
    registry::create(name, config, 3).unwrap()
}

pub fn look(experiment: &mut dyn Experiment, view: CubeView, elapsed: f32) -> Frame {
    experiment.frame(&ViewRequest::Cube(view), elapsed)
}

pub fn document<T: serde::de::DeserializeOwned>(frame: &Frame, name: &str) -> Option<T> {
    let documents = serde_json::to_value(&frame.documents).unwrap();
    documents.get(name).map(|document| serde_json::from_value(document.clone()).unwrap())
}

/// All documents, whatever was sent before.
pub fn everything(experiment: &mut dyn Experiment, elapsed: f32) -> Frame {
    look(experiment, CubeView::default(), 0.0);
    look(experiment, CubeView { documents: true, ..CubeView::default() }, elapsed)
}

pub fn table(experiment: &mut dyn Experiment) -> CubeTable {
    document(&everything(experiment, 0.0), "cube").unwrap()
}

pub fn exam(experiment: &mut dyn Experiment) -> Option<CubeExam> {
    document(&everything(experiment, 0.0), "exam").unwrap()
}

pub fn run(experiment: &mut dyn Experiment) -> CubeRun {
    document(&everything(experiment, 0.0), "run").unwrap()
}

pub fn obey(experiment: &mut dyn Experiment, command: Command) {
    assert_eq!(experiment.command(command.clone()), Ok(Reply::Done), "{command:?}");
}

pub fn apply(experiment: &mut dyn Experiment, turns: &str) {
    obey(experiment, Command::Apply { turns: turns.into() });
}

/// Trains until so many samples are learnt from.
pub fn train(experiment: &mut dyn Experiment, samples: u64) {
    let cpu = Cpu::new(1);
    while experiment.progress().steps < samples {
        experiment.advance(&cpu).unwrap();
    }
}

/// Has the cube on the table solved, and waits for how that ends.
pub fn solve(experiment: &mut dyn Experiment, by: CubeSolver) -> CubeTable {
    obey(experiment, Command::Solve { by });
    for _ in 0..10_000 {
        let seen = table(experiment);
        if matches!(seen.solving.as_ref().unwrap().status, CubeStatus::Solved | CubeStatus::GaveUp) {
            return seen;
        }
        look(experiment, CubeView::default(), 1.0);
    }
    panic!("{by:?} comes to no end");
}

/// The bytes of the network alone.
pub fn exported(experiment: &mut dyn Experiment) -> Vec<u8> {
    match experiment.command(Command::ExportPlayer) {
        Ok(Reply::File { bytes, .. }) => bytes,
        other => panic!("no file but {other:?}"),
    }
}
