//! Tests of the frame arrays of a logic-automaton experiment: names, shapes and content.

use crate::automaton::{bytes, changed, floats, look, make, perform, small, view};
use crate::steps::advance_to;
use serde_json::json;
use vivarium_exhibit_logic_ca::FAMILY;
use vivarium_exhibit_logic_ca::protocol::{LogicCommand as Command, LogicView};

#[test]
fn frames_have_the_documented_arrays() {
    let rgb = changed(&[("task.target", json!("drawn")), ("task.drawing", json!("4x2x3:abcdef"))]);
    for (config, shown) in [(small(), 1), (rgb, 3)] {
        let mut experiment = make(config);
        for epochs in [0, 3] {
            // Request a frame before training, as a front end does that is attached early.
            look(&mut *experiment, view(), 0.0);
            advance_to(&mut *experiment, epochs);
            perform(&mut *experiment, Command::ResizeSandbox { width: 70, height: 5 });
            let request = LogicView { circuit: true, cell: Some([69, 4]), channel: None };
            let frame = look(&mut *experiment, request.clone(), 0.5);
            for name in ["soft/cells", "hard/cells", "target/cells"] {
                assert_eq!(bytes(&frame, name).0, [6, 8, shown], "{name}");
            }
            assert!(bytes(&frame, "hard/cells").1.iter().all(|byte| [0, 255].contains(byte)));
            assert!(bytes(&frame, "target/cells").1.contains(&255));
            assert_eq!(bytes(&frame, "sandbox/cells").0, [5, 70, shown]);
            let (_, step) = floats(&frame, "rollout/step");
            assert_eq!(step[1], if epochs == 0 { 0.0 } else { 4.0 });
            assert_eq!(floats(&frame, "sandbox/step").1, [f32::from(u8::from(epochs > 0)) * 5.0 + 5.0]);
            let (shape, functions) = floats(&frame, "gates/functions");
            assert_eq!((shape, functions.iter().sum::<f32>()), (&[16][..], 2.0 * 14.0 + 31.0));
            let (_, decided) = floats(&frame, "gates/confidence");
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
            // An unchanged circuit is sent once. It is sent again after a frame without the circuit.
            let again = look(&mut *experiment, request.clone(), 0.0);
            assert_eq!(floats(&again, "circuit/version"), floats(&frame, "circuit/version"));
            assert!(again.get("circuit/gates").is_none() && again.get("circuit/outputs").is_none());
            assert!(look(&mut *experiment, view(), 0.0).get("circuit/version").is_none());
            let resent = look(&mut *experiment, request, 0.0);
            assert_eq!(floats(&resent, "circuit/gates"), floats(&frame, "circuit/gates"));
            look(&mut *experiment, view(), 0.0);
        }
    }
}

#[test]
fn a_restored_experiment_shows_a_rollout_before_training_continues() {
    let mut trained = make(small());
    advance_to(&mut *trained, 3);
    for (mut experiment, steps) in
        [(FAMILY.open(&trained.save()).unwrap(), 4.0), (FAMILY.open(&make(small()).save()).unwrap(), 0.0)]
    {
        let frame = look(&mut *experiment, view(), 0.0);
        assert_eq!(floats(&frame, "rollout/step").1[1], steps);
        assert_eq!(bytes(&frame, "soft/cells").1.iter().any(|&byte| byte > 0), steps > 0.0);
    }
}

#[test]
fn invalid_views_are_tolerated() {
    let mut experiment = make(small());
    let of_another = json!({ "kind": "control", "members": 3, "focus": 0, "map": null });
    let Err(error) = experiment.any_frame(of_another, 0.1) else {
        panic!("a view of another kind was accepted")
    };
    assert_eq!(error.to_string(), "cannot parse the request: missing field `circuit`");
    let odd = LogicView { channel: Some(99), cell: Some([u32::MAX, 0]), circuit: true };
    for elapsed in [f32::NAN, f32::INFINITY, -1.0, 1e30] {
        let frame = look(&mut *experiment, odd.clone(), elapsed);
        assert!(frame.get("circuit/signals").is_none());
        assert_eq!(bytes(&frame, "sandbox/cells").0, [6, 8, 1]);
    }
}

#[test]
fn soft_and_hard_board_start_equal_and_playback_stays_at_the_last_step_without_new_rollouts() {
    let mut experiment = make(small());
    look(&mut *experiment, view(), 0.1);
    let mut steps = |epoch: u64, frames: usize| -> Vec<u32> {
        advance_to(&mut *experiment, epoch);
        let mut steps = Vec::new();
        for _ in 0..frames {
            let frame = look(&mut *experiment, LogicView { channel: Some(2), ..view() }, 0.05);
            let step = floats(&frame, "rollout/step").1[0];
            if step == 0.0 {
                assert_eq!(bytes(&frame, "soft/cells"), bytes(&frame, "hard/cells"));
            }
            steps.push(step as u32);
        }
        steps.dedup();
        steps
    };
    assert_eq!(steps(2, 120), [0, 1, 2, 3, 4], "the rollout is not repeated during a pause");
    assert_eq!(steps(3, 60), [0, 1, 2, 3, 4]);
}
