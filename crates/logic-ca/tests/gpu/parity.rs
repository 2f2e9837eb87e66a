//! GPU trainer and CPU learner agree within rounding.

use crate::common::{gpu, narrow, random_learner, train_epoch};
use vivarium_graph::Cpu;
use vivarium_logic_ca::Learner;
use vivarium_logic_ca::gpu_trainer::LogicGpuTrainer;
use vivarium_logic_ca::{LogicCa, LogicConfig, LogicPreset, Report, RolloutRecording, State};

#[track_caller]
fn same_report(what: &str, found: &Report, expected: &Report, tolerance: f64) {
    let error = (found.soft_loss - expected.soft_loss).abs() / expected.soft_loss.max(1.0);
    assert!(error < tolerance, "{what}: soft loss {}, not {}", found.soft_loss, expected.soft_loss);
    assert_eq!(found.epoch, expected.epoch);
    assert_eq!(found.hard_loss, expected.hard_loss, "{what}: hard loss in epoch {}", expected.epoch);
    assert_eq!(found.hard_accuracy, expected.hard_accuracy, "{what}");
    assert_eq!(found.gates.functions, expected.gates.functions, "{what}");
    assert!((found.gates.confidence - expected.gates.confidence).abs() < tolerance, "{what}");
    assert_eq!(found.learning_rate, expected.learning_rate);
    assert!((found.hard_share - expected.hard_share).abs() < 1e-6);
}

/// Returns the maximum error relative to the largest expected number.
fn apart(found: &[f32], expected: &[f32]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(1e-30f32, |largest, x| largest.max(x.abs()));
    let pairs = found.iter().zip(expected);
    pairs.map(|(found, expected)| f64::from((found - expected).abs() / largest)).fold(0.0, f64::max)
}

/// Checks that two training states agree within `tolerance`, relative to the largest value of each array. After one
/// epoch the first moments are a tenth of the gradients, so this check covers the gradient of every logit.
#[track_caller]
fn same_state(what: &str, found: &State, expected: &State, tolerance: f64) {
    for (array, found, expected) in [
        ("logits", &found.logits, &expected.logits),
        ("first moments", &found.first_moment, &expected.first_moment),
        ("second moments", &found.second_moment, &expected.second_moment),
    ] {
        let apart = apart(found, expected);
        assert!(apart < tolerance, "{what}: {array} differ by {apart:e} of the largest");
    }
    assert_eq!(found.streak, expected.streak, "{what}");
}

/// Compares recordings: soft values within 1/255, hard values exactly.
#[track_caller]
fn same_recording(what: &str, found: &RolloutRecording, expected: &RolloutRecording) {
    assert_eq!((found.steps(), found.channels()), (expected.steps(), expected.channels()));
    for step in 0..=found.steps() {
        for channel in 0..found.channels() {
            let cells = found.soft(step, channel).iter().zip(expected.soft(step, channel));
            for (found, expected) in cells {
                assert!(found.abs_diff(*expected) <= 1, "{what}, step {step}: {found}, not {expected}");
            }
            assert_eq!(found.hard(step, channel), expected.hard(step, channel), "{what}, step {step}");
        }
    }
}

/// Trains a learner on the CPU and on the GPU from the same logits, and compares the training states after every epoch.
/// Returns the reports.
fn agrees(what: &str, learner: &mut LogicCa, epochs: usize, tolerance: f64) -> Vec<Report> {
    let cpu = Cpu::new(2);
    let mut trainer = LogicGpuTrainer::new(gpu(), learner).unwrap();
    let mut reports = Vec::new();
    for _ in 0..epochs {
        let expected = learner.iterate(&cpu).unwrap();
        let report = train_epoch(&mut trainer);
        same_report(what, &report, &expected, tolerance);
        same_state(what, trainer.state(), &learner.state(), tolerance);
        same_recording(what, trainer.recording().unwrap(), learner.recording());
        reports.push(expected);
    }
    reports
}

/// Tolerance for `f32` sums in another order; the measured difference is below 1e-5 of the largest value.
const ROUNDING: f64 = 5e-5;

/// Tolerance after tens of AdamW steps, which amplify rounding differences.
const DRIFT: f64 = 5e-3;

#[test]
fn random_gates_of_every_preset_agree() {
    for preset in LogicPreset::ALL {
        agrees(preset.name(), &mut random_learner(&narrow(preset), 3), 2, ROUNDING);
    }
}

#[test]
fn a_training_run_agrees() {
    // Many optimizer steps that change most gates, on small boards.
    let config = LogicConfig {
        width: 6,
        height: 5,
        steps: 4,
        learning_rate: 0.1,
        ..narrow(LogicPreset::Checkerboard)
    };
    let reports = agrees("checkerboard", &mut random_learner(&config, 5), 30, DRIFT);
    assert_ne!(reports[29].gates.functions, reports[0].gates.functions);
    // The same comparison, beginning with the initial pass-through gates.
    let mut new = LogicCa::new(narrow(LogicPreset::Life), 1).unwrap();
    agrees("life", &mut new, 20, DRIFT);
}

#[test]
fn all_partitions_agree() {
    let small = LogicConfig { width: 4, height: 3, steps: 2, ..narrow(LogicPreset::CheckerboardAsync) };
    // Workgroups own whole boards and run several steps per dispatch; several boards per workgroup.
    agrees("whole boards", &mut random_learner(&small, 1), 2, ROUNDING);
    agrees(
        "many boards",
        &mut random_learner(&LogicConfig { batch: 260, steps: 1, ..small.clone() }, 2),
        1,
        ROUNDING,
    );
    // Several chunks per workgroup, one step per dispatch, rows of several words.
    let wide = LogicConfig { width: 67, height: 17, steps: 1, ..small.clone() };
    agrees("large boards", &mut random_learner(&wide, 3), 2, ROUNDING);
    // Layers with more gates than invocations, and many kernels and channels.
    let heavy = LogicConfig {
        width: 2,
        height: 2,
        channels: 40,
        kernels: 9,
        update: vec![420, 700, 350, 175, 88, 44, 40],
        ..small.clone()
    };
    agrees("wide layers", &mut random_learner(&heavy, 4), 1, ROUNDING);
    // Chunks of two lanes and of one.
    let wider = LogicConfig { update: vec![1500, 750, 375, 188, 94, 47, 40], ..heavy.clone() };
    agrees("chunks of two", &mut random_learner(&wider, 5), 1, ROUNDING);
    let widest = LogicConfig { update: vec![3000, 1500, 750, 375, 188, 94, 47, 40], ..heavy };
    agrees("chunks of one", &mut random_learner(&widest, 6), 1, ROUNDING);
}
