//! Training as a front end controls it: progress, live config changes, checkpoints, evaluation.

use crate::automaton::{bytes, changed, evaluate, look, make, perform, refusal, small, view};
use crate::notice::notice;
use crate::steps::advance_to;
use serde_json::json;
use vivarium_exhibit_logic_ca::protocol::{LogicCommand as Command, LogicView, SandboxStart};
use vivarium_exhibit_logic_ca::{FAMILY, LogicExhibit};
use vivarium_graph::Cpu;

#[test]
fn starts_from_the_config_and_reports_metrics() {
    let mut experiment = make(small());
    assert_eq!((experiment.name(), experiment.seed()), ("logic-ca", 7));
    assert_eq!(experiment.config(), FAMILY.configure("logic-ca", &small()).unwrap());
    assert_eq!(experiment.progress().total_steps, Some(200 + 1000));
    assert_eq!(experiment.phase(), "forward");
    advance_to(&mut *experiment, 16);
    assert_eq!((experiment.progress().steps, experiment.progress().episodes), (16, 32));
    let rows = experiment.take_metrics();
    assert!(rows.iter().map(|row| row.steps).eq(1..=16));
    let known: Vec<String> = (vivarium_exhibit_logic_ca::DESCRIPTIONS.find("logic-ca").unwrap().info)()
        .metrics
        .into_iter()
        .map(|metric| metric.name)
        .collect();
    for row in rows {
        // For boards of this size, the gates are counted every 16 epochs.
        let expected = known.iter().filter(|name| *name != "gates_kept" || row.steps == 16);
        assert!(row.values.iter().map(|(name, _)| name).eq(expected), "{row:?}");
        assert!(row.values.iter().all(|(_, value)| value.is_finite()));
    }
    assert!(experiment.take_metrics().is_empty());
}

#[test]
fn saved_runs_continue_identically() {
    let drawn = changed(&[("task.target", json!("drawn")), ("task.drawing", json!("4x2x3:abcdef"))]);
    for config in [small(), changed(&[("task.fire_rate", json!(0.5))]), drawn] {
        let mut whole = make(config);
        advance_to(&mut *whole, 60);
        whole.advance(&Cpu::new(1)).unwrap();
        let bytes = whole.save();
        let mut resumed = FAMILY.open(&bytes).unwrap();
        assert_eq!(resumed.save(), bytes, "the checkpoint round trip is exact");
        assert_eq!((resumed.seed(), resumed.config()), (whole.seed(), whole.config()));
        whole.take_metrics();
        let from = whole.progress().steps;
        advance_to(&mut *whole, 80);
        advance_to(&mut *resumed, 80);
        let rows = |experiment: &mut LogicExhibit| {
            let mut rows = experiment.take_metrics();
            rows.retain(|row| row.steps > from);
            rows
        };
        assert_eq!(rows(&mut *resumed), rows(&mut *whole));
        assert_eq!(resumed.save(), whole.save(), "bit for bit");
    }
}

#[test]
fn runs_are_independent_of_the_sandbox_and_threads() {
    let mut alone = make(small());
    advance_to(&mut *alone, 30);
    let mut watched = make(small());
    let cpu = Cpu::new(2);
    while watched.progress().steps < 30 {
        watched.advance(&cpu).unwrap();
        look(&mut *watched, LogicView { cell: Some([1, 1]), circuit: true, ..view() }, 0.3);
        perform(&mut *watched, Command::ResetSandbox { start: SandboxStart::Noise });
        perform(&mut *watched, Command::StepSandbox { steps: 3 });
    }
    watched.evaluate(&cpu, 3, 1).unwrap();
    assert_eq!(watched.save(), alone.save());
}

#[test]
fn only_live_fields_can_be_changed() {
    let mut experiment = make(small());
    let set = |experiment: &mut LogicExhibit, path: &str, value| experiment.set(path, &value);
    set(&mut *experiment, "learning.learning_rate", json!(0.01)).unwrap();
    set(&mut *experiment, "learning.epochs", json!(300)).unwrap();
    // The total number of steps includes the epochs of local search.
    assert_eq!(experiment.progress().total_steps, Some(300 + 1000));
    let config = experiment.config();
    for (path, value, why) in [
        ("task.width", json!(9), "the field is fixed for the whole run"),
        ("task.widht", json!(9), "did you mean task.width"),
        ("learning.learning_rate", json!(-1), "a number from"),
        ("task.target", json!("drawn"), "no pattern"),
        ("task.target", json!("lizard"), "20×20"),
        ("task.drawing", json!("8x8x1:"), "hexadecimal digits"),
        ("task.drawing", json!("x".repeat(4000)), "text of at most"),
    ] {
        let error = set(&mut *experiment, path, value).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    assert_eq!(experiment.config(), config);
    let push = json!({ "kind": "push", "member": null, "force": 1.0 });
    let error = experiment.any_command(push).unwrap_err().to_string();
    assert!(
        error.starts_with("cannot parse the request: unknown variant `push`, expected one of"),
        "{error}"
    );
}

#[test]
fn drawn_targets_take_effect_and_are_saved() {
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
    perform(&mut *experiment, draw(8, 6, 1, &cells));
    assert_eq!(experiment.config()["task"]["target"], "drawn");
    let frame = look(&mut *experiment, view(), 0.0);
    let wanted: Vec<u8> = cells.iter().map(|&cell| 255 * cell).collect();
    assert_eq!(bytes(&frame, "target/cells").1, wanted);
    // A drawn target gives the same result as the same target in the initial config.
    let opened = FAMILY.open(&experiment.save()).unwrap();
    assert_eq!(opened.config(), experiment.config());
    let mut early = make(small());
    perform(&mut *early, draw(8, 6, 1, &cells));
    let mut from_config = make(experiment.config());
    advance_to(&mut *early, 4);
    advance_to(&mut *from_config, 4);
    assert_eq!(early.save(), from_config.save());
    // A target with three channels is in color.
    perform(&mut *experiment, draw(1, 2, 3, &[1, 0, 0, 1, 1, 1]));
    assert_eq!(bytes(&look(&mut *experiment, view(), 0.0), "sandbox/cells").0, [6, 8, 3]);
    advance_to(&mut *experiment, 6);
}

#[test]
fn evaluation_includes_generalization_tests() {
    let mut untrained = make(small());
    let outcome = evaluate(&mut *untrained, 20, 1);
    assert_eq!(outcome.boards, 20);
    assert!(outcome.accuracy < 0.9 && outcome.wrong_bits > 100);
    let names: Vec<&str> = outcome.tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names, ["generalization_64", "generalization_1024", "damage", "asynchronous"]);
    assert!(outcome.tests.iter().all(|test| (0.0..=1.0).contains(&test.accuracy.unwrap())));
    assert!(outcome.tests.iter().all(|test| test.help.ends_with('.') && !test.label.is_empty()));
    let help = |name: &str| outcome.tests.iter().find(|test| test.name == name).unwrap().help.clone();
    assert!(help("asynchronous").contains("on 50 boards"), "{}", help("asynchronous"));
    assert!(help("damage").contains("on 50 boards"), "{}", help("damage"));
    assert!(help("generalization_64").contains("on a board of 64×64 cells"), "{}", help("generalization_64"));
    assert_eq!(evaluate(&mut *untrained, 20, 1), outcome, "the same seed, the same boards");
    assert_ne!(evaluate(&mut *untrained, 20, 2), outcome);
    let cpu = Cpu::new(1);
    for boards in [0, u32::MAX] {
        let error = untrained.evaluate(&cpu, boards, 1).unwrap_err().to_string();
        assert!(error.starts_with("episodes =") && error.contains("21845"), "{error}");
    }
    let mut of_life = make(json!({"preset": "life"}));
    let names: Vec<String> = evaluate(&mut *of_life, 1, 1).tests.into_iter().map(|test| test.name).collect();
    assert_eq!(names, ["neighborhoods", "patterns"]);
    // Tests that would take too long are skipped.
    let outcome = evaluate(&mut *make(json!({"preset": "checkerboard-async"})), 1, 1);
    let skipped: Vec<_> = outcome.tests.iter().filter(|test| test.accuracy.is_none()).collect();
    assert!(skipped.len() == 1 && skipped[0].name == "generalization_1024", "{skipped:?}");
    assert!(skipped[0].help.contains("too long"), "{skipped:?}");
    let seeded = changed(&[
        ("task.start", json!("seed")),
        ("task.fire_rate", json!(0.5)),
        ("task.target", json!("drawn")),
        ("task.drawing", json!("2x1x1:c")),
    ]);
    let names: Vec<String> =
        evaluate(&mut *make(seeded), 1, 1).tests.into_iter().map(|test| test.name).collect();
    assert_eq!(names, ["generalization", "damage", "synchronous"]);
}

#[test]
fn a_simple_pattern_is_trained_to_full_accuracy() {
    // If all target cells are 1, the circuit is a constant function, which is found within some epochs.
    let drawn = format!("8x6x1:{}", "f".repeat(12));
    let mut experiment = make(changed(&[("task.target", json!("drawn")), ("task.drawing", json!(drawn))]));
    advance_to(&mut *experiment, 150);
    let outcome = evaluate(&mut *experiment, 10, 1);
    assert_eq!((outcome.accuracy, outcome.wrong_bits), (1.0, 0));
    // Under asynchronous updates cells that were never updated are correct only by chance.
    let marks: Vec<f64> = outcome.tests.iter().map(|test| test.accuracy.unwrap()).collect();
    assert!(marks.len() == 2 && marks[0] == 1.0 && marks[1] > 0.9, "{marks:?}");
    let rows = experiment.take_metrics();
    let values = || rows.iter().rev().flat_map(|row| &row.values);
    let value = |name: &str| values().find(|(known, _)| known == name).unwrap().1;
    assert_eq!((value("hard_accuracy"), value("hard_loss")), (1.0, 0.0));
    assert!(value("soft_loss") < 1.0 && value("gates_kept") < 20.0);
}

#[test]
fn divergence_rolls_back_with_a_notice() {
    let mut experiment = make(changed(&[("learning.epochs", json!(5000))]));
    advance_to(&mut *experiment, 60);
    // The logits grow by a factor of 100 per epoch.
    let set = |experiment: &mut LogicExhibit, path: &str, value| experiment.set(path, &value);
    set(&mut *experiment, "learning.weight_decay", json!(10)).unwrap();
    set(&mut *experiment, "learning.learning_rate", json!(10)).unwrap();
    set(&mut *experiment, "learning.final_learning_rate", json!(10)).unwrap();
    experiment.take_metrics();
    let notice = notice(&mut *experiment, 140);
    assert!(notice.contains("after epoch 50") && notice.contains("learning rate, 5."), "{notice}");
    assert_eq!(experiment.config()["learning"]["learning_rate"], json!(5.0));
    assert_eq!(experiment.progress().steps, 50);
    // The checkpoint can be opened, and smaller learning rates are stable.
    FAMILY.open(&experiment.save()).unwrap();
    advance_to(&mut *experiment, 300);
}
