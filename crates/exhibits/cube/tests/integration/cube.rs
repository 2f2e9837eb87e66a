//! Cube experiments: the interactive cube, background evaluation and frames.

use crate::cubes::*;
use vivarium_envs::cube::{Cube2, DistanceTable, TurnMetric};
use vivarium_exhibit_cube::FAMILY;
use vivarium_exhibit_cube::protocol::CubeCommand as Command;
use vivarium_exhibit_cube::protocol::{
    CubeActor, CubeEvaluation, CubePlayer, CubeSolver, CubeStatus, CubeTable, CubeView,
};
use vivarium_graph::Cpu;

#[test]
fn turns_are_applied_undone_and_redone() {
    for name in BOTH {
        let mut experiment = small(name);
        let experiment = experiment.as_mut();
        let solved = table(experiment).stickers;
        apply(experiment, "R U2 F'");
        let made = table(experiment);
        assert_eq!((made.at, made.history.len(), made.solved), (3, 3, false));
        assert!(made.history.iter().all(|turn| turn.by == CubeActor::Person));
        handle_command(experiment, Command::CubeStep { to: 0 });
        let back = table(experiment);
        assert_eq!((back.at, back.history.len(), &back.stickers), (0, 3, &solved));
        handle_command(experiment, Command::CubeStep { to: 3 });
        assert_eq!(table(experiment), made);
        handle_command(experiment, Command::CubeStep { to: 1 });
        handle_command(experiment, Command::Turn { turn: "R'".into() });
        let undone = table(experiment);
        assert!(undone.solved && undone.history.len() == 2, "undone turns are discarded");
        // Setting the stickers gives the same state.
        handle_command(experiment, Command::SetCube { stickers: made.stickers.to_lowercase() });
        let set = table(experiment);
        assert_eq!((set.stickers, set.history.len()), (made.stickers, 0));
        assert_eq!(set.cube, made.cube + 1);
        handle_command(experiment, Command::ResetCube);
        assert_eq!(table(experiment).stickers, solved);
    }
}

#[test]
fn the_turns_of_a_scramble_are_marked() {
    for name in BOTH {
        let mut experiment = small(name);
        let experiment = experiment.as_mut();
        handle_command(experiment, Command::Apply { turns: "[R, U]".into(), by: CubeActor::Scramble });
        apply(experiment, "F");
        let by: Vec<_> = table(experiment).history.iter().map(|made| made.by).collect();
        assert_eq!(by, [&[CubeActor::Scramble; 4][..], &[CubeActor::Person]].concat());
    }
}

#[test]
fn a_solution_from_outside_is_played() {
    let mut experiment = small("cube3");
    let experiment = experiment.as_mut();
    apply(experiment, "R U2 F");
    handle_command(experiment, Command::PlaySolution { turns: "F' U2 R'".into() });
    handle_command(experiment, Command::SetPace { seconds: Some(0.0) });
    let solved = everything(experiment, 1.0);
    let solved: CubeTable = document(&solved, "cube").unwrap();
    let solving = solved.solving.unwrap();
    assert_eq!((solving.by, solving.status, solving.made), (CubeSolver::TwoPhase, CubeStatus::Solved, 3));
    assert_eq!(solved.history[3].by, CubeActor::Solver);
    assert!(solved.solved);
}

#[test]
fn scrambles_differ_and_distances_are_exact() {
    let mut experiment = small("cube2");
    let experiment = experiment.as_mut();
    let distances = DistanceTable::new(TurnMetric::Quarter);
    let mut seen = Vec::new();
    for moves in [Some(5), Some(5), None, None] {
        handle_command(experiment, Command::ResetCube);
        handle_command(experiment, Command::Scramble { moves });
        let table = table(experiment);
        let cube = Cube2::from_stickers(&table.stickers).unwrap();
        assert_eq!(table.distance, Some(distances.of(cube).into()));
        assert_eq!(table.history.len(), moves.unwrap_or(0) as usize);
        assert!(moves.is_none_or(|moves| table.distance <= Some(moves)));
        let optimal: Vec<_> = table.values.iter().map(|value| value.optimal.unwrap()).collect();
        let expected: Vec<_> = (0..6).map(|turn| distances.optimal(cube) >> turn & 1 == 1).collect();
        assert_eq!(optimal, expected);
        assert_eq!(table.values.iter().filter(|value| value.best).count(), 1);
        seen.push(table.stickers);
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 4);
}

#[test]
fn the_exact_solver_is_optimal_and_plays_with_its_delay() {
    let mut experiment = small("cube2");
    let experiment = experiment.as_mut();
    apply(experiment, "R U F");
    handle_command(experiment, Command::SetPace { seconds: Some(0.5) });
    handle_command(experiment, Command::Solve { by: CubeSolver::Exact });
    look(experiment, CubeView::default(), 0.3);
    assert_eq!(table(experiment).at, 3);
    look(experiment, CubeView::default(), 0.3);
    let first = table(experiment);
    assert_eq!((first.at, first.history[3].turn.as_str()), (4, "F'"));
    assert_eq!(first.history[3].by, CubeActor::Solver);
    // With the pace `None`, each move waits for a command.
    handle_command(experiment, Command::SetPace { seconds: None });
    look(experiment, CubeView::default(), 1.0);
    assert_eq!(table(experiment).at, 4);
    handle_command(experiment, Command::MoveNow);
    handle_command(experiment, Command::MoveNow);
    let end = table(experiment);
    let solving = end.solving.unwrap();
    assert_eq!((solving.status, solving.made, solving.optimal), (CubeStatus::Solved, 3, Some(3)));
    assert!(end.solved);
    // The state has a solution of one half turn, which is two quarter turns.
    for (by, expected) in [(CubeSolver::ExactHalf, 1), (CubeSolver::Exact, 2)] {
        handle_command(experiment, Command::ResetCube);
        apply(experiment, "U2");
        handle_command(experiment, Command::Solve { by });
        assert_eq!(table(experiment).solving.map(|solving| solving.solution.len()), Some(expected), "{by:?}");
    }
    // A solver turns the faces that the user sees.
    handle_command(experiment, Command::ResetCube);
    apply(experiment, "x2 R U F");
    handle_command(experiment, Command::Solve { by: CubeSolver::Exact });
    (0..3).for_each(|_| handle_command(experiment, Command::MoveNow));
    let made: Vec<_> = table(experiment).history.iter().map(|made| made.turn.clone()).collect();
    assert_eq!(made.len(), 7);
    assert!(table(experiment).solved, "{made:?}");
    // A turn by the user stops solving.
    handle_command(experiment, Command::Scramble { moves: Some(6) });
    handle_command(experiment, Command::Solve { by: CubeSolver::Exact });
    handle_command(experiment, Command::Turn { turn: "U".into() });
    assert_eq!(table(experiment).solving, None);
}

#[test]
fn a_greedy_network_follows_its_best_moves_and_reports_cycles() {
    let mut experiment = small("cube2");
    let experiment = experiment.as_mut();
    handle_command(experiment, Command::SetPace { seconds: Some(0.0) });
    let (mut solved, mut lost) = (0, 0);
    for _ in 0..4 {
        handle_command(experiment, Command::Scramble { moves: None });
        let began = table(experiment);
        let end = solve(experiment, CubeSolver::Greedy);
        let solving = end.solving.unwrap();
        assert_eq!(solving.made as usize, solving.solution.len());
        assert_eq!(solving.optimal, began.distance);
        // The first move of the solution is the greedy move.
        let best = began.values.iter().find(|value| value.best).unwrap();
        assert_eq!(solving.solution[0], best.turn);
        match solving.status {
            CubeStatus::Solved => solved += u32::from(end.solved),
            _ => lost += u32::from(!end.solved && solving.why.unwrap().contains("repeats a cycle")),
        }
    }
    assert_eq!(solved + lost, 4);
    // The 2×2×2 cube has no beam search.
    apply(experiment, "R");
    let error = experiment.command(Command::Solve { by: CubeSolver::Beam { width: 8 } }).unwrap_err();
    assert!(error.to_string().contains("no beam search"), "{error}");
}

#[test]
fn beam_search_solves_near_states_and_gives_up_on_far_ones() {
    let mut experiment = small("cube3");
    let experiment = experiment.as_mut();
    handle_command(experiment, Command::SetPace { seconds: Some(0.0) });
    apply(experiment, "R U");
    let end = solve(experiment, CubeSolver::Beam { width: 256 });
    let solving = end.solving.unwrap();
    assert_eq!((solving.status, solving.solution.join(" ").as_str()), (CubeStatus::Solved, "U' R'"));
    assert!(end.solved && solving.evaluated > 1 && solving.optimal.is_none());
    handle_command(experiment, Command::Scramble { moves: None });
    handle_command(experiment, Command::Solve { by: CubeSolver::Beam { width: 16 } });
    look(experiment, CubeView::default(), 0.0);
    look(experiment, CubeView::default(), 0.0);
    let thumbnails = look(experiment, CubeView { thumbnails: 8, ..CubeView::default() }, 0.0);
    let thumbnails = thumbnails.get("thumbnails/stickers").unwrap();
    assert_eq!(thumbnails.shape, [8, 54]);
    assert!(thumbnails.bytes().unwrap().iter().all(|&color| color < 6));
    let end = solve(experiment, CubeSolver::Beam { width: 1 });
    let solving = end.solving.unwrap();
    assert_eq!((solving.status, solving.made), (CubeStatus::GaveUp, 0));
    assert!(solving.why.unwrap().contains("within 52 moves"));
}

#[test]
fn background_evaluations_agree_with_evaluations_on_request() {
    let mut experiment = small("cube2");
    let experiment = experiment.as_mut();
    train(experiment, 500);
    assert_eq!(exhaustive(experiment), None);
    handle_command(experiment, Command::SetEvaluation { on: true });
    let cpu = Cpu::new(2);
    let expected: CubeEvaluation = experiment.evaluate(&cpu, 1, 1).unwrap().read().unwrap();
    // While training is paused, an evaluation is completed in frames.
    for _ in 0..100_000 {
        look(experiment, CubeView::default(), 0.0);
        if exhaustive(experiment).is_some_and(|document| !document.running) {
            break;
        }
    }
    let first = exhaustive(experiment).unwrap();
    assert_eq!((first.complete, first.done, first.running, first.finished.len()), (true, 1.0, false, 1));
    assert_eq!((first.depths, first.cycles), (expected.depths, expected.cycles));
    assert_eq!(first.finished[0].solved, expected.solved);
    let rows = experiment.take_metrics();
    assert!(rows.iter().any(|row| row.values.iter().any(|(name, _)| name == "solved")));
    // During training, a new evaluation starts with newer weights.
    train(experiment, 3000);
    let second = exhaustive(experiment).unwrap();
    assert!(second.running && second.done > 0.0 && second.done < 1.0, "{second:?}");
    // The displayed results stay those of a completed evaluation.
    assert!(second.complete && second.depths.iter().all(|depth| depth.known == depth.states), "{second:?}");
    handle_command(experiment, Command::SetEvaluation { on: false });
    let stopped = exhaustive(experiment).unwrap();
    train(experiment, 4000);
    assert_eq!(exhaustive(experiment).unwrap(), stopped);
}

#[test]
fn the_map_contains_every_state_and_the_path_of_the_cube() {
    let mut experiment = small("cube2");
    let experiment = experiment.as_mut();
    apply(experiment, "R U F");
    let view = CubeView { map: true, ..CubeView::default() };
    let frame =
        (0..10_000).map(|_| look(experiment, view, 0.01)).find(|frame| frame.get("map/counts").is_some());
    let frame = frame.expect("it is laid out");
    let counts = frame.get("map/counts").unwrap();
    assert_eq!(counts.shape[0], 15);
    let states: f64 = counts.floats().unwrap().iter().map(|&count| f64::from(count)).sum();
    assert_eq!(states, Cube2::STATES as f64);
    let path = frame.get("map/path").unwrap().floats().unwrap();
    let rings: Vec<_> = path.chunks(2).take(4).map(|point| point[0]).collect();
    assert_eq!(rings, [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(frame.get("map/ahead").unwrap().floats(), Some(&[4.0][..]));
    assert!(path.len() > 8 && path.chunks(2).all(|point| (0.0..1.0).contains(&point[1])));
    assert!(frame.get("map/solved").unwrap().floats().unwrap().iter().all(|&share| share == -1.0));
    assert_eq!(look(experiment, view, 0.01).get("map/counts"), None, "unchanged arrays are not resent");
    assert!(look(small("cube3").as_mut(), view, 0.01).arrays.is_empty());
}

#[test]
fn tests_use_a_fixed_set_of_cubes() {
    let mut experiment = small("cube3");
    let experiment = experiment.as_mut();
    let cpu = Cpu::new(1);
    for _ in 0..100_000 {
        experiment.advance(&cpu).unwrap();
        if run(experiment).tests.len() >= 6 {
            break;
        }
    }
    let tests = run(experiment).tests;
    assert_eq!(tests.iter().map(|test| test.width).collect::<Vec<_>>(), [1, 32, 256, 1, 32, 256]);
    assert!(tests.iter().all(|test| test.cubes == 2) && tests[0].samples >= 2000);
    assert!(run(experiment).accuracy_by_depth[0] > 0.5, "the turn of a one-move scramble is learned quickly");
    let rows = experiment.take_metrics();
    assert!(rows.iter().any(|row| row.values.iter().any(|(name, _)| name == "solved_32")));
}

#[test]
fn an_opened_network_evaluates_the_cube_during_training() {
    for name in BOTH {
        let mut experiment = small(name);
        let experiment = experiment.as_mut();
        train(experiment, 500);
        apply(experiment, "R U");
        let taught = table(experiment);
        let file = exported(experiment);
        let mut other = small(name);
        let other = other.as_mut();
        apply(other, "R U");
        assert_eq!(table(other).player, CubePlayer::Newest);
        other.open_player(&file).unwrap();
        let opened = table(other);
        assert_eq!((opened.player, opened.updates), (CubePlayer::Opened, 0));
        assert_eq!(opened.values, taught.values);
        assert_eq!(run(other).opened, Some(experiment.progress().steps));
        handle_command(other, Command::SetPlayer { player: CubePlayer::Newest });
        assert_ne!(table(other).values, taught.values);
        assert_eq!(other.progress().steps, 0, "training is unaffected");
    }
}

#[test]
fn every_metric_is_described_and_every_preset_is_valid() {
    for name in BOTH {
        let info = (vivarium_exhibit_cube::DESCRIPTIONS.find(name).unwrap().info)();
        let mut experiment = small(name);
        train(experiment.as_mut(), 3000);
        for row in experiment.take_metrics() {
            for (metric, value) in row.values {
                assert!(info.metrics.iter().any(|known| known.name == metric), "{metric}");
                assert!(value.is_finite(), "{metric}");
            }
        }
        for preset in &info.presets {
            FAMILY.configure(name, &preset.config).unwrap();
        }
    }
}
