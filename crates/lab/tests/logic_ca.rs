//! The logic CA as a door drives it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use vivarium_graph::Cpu;
use vivarium_lab::protocol::{
    Command, ControlView, ExportFormat, Frame, LogicEvaluation, LogicView, Paint, Reply, StageStart,
    ViewRequest,
};
use vivarium_lab::{Experiment, LabError, registry};
use vivarium_logic_ca::hard::{Circuit, life};

/// A circuit and boards small enough for tests; what is left out is as in the default.
fn small() -> Value {
    json!({
        "task": {"width": 8, "height": 6, "batch": 2, "steps": 4},
        "circuit": {"channels": 3, "kernels": 2, "perceive": [8, 4, 2], "update": [16, 8, 4, 3]},
        "learning": {"epochs": 200},
    })
}

fn changed(changes: &[(&str, Value)]) -> Value {
    let mut config = small();
    for (path, value) in changes {
        vivarium_lab::config::set(&mut config, path, value.clone()).unwrap();
    }
    config
}

fn make(config: Value) -> Box<dyn Experiment> {
    registry::create("logic-ca", config, 7).unwrap()
}

fn advance_to(experiment: &mut dyn Experiment, epoch: u64) {
    let cpu = Cpu::new(1);
    while experiment.progress().steps < epoch {
        experiment.advance(&cpu).unwrap();
    }
}

fn view() -> LogicView {
    LogicView { channel: None, cell: None, circuit: false }
}

fn look(experiment: &mut dyn Experiment, view: LogicView, elapsed: f32) -> Frame {
    experiment.frame(&ViewRequest::LogicCa(view), elapsed)
}

fn bytes<'a>(frame: &'a Frame, name: &str) -> (&'a [u32], &'a [u8]) {
    let array = frame.get(name).unwrap_or_else(|| panic!("no {name}"));
    let bytes = array.bytes().unwrap();
    assert_eq!(array.shape.iter().product::<u32>() as usize, bytes.len(), "{name}");
    (&array.shape, bytes)
}

fn floats<'a>(frame: &'a Frame, name: &str) -> (&'a [u32], &'a [f32]) {
    let array = frame.get(name).unwrap_or_else(|| panic!("no {name}"));
    let numbers = array.floats().unwrap();
    assert_eq!(array.shape.iter().product::<u32>() as usize, numbers.len(), "{name}");
    (&array.shape, numbers)
}

/// The stage's cells as rows of `#` and `.`, without time passing.
fn stage(experiment: &mut dyn Experiment, channel: u32) -> Vec<String> {
    let frame = look(experiment, LogicView { channel: Some(channel), ..view() }, 0.0);
    let (shape, cells) = bytes(&frame, "stage/cells");
    let letter = |&cell: &u8| if cell == 255 { '#' } else { '.' };
    cells.chunks(shape[1] as usize).map(|row| row.iter().map(letter).collect()).collect()
}

fn tell(experiment: &mut dyn Experiment, command: Command) {
    assert_eq!(experiment.command(command), Ok(Reply::Done));
}

fn refusal(experiment: &mut dyn Experiment, command: Command) -> String {
    match experiment.command(command) {
        Err(error @ LabError::Invalid { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

/// A run that has Conway's circuit on its stage.
fn with_life() -> Box<dyn Experiment> {
    let mut experiment = make(json!({"preset": "life"}));
    tell(&mut *experiment, Command::OpenCircuit { json: life::circuit().to_json() });
    tell(&mut *experiment, Command::ClearStage);
    experiment
}

fn evaluate(experiment: &mut dyn Experiment, boards: u32, seed: u64) -> LogicEvaluation {
    experiment.evaluate(&Cpu::new(1), boards, seed).unwrap().logic().unwrap().clone()
}

#[test]
fn starts_from_its_config_and_reports() {
    let mut experiment = make(small());
    assert_eq!((experiment.name(), experiment.seed()), ("logic-ca", 7));
    assert_eq!(experiment.config(), registry::configure("logic-ca", &small()).unwrap());
    assert_eq!(experiment.progress().total_steps, Some(200 + 1000));
    assert_eq!(experiment.phase(), "forward");
    advance_to(&mut *experiment, 5);
    assert_eq!((experiment.progress().steps, experiment.progress().episodes), (5, 10));
    let rows = experiment.take_metrics();
    assert_eq!(rows.iter().map(|row| row.steps).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    let known: Vec<String> =
        registry::info("logic-ca").unwrap().metrics.into_iter().map(|metric| metric.name).collect();
    for row in rows {
        assert_eq!(row.values.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), known);
        assert!(row.values.iter().all(|(_, value)| value.is_finite()));
    }
    assert!(experiment.take_metrics().is_empty());
}

#[test]
fn a_saved_run_goes_on_exactly_as_it_would_have() {
    let drawn = changed(&[("task.target", json!("drawn")), ("task.drawing", json!("4x2x3:abcdef"))]);
    for config in [small(), changed(&[("task.fire_rate", json!(0.5))]), drawn] {
        let mut whole = make(config);
        advance_to(&mut *whole, 60);
        whole.advance(&Cpu::new(1)).unwrap();
        let bytes = whole.save();
        let mut resumed = registry::open(&bytes).unwrap();
        assert_eq!(resumed.save(), bytes, "nothing is lost");
        assert_eq!((resumed.seed(), resumed.config()), (whole.seed(), whole.config()));
        whole.take_metrics();
        let from = whole.progress().steps;
        advance_to(&mut *whole, 80);
        advance_to(&mut *resumed, 80);
        let rows = |experiment: &mut dyn Experiment| {
            let mut rows = experiment.take_metrics();
            rows.retain(|row| row.steps > from);
            rows
        };
        assert_eq!(rows(&mut *resumed), rows(&mut *whole));
        assert_eq!(resumed.save(), whole.save(), "bit for bit");
    }
}

#[test]
fn neither_playing_nor_the_number_of_threads_changes_a_run() {
    let mut alone = make(small());
    advance_to(&mut *alone, 30);
    let mut watched = make(small());
    let cpu = Cpu::new(2);
    while watched.progress().steps < 30 {
        watched.advance(&cpu).unwrap();
        look(&mut *watched, LogicView { cell: Some([1, 1]), circuit: true, ..view() }, 0.3);
        tell(&mut *watched, Command::ResetStage { start: StageStart::Noise });
        tell(&mut *watched, Command::StepStage { steps: 3 });
    }
    watched.evaluate(&cpu, 3, 1).unwrap();
    assert_eq!(watched.save(), alone.save());
}

#[test]
fn frames_hold_what_is_documented() {
    let rgb = changed(&[("task.target", json!("drawn")), ("task.drawing", json!("4x2x3:abcdef"))]);
    for (config, shown) in [(small(), 1), (rgb, 3)] {
        let mut experiment = make(config);
        for epochs in [0, 3] {
            // A picture is asked for before, so that the epoch is kept to be shown.
            look(&mut *experiment, view(), 0.0);
            advance_to(&mut *experiment, epochs);
            tell(&mut *experiment, Command::ResizeStage { width: 70, height: 5 });
            let request = LogicView { circuit: true, cell: Some([69, 4]), channel: None };
            let frame = look(&mut *experiment, request.clone(), 0.5);
            for name in ["soft/cells", "hard/cells", "target/cells"] {
                assert_eq!(bytes(&frame, name).0, [6, 8, shown], "{name}");
            }
            assert!(bytes(&frame, "hard/cells").1.iter().all(|byte| [0, 255].contains(byte)));
            assert!(bytes(&frame, "target/cells").1.contains(&255));
            assert_eq!(bytes(&frame, "stage/cells").0, [5, 70, shown]);
            let (_, step) = floats(&frame, "rollout/step");
            assert_eq!(step[1], if epochs == 0 { 0.0 } else { 4.0 });
            assert_eq!(floats(&frame, "stage/step").1, [f32::from(u8::from(epochs > 0)) * 5.0 + 5.0]);
            let (shape, functions) = floats(&frame, "gates/functions");
            assert_eq!((shape, functions.iter().sum::<f32>()), (&[16][..], 2.0 * 14.0 + 31.0));
            let (_, decided) = floats(&frame, "gates/decidedness");
            assert!(decided[0] > 0.5 && decided[0] <= 1.0);

            let (shape, gates) = floats(&frame, "circuit/gates");
            let (_, size) = floats(&frame, "circuit/size");
            assert_eq!((shape[1], size[0], size[1]), (4, 3.0 * 28.0 + 31.0, shape[0] as f32));
            for (number, gate) in gates.chunks(4).enumerate() {
                assert!(gate[0] < 16.0 && gate[1] < (27 + number) as f32 && gate[2] < (27 + number) as f32);
                assert!(gate[3] >= 0.0 && gate[3] < 59.0);
            }
            assert_eq!(floats(&frame, "circuit/outputs").0, [3]);
            let (shape, signals) = bytes(&frame, "circuit/signals");
            assert!(shape == [27 + size[1] as u32] && signals.iter().all(|&signal| signal <= 1));
            // The same circuit need not be sent twice; another look begins anew.
            let again = look(&mut *experiment, request.clone(), 0.0);
            assert_eq!(floats(&again, "circuit/version"), floats(&frame, "circuit/version"));
            assert!(again.get("circuit/gates").is_none() && again.get("circuit/outputs").is_none());
            assert!(look(&mut *experiment, view(), 0.0).get("circuit/version").is_none());
            let anew = look(&mut *experiment, request, 0.0);
            assert_eq!(floats(&anew, "circuit/gates"), floats(&frame, "circuit/gates"));
            look(&mut *experiment, view(), 0.0);
        }
    }
}

#[test]
fn views_that_make_no_sense_are_borne() {
    let mut experiment = make(small());
    let control = ViewRequest::Control(ControlView { herd: 3, focus: 0, map: None });
    assert!(experiment.frame(&control, 0.1).arrays.is_empty());
    let odd = LogicView { channel: Some(99), cell: Some([u32::MAX, 0]), circuit: true };
    for elapsed in [f32::NAN, f32::INFINITY, -1.0, 1e30] {
        let frame = look(&mut *experiment, odd.clone(), elapsed);
        assert!(frame.get("circuit/signals").is_none());
        assert_eq!(bytes(&frame, "stage/cells").0, [6, 8, 1]);
    }
}

#[test]
fn the_soft_and_the_hard_board_begin_alike_and_the_rollout_comes_round() {
    let mut experiment = make(small());
    look(&mut *experiment, view(), 0.1);
    advance_to(&mut *experiment, 2);
    let mut steps = Vec::new();
    for _ in 0..60 {
        let frame = look(&mut *experiment, LogicView { channel: Some(2), ..view() }, 0.05);
        let step = floats(&frame, "rollout/step").1[0];
        if step == 0.0 {
            assert_eq!(bytes(&frame, "soft/cells"), bytes(&frame, "hard/cells"));
        }
        steps.push(step as u32);
    }
    steps.dedup();
    let one_round = [0, 1, 2, 3, 4];
    assert!(steps.windows(6).any(|round| round[..5] == one_round && round[5] == 0), "{steps:?}");
}

#[test]
fn live_fields_are_set_while_it_runs_and_others_are_not() {
    let mut experiment = make(small());
    let set = |path: &str, value| Command::Set { path: path.into(), value };
    tell(&mut *experiment, set("learning.learning_rate", json!(0.01)));
    tell(&mut *experiment, set("learning.epochs", json!(300)));
    // The trial epochs come on top of it.
    assert_eq!(experiment.progress().total_steps, Some(300 + 1000));
    let config = experiment.config();
    for (path, value, why) in [
        ("task.width", json!(9), "cannot change while the run goes on"),
        ("task.widht", json!(9), "did you mean task.width"),
        ("learning.learning_rate", json!(-1), "a number from"),
        ("task.target", json!("drawn"), "no pattern"),
        ("task.target", json!("lizard"), "20×20"),
        ("task.drawing", json!("8x8x1:"), "hexadecimal digits"),
        ("task.drawing", json!("x".repeat(4000)), "text of at most"),
    ] {
        let error = refusal(&mut *experiment, set(path, value));
        assert!(error.contains(why), "{error}");
    }
    assert_eq!(experiment.config(), config);
    let push = Command::Push { member: None, force: 1.0 };
    assert!(refusal(&mut *experiment, push).contains("command = push"));
    let mut cartpole = registry::create("cartpole", json!({}), 1).unwrap();
    assert!(refusal(&mut *cartpole, Command::ClearStage).contains("command = clear_stage"));
}

#[test]
fn a_drawn_target_is_learnt_from_then_on_and_kept() {
    let mut experiment = make(small());
    advance_to(&mut *experiment, 3);
    let cells: Vec<u8> = (0..48).map(|cell| u8::from(cell % 8 == cell / 8)).collect();
    let draw = |width, height, channels, cells: &[u8]| Command::SetTarget {
        width,
        height,
        channels,
        cells: cells.to_vec(),
    };
    for (command, why) in [
        (draw(9, 6, 1, &[0; 54]), "9×6 cells; 1×1 to 8×6 fit the board"),
        (draw(8, 6, 1, &cells[1..]), "has 47 bits"),
        (draw(8, 6, 1, &[2; 48]), "holds 2"),
        (draw(0, 6, 1, &[]), "0×6"),
        (draw(u32::MAX, u32::MAX, 3, &[]), "cells; 1×1 to 64×64"),
        (draw(8, 6, 4, &[0; 192]), "4 channels"),
    ] {
        let error = refusal(&mut *experiment, command);
        assert!(error.starts_with("target =") && error.contains(why), "{error}");
    }
    assert_eq!(experiment.config()["task"]["target"], "checkerboard");
    tell(&mut *experiment, draw(8, 6, 1, &cells));
    assert_eq!(experiment.config()["task"]["target"], "drawn");
    let frame = look(&mut *experiment, view(), 0.0);
    let wanted: Vec<u8> = cells.iter().map(|&cell| 255 * cell).collect();
    assert_eq!(bytes(&frame, "target/cells").1, wanted);
    // What is learnt is the same as if it had been so from the start.
    let opened = registry::open(&experiment.save()).unwrap();
    assert_eq!(opened.config(), experiment.config());
    let mut early = make(small());
    tell(&mut *early, draw(8, 6, 1, &cells));
    let mut from_config = make(experiment.config());
    advance_to(&mut *early, 4);
    advance_to(&mut *from_config, 4);
    assert_eq!(early.save(), from_config.save());
    // Colours come with three channels.
    tell(&mut *experiment, draw(1, 2, 3, &[1, 0, 0, 1, 1, 1]));
    assert_eq!(bytes(&look(&mut *experiment, view(), 0.0), "stage/cells").0, [6, 8, 3]);
    advance_to(&mut *experiment, 6);
}

#[test]
fn gliders_glide_on_the_stage_in_its_own_time() {
    let mut experiment = with_life();
    tell(&mut *experiment, Command::ResizeStage { width: 12, height: 12 });
    tell(&mut *experiment, Command::Place { pattern: "glider".into(), x: 4, y: 4 });
    let start = stage(&mut *experiment, 0);
    assert_eq!(start[3..6], ["....#.......", ".....#......", "...###......"]);
    tell(&mut *experiment, Command::StageSpeed { steps_per_second: Some(8.0) });
    look(&mut *experiment, view(), 0.25);
    look(&mut *experiment, view(), 0.25);
    assert_eq!(stage(&mut *experiment, 0)[4..7], [".....#......", "......#.....", "....###....."]);
    // Held, it takes the steps that it is asked for.
    tell(&mut *experiment, Command::StageSpeed { steps_per_second: Some(0.0) });
    look(&mut *experiment, view(), 10.0);
    tell(&mut *experiment, Command::StepStage { steps: 44 });
    assert_eq!(stage(&mut *experiment, 0), start, "once round the board");
    assert_eq!(floats(&look(&mut *experiment, view(), 0.0), "stage/step").1, [48.0]);
    // As fast as it goes is faster than that, and nobody fires at a rate of 0.
    tell(&mut *experiment, Command::StageSpeed { steps_per_second: None });
    assert!(floats(&look(&mut *experiment, view(), 0.01), "stage/step").1[0] > 500.0);
    let before = stage(&mut *experiment, 0);
    tell(&mut *experiment, Command::StageFire { rate: 0.0 });
    look(&mut *experiment, view(), 0.01);
    assert_eq!(stage(&mut *experiment, 0), before);
}

#[test]
fn a_large_stage_does_bounded_work_a_frame() {
    let mut experiment = with_life();
    tell(&mut *experiment, Command::ResizeStage { width: 1024, height: 1024 });
    tell(&mut *experiment, Command::ResetStage { start: StageStart::Noise });
    tell(&mut *experiment, Command::StageSpeed { steps_per_second: Some(10_000.0) });
    let frame = look(&mut *experiment, view(), 1e6);
    let steps = floats(&frame, "stage/step").1[0];
    assert!((1.0..200.0).contains(&steps), "{steps}");
    assert_eq!(bytes(&frame, "stage/cells").0, [1024, 1024, 1]);
}

/// Cells that stay as they are, at a price: a chain of this many gates, of which none is superfluous.
fn dear_circuit(gates: usize) -> String {
    let parity = |gate: usize| if gate == 0 { "i0".into() } else { format!("g{}", gate - 1) };
    let rows = (0..gates)
        .map(|gate| json!({"function": "XOR", "a": parity(gate), "b": format!("i{}", (gate * 5 + 1) % 27)}));
    let last = format!("g{}", gates - 1);
    json!({"format": "vivarium logic circuit", "version": 1, "channels": 3,
        "gates": rows.collect::<Vec<_>>(), "outputs": ["i4", "i13", last]})
    .to_string()
}

#[test]
fn a_step_that_takes_long_is_spread_over_frames_and_can_be_drawn_on_meanwhile() {
    let mut experiment = make(changed(&[("task.fire_rate", json!(0.6))]));
    tell(&mut *experiment, Command::OpenCircuit { json: dear_circuit(5000) });
    tell(&mut *experiment, Command::ResizeStage { width: 1024, height: 1024 });
    tell(&mut *experiment, Command::ClearStage);
    tell(&mut *experiment, Command::StageSpeed { steps_per_second: None });
    let step = |experiment: &mut dyn Experiment| floats(&look(experiment, view(), 1.0), "stage/step").1[0];
    assert_eq!(step(&mut *experiment), 0.0);
    // Strokes between its parts stay, wherever they are.
    let stroke = |y: f32| Command::Brush {
        from: [0.5, y],
        to: [1023.5, y],
        radius: 0.4,
        paint: Paint::Draw,
        channel: Some(0),
    };
    for y in [1.5, 1022.5] {
        tell(&mut *experiment, stroke(y));
    }
    let frames = (1..100).find(|_| step(&mut *experiment) == 1.0).expect("the step comes to its end");
    assert!(frames > 3, "{frames} frames");
    let rows = stage(&mut *experiment, 0);
    let full = |row: &String| row.bytes().all(|cell| cell == b'#');
    let drawn: Vec<_> = (0..1024).filter(|&row| full(&rows[row])).collect();
    assert_eq!(drawn, [1, 1022]);
    // What a person asks for one by one is counted like that.
    tell(&mut *experiment, Command::StageSpeed { steps_per_second: Some(0.0) });
    tell(&mut *experiment, Command::StepStage { steps: 2 });
    (0..100).for_each(|_| drop(look(&mut *experiment, view(), 1.0)));
    assert_eq!(step(&mut *experiment), 3.0);
}

#[test]
fn the_stage_is_the_same_for_the_same_seed_whatever_the_frames() {
    let run = |frames: u32| {
        let mut experiment = make(changed(&[("task.fire_rate", json!(0.6))]));
        tell(&mut *experiment, Command::OpenCircuit { json: circuit_of_three() });
        tell(&mut *experiment, Command::ResetStage { start: StageStart::Noise });
        tell(&mut *experiment, Command::StageSpeed { steps_per_second: Some(64.0) });
        (0..frames).for_each(|_| drop(look(&mut *experiment, view(), 1.0 / frames as f32)));
        (0..3).map(|channel| stage(&mut *experiment, channel)).collect::<Vec<_>>()
    };
    assert_eq!(run(4), run(64));
}

/// A circuit for three channels that mixes them.
fn circuit_of_three() -> String {
    r#"{"format": "vivarium logic circuit", "version": 1, "channels": 3,
        "gates": [{"function": "XOR", "a": "i1", "b": "i13"}, {"function": "OR", "a": "g0", "b": "i22"},
                  {"function": "NAND", "a": "g1", "b": "i3"}],
        "outputs": ["g0", "g1", "g2"]}"#
        .into()
}

#[test]
fn brushes_paint_what_they_are_asked_to() {
    let mut experiment = make(small());
    let brush = |from, to, radius, paint, channel| Command::Brush { from, to, radius, paint, channel };
    let click = |x, y, paint, channel| brush([x, y], [x, y], 0.0, paint, channel);
    tell(&mut *experiment, Command::ClearStage);
    tell(&mut *experiment, click(2.5, 1.5, Paint::Draw, None));
    assert_eq!(stage(&mut *experiment, 0)[1], "..#.....");
    assert_eq!(stage(&mut *experiment, 1)[1], "........", "a drawing is in the channels that are seen");
    tell(&mut *experiment, brush([0.5, 3.5], [7.5, 3.5], 0.4, Paint::Draw, Some(2)));
    assert_eq!(stage(&mut *experiment, 2)[2..5], ["........", "########", "........"]);
    tell(&mut *experiment, click(3.5, 3.5, Paint::Invert, Some(2)));
    assert_eq!(stage(&mut *experiment, 2)[3], "###.####");
    tell(&mut *experiment, Command::ResetStage { start: StageStart::Noise });
    tell(&mut *experiment, brush([4.0, 3.0], [4.0, 3.0], 20.0, Paint::Erase, None));
    assert!((0..3).all(|channel| stage(&mut *experiment, channel).iter().all(|row| row == "........")));
    tell(&mut *experiment, brush([4.0, 3.0], [4.0, 3.0], 20.0, Paint::Noise, None));
    let noise = stage(&mut *experiment, 1);
    tell(&mut *experiment, brush([4.0, 3.0], [4.0, 3.0], 20.0, Paint::Noise, None));
    assert!(noise != stage(&mut *experiment, 1) && noise != stage(&mut *experiment, 0));
    tell(&mut *experiment, Command::ResetStage { start: StageStart::Seed });
    assert_eq!(stage(&mut *experiment, 2)[3], "....#...");

    let before = stage(&mut *experiment, 2);
    for (command, why) in [
        (brush([f32::NAN, 0.0], [0.0, 0.0], 1.0, Paint::Draw, None), "from ="),
        (brush([0.0, 0.0], [0.0, 1e9], 1.0, Paint::Draw, None), "to ="),
        (brush([0.0, 0.0], [0.0, 0.0], 65.0, Paint::Draw, None), "radius = 65"),
        (brush([0.0, 0.0], [0.0, 0.0], -1.0, Paint::Draw, None), "radius = -1"),
        (click(0.0, 0.0, Paint::Draw, Some(3)), "channel = 3"),
        (Command::Place { pattern: "glidr".into(), x: 0, y: 0 }, "the patterns are block"),
        (Command::Place { pattern: "block".into(), x: 8, y: 0 }, "x = 8"),
        (Command::Place { pattern: "block".into(), x: 0, y: u32::MAX }, "y ="),
        (Command::ResizeStage { width: 0, height: 5 }, "width = 0"),
        (Command::ResizeStage { width: 5, height: 1025 }, "height = 1025"),
        (Command::StageSpeed { steps_per_second: Some(f32::NAN) }, "steps_per_second"),
        (Command::StageSpeed { steps_per_second: Some(-1.0) }, "steps_per_second"),
        (Command::StageFire { rate: 1.5 }, "rate = 1.5"),
        (Command::StepStage { steps: 0 }, "steps = 0"),
        (Command::StepStage { steps: 10_001 }, "steps = 10001"),
    ] {
        let error = refusal(&mut *experiment, command);
        assert!(error.contains(why), "{error}");
    }
    assert_eq!(stage(&mut *experiment, 2), before);
}

#[test]
fn a_resized_stage_keeps_its_middle() {
    let mut experiment = with_life();
    tell(&mut *experiment, Command::ResizeStage { width: 9, height: 7 });
    tell(&mut *experiment, Command::Place { pattern: "pulsar".into(), x: 4, y: 3 });
    tell(&mut *experiment, Command::ClearStage);
    tell(&mut *experiment, Command::Place { pattern: "glider".into(), x: 4, y: 3 });
    for (width, height) in [(30, 90), (200, 3), (5, 3)] {
        tell(&mut *experiment, Command::ResizeStage { width, height });
        let rows = stage(&mut *experiment, 0);
        let living: usize = rows.iter().map(|row| row.matches('#').count()).sum();
        assert_eq!((living, rows[height as usize / 2].matches('#').count()), (5, 1), "{rows:?}");
    }
}

#[test]
fn circuit_files_are_judged_before_anything_changes() {
    let mut experiment = make(small());
    advance_to(&mut *experiment, 2);
    let version = |experiment: &mut dyn Experiment| {
        let frame = look(experiment, LogicView { circuit: true, ..view() }, 0.0);
        floats(&frame, "circuit/version").1[0]
    };
    look(&mut *experiment, view(), 1.0);
    let learnt = version(&mut *experiment);
    let broken = |from: &str, to: &str| circuit_of_three().replacen(from, to, 1);
    for (json, why) in [
        (broken("\"a\": \"i1\"", "\"a\": \"g2\""), "reads itself through"),
        (broken("\"i13\"", "\"i27\""), "there is no wire i27"),
        (broken(", \"b\": \"i13\"", ""), "input b: there is no wire missing"),
        (broken("NAND", "MAYBE"), "there is no function \"MAYBE\""),
        (life::circuit().to_json(), "it is a circuit for 1 channels; the cells here have 3"),
        (broken("\"version\": 1", "\"version\": 2"), "version is 2"),
        ("GIF89a".into(), "not a circuit file"),
        (String::new(), "not a circuit file"),
        ("[".repeat(100_000), "not a circuit file"),
    ] {
        let error = refusal(&mut *experiment, Command::OpenCircuit { json });
        assert!(error.starts_with("circuit =") && error.contains(why), "{error}");
        assert_eq!(version(&mut *experiment), learnt);
    }
    advance_to(&mut *experiment, 4);
    tell(&mut *experiment, Command::OpenCircuit { json: circuit_of_three() });
    let frame = look(&mut *experiment, LogicView { circuit: true, ..view() }, 2.0);
    let (shape, gates) = floats(&frame, "circuit/gates");
    assert!(shape == [3, 4] && gates.chunks(4).all(|gate| gate[3] == -1.0));
    assert_eq!(floats(&frame, "circuit/size").1, [3.0, 3.0]);
    tell(&mut *experiment, Command::UseLearntCircuit);
    assert_eq!(
        floats(&look(&mut *experiment, LogicView { circuit: true, ..view() }, 0.0), "circuit/size").1[0],
        115.0
    );
}

/// The bytes of an exported file, after checking what it says of itself.
fn file(experiment: &mut dyn Experiment, format: ExportFormat, ending: &str, media_type: &str) -> Vec<u8> {
    match experiment.command(Command::Export { format }) {
        Ok(Reply::File { name, mime, base64 }) => {
            assert!(name.ends_with(ending) && mime == media_type, "{name} {mime}");
            STANDARD.decode(base64).unwrap()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn exported_files_are_what_they_say() {
    let mut experiment = make(small());
    tell(&mut *experiment, Command::OpenCircuit { json: circuit_of_three() });
    let json = file(&mut *experiment, ExportFormat::Json, ".json", "application/json");
    let circuit = Circuit::from_json(std::str::from_utf8(&json).unwrap()).unwrap();
    assert_eq!((circuit.channels(), circuit.gates().len()), (3, 3));
    let verilog = file(&mut *experiment, ExportFormat::Verilog, ".v", "text/x-verilog");
    let verilog = String::from_utf8(verilog).unwrap();
    assert!(verilog.contains("module vivarium_cell") && verilog.contains("assign out[2]"), "{verilog}");
    tell(&mut *experiment, Command::UseLearntCircuit);
    let json = file(&mut *experiment, ExportFormat::Json, ".json", "application/json");
    tell(&mut *experiment, Command::OpenCircuit { json: String::from_utf8(json).unwrap() });
}

#[test]
fn moving_pictures_show_the_rollout() {
    let rgb = [("task.target", json!("drawn")), ("task.drawing", json!("4x2x3:abcdef"))];
    for (config, width, height) in
        [(small(), 80, 60), (changed(&rgb), 80, 60), (json!({"preset": "life"}), 448, 448)]
    {
        let mut experiment = make(config);
        let bytes = file(&mut *experiment, ExportFormat::Gif, ".gif", "image/gif");
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (width, height));
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            pictures.push((frame.delay, frame.buffer.to_vec()));
        }
        assert_eq!(pictures.len(), 61);
        assert!(pictures[60].0 > pictures[0].0, "the last one stays");
        let colours: std::collections::BTreeSet<&[u8]> = pictures[0].1.chunks(4).collect();
        assert!(colours.len() >= 2, "the first one is noise");
    }
}

#[test]
fn evaluation_tells_what_was_learnt_from_what_was_not() {
    let mut untaught = make(small());
    let outcome = evaluate(&mut *untaught, 20, 1);
    assert_eq!(outcome.boards, 20);
    assert!(outcome.accuracy < 0.9 && outcome.wrong_bits > 100);
    let names: Vec<&str> = outcome.tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names, ["generalisation_64", "generalisation_1024", "damage", "asynchronous"]);
    assert!(outcome.tests.iter().all(|test| (0.0..=1.0).contains(&test.accuracy)));
    assert!(outcome.tests.iter().all(|test| test.help.ends_with('.') && !test.label.is_empty()));
    assert_eq!(evaluate(&mut *untaught, 20, 1), outcome, "the same seed, the same boards");
    assert_ne!(evaluate(&mut *untaught, 20, 2), outcome);
    let cpu = Cpu::new(1);
    for boards in [0, u32::MAX] {
        let error = untaught.evaluate(&cpu, boards, 1).unwrap_err().to_string();
        assert!(error.starts_with("episodes =") && error.contains("21845"), "{error}");
    }
    let mut of_life = make(json!({"preset": "life"}));
    let names: Vec<String> = evaluate(&mut *of_life, 1, 1).tests.into_iter().map(|test| test.name).collect();
    assert_eq!(names, ["neighbourhoods", "patterns"]);
    let seeded = changed(&[
        ("task.start", json!("seed")),
        ("task.fire_rate", json!(0.5)),
        ("task.target", json!("drawn")),
        ("task.drawing", json!("2x1x1:c")),
    ]);
    let names: Vec<String> =
        evaluate(&mut *make(seeded), 1, 1).tests.into_iter().map(|test| test.name).collect();
    assert_eq!(names, ["generalisation", "damage", "synchronous"]);
}

#[test]
fn a_simple_pattern_is_learnt_and_known_to_be_right() {
    // Every cell is to be 1: a constant that the gates find within some epochs.
    let drawn = format!("8x6x1:{}", "f".repeat(12));
    let mut experiment = make(changed(&[("task.target", json!("drawn")), ("task.drawing", json!(drawn))]));
    advance_to(&mut *experiment, 150);
    let outcome = evaluate(&mut *experiment, 10, 1);
    assert_eq!((outcome.accuracy, outcome.wrong_bits), (1.0, 0));
    // A cell that was never updated is not right, unless it was by chance.
    let marks: Vec<f64> = outcome.tests.iter().map(|test| test.accuracy).collect();
    assert!(marks.len() == 2 && marks[0] == 1.0 && marks[1] > 0.9, "{marks:?}");
    let last = experiment.take_metrics().pop().unwrap();
    let value = |name: &str| last.values.iter().find(|(known, _)| known == name).unwrap().1;
    assert_eq!((value("hard_accuracy"), value("hard_loss")), (1.0, 0.0));
    assert!(value("soft_loss") < 1.0 && value("gates_kept") < 20.0);
}

#[test]
fn a_learner_that_breaks_down_goes_back_and_says_so() {
    let mut experiment = make(changed(&[("learning.epochs", json!(5000))]));
    advance_to(&mut *experiment, 60);
    // Logits that grow a hundredfold in every epoch.
    let set = |path: &str, value| Command::Set { path: path.into(), value };
    tell(&mut *experiment, set("learning.weight_decay", json!(10)));
    tell(&mut *experiment, set("learning.learning_rate", json!(10)));
    tell(&mut *experiment, set("learning.final_learning_rate", json!(10)));
    experiment.take_metrics();
    let cpu = Cpu::new(1);
    let notice = loop {
        experiment.advance(&cpu).unwrap();
        let rows = experiment.take_metrics();
        assert!(rows.iter().all(|row| row.steps < 200), "no roll-back");
        if let Some(notice) = rows.into_iter().find_map(|row| row.notice) {
            break notice;
        }
    };
    assert!(notice.contains("after epoch 50") && notice.contains("learning rate, 5."), "{notice}");
    assert_eq!(experiment.config()["learning"]["learning_rate"], json!(5.0));
    assert_eq!(experiment.progress().steps, 50);
    // What is saved then can be opened, and smaller and smaller steps are found that stand.
    registry::open(&experiment.save()).unwrap();
    advance_to(&mut *experiment, 300);
}
