//! Helpers that create, train and inspect a cube experiment in tests.

#![allow(dead_code, reason = "each program of tests uses what it needs")]

use serde_json::json;
use vivarium_exhibit_cube::protocol::CubeCommand as Command;
use vivarium_exhibit_cube::protocol::{
    CubeActor, CubeDocuments, CubeExhaustiveEvaluation, CubeRun, CubeSolver, CubeStatus, CubeTable, CubeView,
};
use vivarium_exhibit_cube::{CubeExhibit, FAMILY};
use vivarium_graph::Cpu;
use vivarium_lab::protocol::{Frame, Reply};

/// Names of both experiments.
pub const BOTH: [&str; 2] = ["cube2", "cube3"];

/// Creates the experiment `name` (one of [`BOTH`]) with a network small enough for tests.
pub fn small(name: &str) -> Box<CubeExhibit> {
    let config = if name == "cube2" {
        json!({
            "cube": { "features": "stickers" },
            "dqn": { "hidden": [16], "num_envs": 32, "warm_up": 256, "replay_capacity": 4096, "minibatch": 64, "iteration": 4 },
        })
    } else {
        json!({
            "learner": { "width": 32, "blocks": 0, "scrambles": 4, "depth": 10, "iteration": 5 },
            "tests": { "every": 2000, "cubes": 2 },
        })
    };
    FAMILY.create(name, &config, 3).unwrap()
}

pub fn look(experiment: &mut CubeExhibit, view: CubeView, elapsed: f32) -> Frame<CubeDocuments> {
    experiment.frame(&view, elapsed)
}

pub fn document<T: serde::de::DeserializeOwned>(frame: &Frame<CubeDocuments>, name: &str) -> Option<T> {
    let documents = serde_json::to_value(&frame.documents).unwrap();
    documents.get(name).map(|document| serde_json::from_value(document.clone()).unwrap())
}

/// Returns a frame with all JSON documents, whether or not they have changed since the last frame.
pub fn everything(experiment: &mut CubeExhibit, elapsed: f32) -> Frame<CubeDocuments> {
    look(experiment, CubeView::default(), 0.0);
    look(experiment, CubeView { documents: true, ..CubeView::default() }, elapsed)
}

pub fn table(experiment: &mut CubeExhibit) -> CubeTable {
    document(&everything(experiment, 0.0), "cube").unwrap()
}

pub fn exhaustive(experiment: &mut CubeExhibit) -> Option<CubeExhaustiveEvaluation> {
    document(&everything(experiment, 0.0), "exhaustive").unwrap()
}

pub fn run(experiment: &mut CubeExhibit) -> CubeRun {
    document(&everything(experiment, 0.0), "run").unwrap()
}

pub fn handle_command(experiment: &mut CubeExhibit, command: Command) {
    assert_eq!(experiment.command(command.clone()), Ok(Reply::Done), "{command:?}");
}

pub fn apply(experiment: &mut CubeExhibit, turns: &str) {
    handle_command(experiment, Command::Apply { turns: turns.into(), by: CubeActor::Person });
}

/// Trains an experiment until the run has at least `samples` training samples in total.
pub fn train(experiment: &mut CubeExhibit, samples: u64) {
    let cpu = Cpu::new(1);
    while experiment.progress().steps < samples {
        experiment.advance(&cpu).unwrap();
    }
}

/// Solves the interactive cube with the solver `by`, and returns the JSON document `cube` after the solver has solved
/// the cube or given up.
pub fn solve(experiment: &mut CubeExhibit, by: CubeSolver) -> CubeTable {
    handle_command(experiment, Command::Solve { by });
    for _ in 0..10_000 {
        let seen = table(experiment);
        if matches!(seen.solving.as_ref().unwrap().status, CubeStatus::Solved | CubeStatus::GaveUp) {
            return seen;
        }
        look(experiment, CubeView::default(), 1.0);
    }
    panic!("{by:?} comes to no end");
}

/// Exports the newest network of an experiment, and returns the bytes of the network file.
pub fn exported(experiment: &mut CubeExhibit) -> Vec<u8> {
    match experiment.command(Command::ExportPlayer) {
        Ok(Reply::File { bytes, .. }) => bytes,
        other => panic!("no file but {other:?}"),
    }
}
