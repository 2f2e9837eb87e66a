//! Tests of invalid files, configs and commands: no panics, and the interactive cube is unchanged.

use crate::cubes::{self, *};
use crate::refused;
use serde_json::json;
use vivarium_exhibit_cube::protocol::CubeCommand as Command;
use vivarium_exhibit_cube::protocol::{CubeActor, CubePlayer, CubeSolver, CubeView};
use vivarium_exhibit_cube::{CubeExhibit, FAMILY};
use vivarium_graph::{Tensor, TensorData};
use vivarium_lab::checkpoint;

/// Executes a command that must fail, checks that the interactive cube is unchanged, and returns the error message.
fn why(experiment: &mut CubeExhibit, command: Command) -> String {
    refused::why(experiment, command, table)
}

#[test]
fn invalid_commands_are_rejected() {
    let stickers = |stickers: &str| Command::SetCube { stickers: stickers.into() };
    let turn = |turn: &str| Command::Turn { turn: turn.into() };
    let apply = |turns: &str| Command::Apply { turns: turns.into(), by: CubeActor::Person };
    let of_both = [
        (turn("R U"), "one turn"),
        (turn(""), "one turn"),
        (turn("Q"), "character 1"),
        (turn("x"), "one turn"),
        (turn("X"), "write x"),
        (apply("R U Q"), "character 5"),
        (apply(&"R ".repeat(1001)), "at most 1000"),
        (apply(&"R".repeat(100_000)), "at most 1000"),
        (Command::CubeStep { to: 3 }, "0 to 2"),
        (Command::Scramble { moves: Some(0) }, "1 to"),
        (Command::Scramble { moves: Some(u32::MAX) }, "1 to"),
        (stickers("UUU"), "there are 3 stickers"),
        (stickers("UUUUX"), "sticker 5"),
        (Command::SetPace { seconds: Some(-1.0) }, "0 to 60"),
        (Command::SetPace { seconds: Some(f32::NAN) }, "0 to 60"),
        (Command::SetPlayer { player: CubePlayer::Opened }, "no network has been opened"),
        (Command::MoveNow, "no solution"),
        (Command::PlaySolution { turns: "R U".into() }, "turns that solve the cube"),
        (Command::Solve { by: CubeSolver::TwoPhase }, "play_solution"),
    ];
    let of_two = [
        (turn("L"), "one turn"),
        (apply("r U"), "no wide turns"),
        (stickers("UUUFRRRRUFFFDDDDLLLLBBBB"), "the corner at"),
        (Command::Solve { by: CubeSolver::Beam { width: 8 } }, "no beam search"),
    ];
    let of_three = [
        (Command::Solve { by: CubeSolver::Exact }, "not available"),
        (Command::Solve { by: CubeSolver::Beam { width: 0 } }, "1 to 16384"),
        (Command::Solve { by: CubeSolver::Beam { width: u32::MAX } }, "1 to 16384"),
        (Command::SetEvaluation { on: true }, "only the 2×2×2"),
    ];
    for (name, own) in [("cube2", &of_two[..]), ("cube3", &of_three[..])] {
        let mut experiment = small(name);
        let experiment = experiment.as_mut();
        cubes::apply(experiment, "R U");
        for (command, part) in of_both.iter().chain(own) {
            let error = why(experiment, command.clone());
            assert!(error.contains(part), "{command:?}: {error}");
        }
        for (file, part) in [(vec![1, 2, 3], "truncated"), (vec![0; (64 << 20) + 1], "larger than 64 MiB")] {
            let error = experiment.open_player(&file).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        for (path, value) in [("learner.depth", json!(3)), ("dqn.hidden", json!([3]))] {
            let error = experiment.set(path, &value).unwrap_err().to_string();
            assert!(error.contains(path), "{error}");
        }
        handle_command(experiment, Command::ResetCube);
        let error = why(experiment, Command::Solve { by: CubeSolver::Greedy });
        assert!(error.contains("is solved"), "{error}");
    }
}

#[test]
fn invalid_configs_are_rejected() {
    for (name, config, part) in [
        ("cube2", json!({ "dqn": { "hidden": [0] } }), "dqn.hidden"),
        ("cube2", json!({ "dqn": { "hidden": [2048, 2048] } }), "weights"),
        ("cube2", json!({ "dqn": { "minibatch": 16384, "warm_up": 64 } }), "dqn.minibatch"),
        ("cube2", json!({ "cube": { "features": "smell" } }), "cube.features"),
        ("cube2", json!({ "learner": {} }), "learner"),
        ("cube3", json!({ "learner": { "width": 4096, "blocks": 16 } }), "learner.width"),
        ("cube3", json!({ "tests": { "cubes": 0 } }), "tests.cubes"),
        ("cube3", json!({ "preset": "lessons" }), "hour"),
    ] {
        let error = FAMILY.create(name, &config, 1).map(drop).unwrap_err().to_string();
        assert!(error.contains(part), "{config}: {error}");
    }
}

#[test]
fn invalid_files_are_rejected() {
    let mut two = small("cube2");
    let mut three = small("cube3");
    let own = three.save();
    let error = two.open_player(&own).unwrap_err().to_string();
    assert!(error.contains("belongs to cube3"), "{error}");
    // The check must reject this small file before it allocates the large network.
    let (mut large, tensors) = checkpoint::read(&three.save()).unwrap();
    large.config["learner"]["width"] = 1024.into();
    large.config["learner"]["blocks"] = 4.into();
    let large = checkpoint::write(&large, &tensors.into_vec());
    let error = FAMILY.open(&large).map(drop).unwrap_err().to_string();
    assert!(error.contains("a network of at least 8388608 numbers"), "{error}");
    let error = three.open_player(&large).unwrap_err().to_string();
    assert!(error.contains("a network of at least 8388608 numbers"), "{error}");
    for experiment in [two.as_mut(), three.as_mut()] {
        let (header, tensors) = checkpoint::read(&experiment.save()).unwrap();
        let tensors = tensors.into_vec();
        for missing in 0..tensors.len() {
            let mut rest = tensors.clone();
            let gone = rest.remove(missing);
            // A file without the number of rollbacks is valid, because older program versions did not write it.
            let opened = FAMILY.open(&checkpoint::write(&header, &rest)).map(drop);
            match opened {
                Err(error) => assert!(error.to_string().contains(&gone.name), "{}: {error}", gone.name),
                Ok(()) => assert_eq!(gone.name, "guard"),
            }
        }
        let mut more = tensors.clone();
        more.push(Tensor { name: "stranger".into(), shape: vec![1], values: TensorData::F32(vec![0.0]) });
        let error = FAMILY.open(&checkpoint::write(&header, &more)).map(drop).unwrap_err().to_string();
        assert!(error.contains("stranger"), "{error}");
        let bytes = experiment.save();
        for cut in [0, 7, 100, bytes.len() / 2, bytes.len() - 1] {
            assert!(FAMILY.open(&bytes[..cut]).is_err());
        }
    }
}

#[test]
fn large_views_are_limited() {
    for name in ["cube2", "cube3"] {
        let mut experiment = small(name);
        for elapsed in [f32::NAN, f32::INFINITY, -1.0, f32::MAX] {
            let view = CubeView { documents: true, map: true, thumbnails: u32::MAX };
            let frame = look(experiment.as_mut(), view, elapsed);
            assert!(frame.get("thumbnails/stickers").unwrap().shape[0] <= 256);
        }
    }
}
