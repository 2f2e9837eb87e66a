//! Sandbox: speed, brush, resizing and checkpoints.

use crate::automaton::{
    bytes, changed, circuit_of_three, floats, look, make, perform, refusal, sandbox, small, view, with_life,
};
use crate::steps::advance_to;
use serde_json::json;
use vivarium_exhibit_logic_ca::protocol::{LogicCommand as Command, LogicView, Paint, SandboxStart};
use vivarium_exhibit_logic_ca::{FAMILY, LogicExhibit};

#[test]
fn gliders_move_at_the_speed_of_the_sandbox() {
    let mut experiment = with_life();
    perform(&mut *experiment, Command::ResizeSandbox { width: 12, height: 12 });
    perform(&mut *experiment, Command::Place { pattern: "glider".into(), x: 4, y: 4 });
    let start = sandbox(&mut *experiment, 0);
    assert_eq!(start[3..6], ["....#.......", ".....#......", "...###......"]);
    perform(&mut *experiment, Command::SetSandboxSpeed { steps_per_second: Some(8.0) });
    look(&mut *experiment, view(), 0.25);
    look(&mut *experiment, view(), 0.25);
    assert_eq!(sandbox(&mut *experiment, 0)[4..7], [".....#......", "......#.....", "....###....."]);
    // While paused, the sandbox runs only requested steps.
    perform(&mut *experiment, Command::SetSandboxSpeed { steps_per_second: Some(0.0) });
    look(&mut *experiment, view(), 10.0);
    perform(&mut *experiment, Command::StepSandbox { steps: 44 });
    assert_eq!(sandbox(&mut *experiment, 0), start, "one lap around the board");
    assert_eq!(floats(&look(&mut *experiment, view(), 0.0), "sandbox/step").1, [48.0]);
    // Maximum speed is faster, and no cell is updated at fire rate 0.
    perform(&mut *experiment, Command::SetSandboxSpeed { steps_per_second: None });
    assert!(floats(&look(&mut *experiment, view(), 0.01), "sandbox/step").1[0] > 500.0);
    let before = sandbox(&mut *experiment, 0);
    perform(&mut *experiment, Command::SetSandboxFireRate { rate: 0.0 });
    look(&mut *experiment, view(), 0.01);
    assert_eq!(sandbox(&mut *experiment, 0), before);
}

#[test]
fn large_sandboxes_do_bounded_work_per_frame() {
    let mut experiment = with_life();
    perform(&mut *experiment, Command::ResizeSandbox { width: 1024, height: 1024 });
    perform(&mut *experiment, Command::ResetSandbox { start: SandboxStart::Noise });
    perform(&mut *experiment, Command::SetSandboxSpeed { steps_per_second: Some(10_000.0) });
    let frame = look(&mut *experiment, view(), 1e6);
    let steps = floats(&frame, "sandbox/step").1[0];
    assert!((1.0..200.0).contains(&steps), "{steps}");
    assert_eq!(bytes(&frame, "sandbox/cells").0, [1024, 1024, 1]);
}

/// Returns the JSON of a circuit file with `gates` gates that cannot be simplified: a chain that computes channel 2.
/// Channels 0 and 1 never change.
fn expensive_circuit(gates: usize) -> String {
    let parity = |gate: usize| if gate == 0 { "i0".into() } else { format!("g{}", gate - 1) };
    let rows = (0..gates)
        .map(|gate| json!({"function": "XOR", "a": parity(gate), "b": format!("i{}", (gate * 5 + 1) % 27)}));
    let last = format!("g{}", gates - 1);
    json!({"format": "vivarium logic circuit", "version": 1, "channels": 3,
        "gates": rows.collect::<Vec<_>>(), "outputs": ["i4", "i13", last]})
    .to_string()
}

#[test]
fn long_steps_are_spread_over_frames_and_keep_strokes() {
    let mut experiment = make(changed(&[("task.fire_rate", json!(0.6))]));
    perform(&mut *experiment, Command::OpenCircuit { json: expensive_circuit(5000) });
    perform(&mut *experiment, Command::ResizeSandbox { width: 1024, height: 1024 });
    perform(&mut *experiment, Command::ClearSandbox);
    perform(&mut *experiment, Command::SetSandboxSpeed { steps_per_second: None });
    let step = |experiment: &mut LogicExhibit| floats(&look(experiment, view(), 1.0), "sandbox/step").1[0];
    assert_eq!(step(&mut *experiment), 0.0);
    // Strokes that are drawn between two parts of an automaton step are kept.
    let stroke = |y: f32| Command::Brush {
        from: [0.5, y],
        to: [1023.5, y],
        radius: 0.4,
        paint: Paint::Draw,
        channel: Some(0),
    };
    for y in [1.5, 1022.5] {
        perform(&mut *experiment, stroke(y));
    }
    let frames = (1..100).find(|_| step(&mut *experiment) == 1.0).expect("the step is completed");
    assert!(frames > 3, "{frames} frames");
    let rows = sandbox(&mut *experiment, 0);
    let full = |row: &String| row.bytes().all(|cell| cell == b'#');
    let drawn: Vec<_> = (0..1024).filter(|&row| full(&rows[row])).collect();
    assert_eq!(drawn, [1, 1022]);
    // Requested single steps are counted.
    perform(&mut *experiment, Command::SetSandboxSpeed { steps_per_second: Some(0.0) });
    perform(&mut *experiment, Command::StepSandbox { steps: 2 });
    (0..100).for_each(|_| drop(look(&mut *experiment, view(), 1.0)));
    assert_eq!(step(&mut *experiment), 3.0);
}

#[test]
fn the_sandbox_is_independent_of_the_frame_rate() {
    let run = |frames: u32| {
        let mut experiment = make(changed(&[("task.fire_rate", json!(0.6))]));
        perform(&mut *experiment, Command::OpenCircuit { json: circuit_of_three() });
        perform(&mut *experiment, Command::ResetSandbox { start: SandboxStart::Noise });
        perform(&mut *experiment, Command::SetSandboxSpeed { steps_per_second: Some(64.0) });
        (0..frames).for_each(|_| drop(look(&mut *experiment, view(), 1.0 / frames as f32)));
        (0..3).map(|channel| sandbox(&mut *experiment, channel)).collect::<Vec<_>>()
    };
    assert_eq!(run(4), run(64));
}

#[test]
fn brushes_have_the_requested_effect() {
    let mut experiment = make(small());
    let brush = |from, to, radius, paint, channel| Command::Brush { from, to, radius, paint, channel };
    let click = |x, y, paint, channel| brush([x, y], [x, y], 0.0, paint, channel);
    perform(&mut *experiment, Command::ClearSandbox);
    perform(&mut *experiment, click(2.5, 1.5, Paint::Draw, None));
    assert_eq!(sandbox(&mut *experiment, 0)[1], "..#.....");
    assert_eq!(sandbox(&mut *experiment, 1)[1], "........", "drawing affects target channels only");
    perform(&mut *experiment, brush([0.5, 3.5], [7.5, 3.5], 0.4, Paint::Draw, Some(2)));
    assert_eq!(sandbox(&mut *experiment, 2)[2..5], ["........", "########", "........"]);
    perform(&mut *experiment, click(3.5, 3.5, Paint::Invert, Some(2)));
    assert_eq!(sandbox(&mut *experiment, 2)[3], "###.####");
    perform(&mut *experiment, Command::ResetSandbox { start: SandboxStart::Noise });
    perform(&mut *experiment, brush([4.0, 3.0], [4.0, 3.0], 20.0, Paint::Erase, None));
    assert!((0..3).all(|channel| sandbox(&mut *experiment, channel).iter().all(|row| row == "........")));
    perform(&mut *experiment, brush([4.0, 3.0], [4.0, 3.0], 20.0, Paint::Noise, None));
    let noise = sandbox(&mut *experiment, 1);
    perform(&mut *experiment, brush([4.0, 3.0], [4.0, 3.0], 20.0, Paint::Noise, None));
    assert!(noise != sandbox(&mut *experiment, 1) && noise != sandbox(&mut *experiment, 0));
    perform(&mut *experiment, Command::ResetSandbox { start: SandboxStart::Seed });
    assert_eq!(sandbox(&mut *experiment, 2)[3], "....#...");

    let before = sandbox(&mut *experiment, 2);
    for (command, why) in [
        (brush([f32::NAN, 0.0], [0.0, 0.0], 1.0, Paint::Draw, None), "from ="),
        (brush([0.0, 0.0], [0.0, 1e9], 1.0, Paint::Draw, None), "to ="),
        (brush([0.0, 0.0], [0.0, 0.0], 65.0, Paint::Draw, None), "radius = 65"),
        (brush([0.0, 0.0], [0.0, 0.0], -1.0, Paint::Draw, None), "radius = -1"),
        (click(0.0, 0.0, Paint::Draw, Some(3)), "channel = 3"),
        (Command::Place { pattern: "glidr".into(), x: 0, y: 0 }, "the patterns are block"),
        (Command::Place { pattern: "block".into(), x: 8, y: 0 }, "x = 8"),
        (Command::Place { pattern: "block".into(), x: 0, y: u32::MAX }, "y ="),
        (Command::ResizeSandbox { width: 0, height: 5 }, "width = 0"),
        (Command::ResizeSandbox { width: 5, height: 1025 }, "height = 1025"),
        (Command::SetSandboxSpeed { steps_per_second: Some(f32::NAN) }, "steps_per_second"),
        (Command::SetSandboxSpeed { steps_per_second: Some(-1.0) }, "steps_per_second"),
        (Command::SetSandboxFireRate { rate: 1.5 }, "rate = 1.5"),
        (Command::StepSandbox { steps: 0 }, "steps = 0"),
        (Command::StepSandbox { steps: 10_001 }, "steps = 10001"),
    ] {
        let error = refusal(&mut *experiment, command);
        assert!(error.contains(why), "{error}");
    }
    assert_eq!(sandbox(&mut *experiment, 2), before);
}

#[test]
fn resizing_keeps_the_content_centered() {
    let mut experiment = with_life();
    perform(&mut *experiment, Command::ResizeSandbox { width: 9, height: 7 });
    perform(&mut *experiment, Command::Place { pattern: "pulsar".into(), x: 4, y: 3 });
    perform(&mut *experiment, Command::ClearSandbox);
    perform(&mut *experiment, Command::Place { pattern: "glider".into(), x: 4, y: 3 });
    for (width, height) in [(30, 90), (200, 3), (5, 3)] {
        perform(&mut *experiment, Command::ResizeSandbox { width, height });
        let rows = sandbox(&mut *experiment, 0);
        let living: usize = rows.iter().map(|row| row.matches('#').count()).sum();
        assert_eq!((living, rows[height as usize / 2].matches('#').count()), (5, 1), "{rows:?}");
    }
}

#[test]
fn packed_checkpoints_contain_the_sandbox() {
    let mut experiment = make(changed(&[("task.fire_rate", json!(0.6))]));
    advance_to(&mut *experiment, 2);
    let plain = experiment.save();
    perform(&mut *experiment, Command::OpenCircuit { json: circuit_of_three() });
    perform(&mut *experiment, Command::ResizeSandbox { width: 70, height: 5 });
    perform(&mut *experiment, Command::ResetSandbox { start: SandboxStart::Noise });
    perform(&mut *experiment, Command::SetSandboxFireRate { rate: 0.25 });
    perform(&mut *experiment, Command::SetSandboxSpeed { steps_per_second: Some(7.0) });
    look(&mut *experiment, view(), 0.5);
    assert_eq!(experiment.save(), plain, "the sandbox is not part of the run");

    let mut there = FAMILY.open(&experiment.pack()).unwrap();
    assert_eq!(there.save(), plain);
    let mut watched = |elapsed| {
        [&mut experiment, &mut there].map(|experiment| {
            let frame = look(&mut **experiment, LogicView { circuit: true, ..view() }, elapsed);
            let cells = [0, 1, 2].map(|channel| sandbox(&mut **experiment, channel));
            let numbers = ["sandbox/step", "circuit/size", "circuit/outputs"]
                .map(|name| floats(&frame, name).1.to_vec());
            (cells, numbers)
        })
    };
    let [here, there] = watched(0.0);
    assert_eq!(here.1[0], [3.0]);
    assert_eq!((&here.0, &here.1[..2]), (&there.0, &there.1[..2]));
    let [here, there] = watched(0.7);
    assert_eq!(here.1[0], [8.0]);
    assert_eq!((here.0, &here.1[..2]), (there.0, &there.1[..2]));

    // The restored sandbox continues the sequence of noise seeds.
    let mut again = FAMILY.open(&experiment.pack()).unwrap();
    for experiment in [&mut experiment, &mut again] {
        perform(&mut **experiment, Command::ResetSandbox { start: SandboxStart::Noise });
    }
    assert_eq!(sandbox(&mut *again, 1), sandbox(&mut *experiment, 1));
    perform(&mut *again, Command::SetSandboxSpeed { steps_per_second: None });
    perform(&mut *again, Command::UseTrainedCircuit);
    let packed = FAMILY.open(&again.pack()).unwrap().pack();
    assert_eq!(packed, again.pack(), "maximum speed, trained circuit");
}
