//! Tests of cube experiments on a GPU: training, evaluation and search agree with the CPU.

#[path = "../../../tests/shared/close.rs"]
mod close;
#[path = "../integration/cubes.rs"]
mod cubes;
#[path = "../../../tests/shared/on.rs"]
mod on;
#[path = "../../../../gpu/tests/shared/open.rs"]
mod open;
#[path = "../../../tests/shared/rows.rs"]
mod rows;

use close::assert_close;
use cubes::{apply, handle_command, look, run, small, solve, table};
use on::on;
use open::open;
use rows::rows;
use serde_json::{Value, json};
use vivarium_exhibit_cube::protocol::{CubeCommand, CubeSolver, CubeStatus, CubeView};
use vivarium_exhibit_cube::{CubeExhibit, FAMILY};
use vivarium_graph::Cpu;
use vivarium_lab::Engine;
use vivarium_lab::protocol::EngineInfo;

/// Returns the names `cube2` and `cube3`, each with a config that has a small network, for fast tests.
fn configs() -> [(&'static str, Value); 2] {
    let two = json!({
        "dqn": {
            "hidden": [16], "num_envs": 8, "replay_capacity": 500, "warm_up": 64, "minibatch": 32, "iteration": 10,
            "demonstrations": 640
        }
    });
    let three = json!({
        "learner": { "width": 16, "blocks": 1, "depth": 5, "scrambles": 6, "iteration": 10 },
        "tests": { "every": 0 }
    });
    [("cube2", two), ("cube3", three)]
}

/// Creates the experiment `name` with the config `config`. Switches off background evaluations of the 2×2×2 cube, which
/// alternate with training.
fn make(name: &str, config: &Value) -> Box<CubeExhibit> {
    let mut experiment = FAMILY.create(name, config, 7).unwrap();
    if name == "cube2" {
        experiment.command(CubeCommand::SetEvaluation { on: false }).unwrap();
    }
    experiment
}

#[test]
fn gpu_training_reports_the_same_metrics_as_the_cpu() {
    let gpu = open();
    for (name, config) in configs() {
        let (mut there, mut here) = (on(&gpu, make(name, &config)), make(name, &config));
        assert!(matches!(there.engine(), EngineInfo::Gpu { .. }));
        assert_close(name, &rows(&mut *there, 4), &rows(&mut *here, 4));
    }
}

#[test]
fn evaluation_falls_back_to_the_cpu_if_the_device_is_lost() {
    let (name, config) = configs()[1].clone();
    let (gpu, cpu) = (open(), Cpu::new(2));
    let (mut there, mut here) = (on(&gpu, make(name, &config)), make(name, &config));
    let expected = here.evaluate(&cpu, 1, 5).unwrap();
    assert_eq!(there.evaluate(&cpu, 1, 5).unwrap(), expected);
    assert!(matches!(there.engine(), EngineInfo::Gpu { .. }));
    let bytes = gpu.memory().bytes;
    there.evaluate(&cpu, 1, 6).unwrap();
    assert_eq!(gpu.memory().bytes, bytes, "an evaluation reuses the memory of the previous one");
    gpu.destroy();
    assert_eq!(there.evaluate(&cpu, 1, 5).unwrap(), expected);
    assert_eq!(there.engine(), EngineInfo::Cpu);
    let rows = there.take_metrics();
    assert!(rows.iter().any(|row| row.notice.as_ref().is_some_and(|notice| notice.contains("on the CPU"))));
}

#[test]
fn gpu_beam_search_agrees_with_the_cpu() {
    let gpu = open();
    let (mut there, mut here) = (on(&gpu, small("cube3")), small("cube3"));
    let before = gpu.memory().buffers_created;
    let [there, here] = [&mut there, &mut here].map(|experiment| {
        handle_command(&mut **experiment, CubeCommand::SetPace { seconds: Some(0.0) });
        apply(&mut **experiment, "R U");
        solve(&mut **experiment, CubeSolver::Beam { width: 256 }).solving.unwrap()
    });
    assert_eq!((there.status, there.solution.join(" ").as_str()), (CubeStatus::Solved, "U' R'"));
    assert_eq!(there, here);
    assert!(gpu.memory().buffers_created > before, "the states were evaluated on the GPU");
}

#[test]
fn a_search_in_progress_moves_to_the_cpu_with_training() {
    let gpu = open();
    let mut expected = small("cube3");
    handle_command(&mut *expected, CubeCommand::Scramble { moves: None });
    let expected = solve(&mut *expected, CubeSolver::Beam { width: 64 }).solving.unwrap();
    for leave in [true, false] {
        let mut experiment = on(&gpu, small("cube3"));
        let experiment = &mut *experiment;
        handle_command(experiment, CubeCommand::Scramble { moves: None });
        handle_command(experiment, CubeCommand::Solve { by: CubeSolver::Beam { width: 64 } });
        let ahead = |experiment: &mut CubeExhibit| table(experiment).solving.unwrap().ahead;
        while ahead(experiment) < 5 {}
        if leave {
            experiment.set_engine(Engine::Cpu).unwrap();
            look(experiment, CubeView::default(), 0.0);
            assert_eq!(gpu.memory().bytes, 0, "the search frees its memory");
        } else {
            gpu.destroy();
        }
        while table(experiment).solving.unwrap().status == CubeStatus::Searching {}
        let end = table(experiment).solving.unwrap();
        assert_eq!((end.status, end.ahead), (expected.status, expected.ahead));
        assert_eq!(experiment.engine(), EngineInfo::Cpu);
    }
}

#[test]
fn the_searches_of_a_test_run_concurrently_on_the_gpu() {
    let gpu = open();
    let cpu = Cpu::new(2);
    let [there, here] = [on(&gpu, small("cube3")), small("cube3")].map(|mut experiment| {
        let mut slices = 0;
        while run(&mut *experiment).tests.is_empty() {
            experiment.advance(&cpu).unwrap();
            slices += u32::from(run(&mut *experiment).testing[1] > 0);
        }
        (run(&mut *experiment).tests, slices)
    });
    assert_eq!(there.0, here.0);
    assert!(3 * there.1 < here.1, "{} slices on the GPU and {} on the CPU", there.1, here.1);
}
