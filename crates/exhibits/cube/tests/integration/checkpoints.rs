//! Checkpoints of cube experiments: runs continue exactly, with the interactive cube and the networks restored.

use crate::cubes::*;
use vivarium_exhibit_cube::FAMILY;
use vivarium_exhibit_cube::protocol::CubeCommand as Command;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{self, Header};

#[test]
fn a_restored_run_continues_exactly() {
    for name in BOTH {
        let mut experiment = small(name);
        let experiment = experiment.as_mut();
        train(experiment, 700);
        apply(experiment, "R U2 F'");
        handle_command(experiment, Command::CubeStep { to: 2 });
        handle_command(experiment, Command::SetPace { seconds: None });
        let mut opened = FAMILY.open(&experiment.save()).unwrap();
        let opened = opened.as_mut();
        assert_eq!(table(opened), table(experiment));
        assert_eq!(opened.save(), experiment.save());
        let cpu = [Cpu::new(1), Cpu::new(2)];
        for _ in 0..60 {
            experiment.advance(&cpu[0]).unwrap();
            opened.advance(&cpu[1]).unwrap();
        }
        assert_eq!(opened.progress(), experiment.progress());
        let state = |bytes: Vec<u8>| checkpoint::read(&bytes).unwrap().1;
        assert_eq!(state(opened.save()), state(experiment.save()), "{name}");
    }
}

#[test]
fn results_and_the_opened_network_are_restored() {
    let mut experiment = small("cube3");
    let experiment = experiment.as_mut();
    train(experiment, 500);
    let file = exported(experiment);
    experiment.open_player(&file).unwrap();
    let cpu = Cpu::new(1);
    let trained = (0..100_000).map(|_| {
        experiment.advance(&cpu).unwrap();
        run(experiment)
    });
    let before = { trained }.find(|run| !run.tests.is_empty()).expect("a test comes to its end");
    let mut opened = FAMILY.open(&experiment.save()).unwrap();
    let after = run(opened.as_mut());
    assert_eq!((after.tests, after.opened), (before.tests, Some(520)));
    assert_eq!(table(opened.as_mut()), table(experiment));
}

#[test]
fn training_starts_from_a_network_file() {
    for name in BOTH {
        let mut experiment = small(name);
        train(experiment.as_mut(), 700);
        apply(experiment.as_mut(), "R U");
        let bytes = exported(experiment.as_mut());
        let mut opened = FAMILY.open(&bytes).unwrap();
        apply(opened.as_mut(), "R U");
        let values = |table: vivarium_exhibit_cube::protocol::CubeTable| table.values;
        assert_eq!(values(table(opened.as_mut())), values(table(experiment.as_mut())));
        assert_eq!(opened.progress().steps, 0);
        train(opened.as_mut(), 300);
    }
}

#[test]
fn an_invalid_cube_is_discarded_with_a_notice() {
    let mut experiment = small("cube2");
    apply(experiment.as_mut(), "R");
    let (header, tensors) = checkpoint::read(&experiment.save()).unwrap();
    let tensors = tensors.into_vec();
    for (path, value) in [
        ("/table/table/first", serde_json::json!("nonsense")),
        ("/table/table/history/0/turn", serde_json::json!("Lw")),
        ("/table/table/at", serde_json::json!(9)),
        ("/table/pace", serde_json::json!(-1.0)),
        ("/trials", serde_json::json!([{ "samples": 1, "updates": 1, "solved": 7.0, "mean_excess": null }])),
    ] {
        let mut more = header.more.clone();
        *more.pointer_mut(path).unwrap() = value;
        let bytes = checkpoint::write(&Header { more, ..header.clone() }, &tensors);
        let mut opened = FAMILY.open(&bytes).unwrap();
        let notices: Vec<_> = opened.take_metrics().into_iter().filter_map(|row| row.notice).collect();
        assert_eq!(notices.len(), 1, "{path}");
        assert!(notices[0].contains("Training was restored"), "{notices:?}");
        if path.starts_with("/table") {
            assert!(table(opened.as_mut()).solved, "{path}");
        }
    }
}
