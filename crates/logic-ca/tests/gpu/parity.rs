//! The learner on the GPU does what the one on the CPU does, within rounding.

use crate::common::{gpu, learn, narrow, undecided};
use vivarium_graph::Cpu;
use vivarium_logic_ca::gpu_trainer::GpuTrainer;
use vivarium_logic_ca::{Film, LogicCa, LogicConfig, Preset, Report, State};

#[track_caller]
fn same_report(what: &str, found: &Report, expected: &Report, tolerance: f64) {
    let error = (found.soft_loss - expected.soft_loss).abs() / expected.soft_loss.max(1.0);
    assert!(error < tolerance, "{what}: soft loss {}, not {}", found.soft_loss, expected.soft_loss);
    assert_eq!(found.epoch, expected.epoch);
    assert_eq!(found.hard_loss, expected.hard_loss, "{what}: hard loss in epoch {}", expected.epoch);
    assert_eq!(found.hard_accuracy, expected.hard_accuracy, "{what}");
    assert_eq!(found.gates.functions, expected.gates.functions, "{what}");
    assert!((found.gates.decidedness - expected.gates.decidedness).abs() < tolerance, "{what}");
    assert_eq!(found.learning_rate, expected.learning_rate);
    assert!((found.hard_share - expected.hard_share).abs() < 1e-6);
}

/// How far numbers are from what they should be, relative to the largest of these.
fn apart(found: &[f32], expected: &[f32]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(1e-30f32, |largest, x| largest.max(x.abs()));
    let pairs = found.iter().zip(expected);
    pairs.map(|(found, expected)| f64::from((found - expected).abs() / largest)).fold(0.0, f64::max)
}

/// After one epoch the mean of the gradients is a tenth of the first gradient: so every gate's sums are compared.
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

/// The first board in every step: soft within the next of 255 shades, hard bit for bit.
#[track_caller]
fn same_film(what: &str, found: &Film, expected: &Film) {
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

/// Both from the same logits for some epochs.
fn agrees(what: &str, learner: &mut LogicCa, epochs: usize, tolerance: f64) -> Vec<Report> {
    let cpu = Cpu::new(2);
    let mut trainer = GpuTrainer::new(gpu(), learner).unwrap();
    let mut reports = Vec::new();
    for _ in 0..epochs {
        let expected = learner.learn(&cpu).unwrap();
        let report = learn(&mut trainer);
        same_report(what, &report, &expected, tolerance);
        same_state(what, trainer.state(), &learner.state(), tolerance);
        same_film(what, trainer.film().unwrap(), learner.film());
        reports.push(expected);
    }
    reports
}

/// Sums over all cells and steps, in `f32` and in another order: found to differ by less than 1e-5 of the largest.
const ROUNDING: f64 = 5e-5;

/// After tens of steps, each of which divides by the root of small numbers.
const DRIFT: f64 = 5e-3;

#[test]
fn undecided_gates_of_every_preset_agree() {
    for preset in Preset::ALL {
        agrees(preset.name(), &mut undecided(&narrow(preset), 3), 2, ROUNDING);
    }
}

#[test]
fn a_training_agrees() {
    // Fifty optimizer steps in which most gates change their minds, on small boards.
    let config =
        LogicConfig { width: 6, height: 5, steps: 4, learning_rate: 0.1, ..narrow(Preset::Checkerboard) };
    let reports = agrees("checkerboard", &mut undecided(&config, 5), 30, DRIFT);
    assert_ne!(reports[29].gates.functions, reports[0].gates.functions);
    // From the beginning, where every gate hands its first input on.
    let mut new = LogicCa::new(narrow(Preset::Life), 1).unwrap();
    agrees("life", &mut new, 20, DRIFT);
}

#[test]
fn whatever_is_spread_otherwise_agrees() {
    let small = LogicConfig { width: 4, height: 3, steps: 2, ..narrow(Preset::CheckerboardAsync) };
    // Boards that a workgroup has whole ones of, many steps at once; several of them for each workgroup.
    agrees("whole boards", &mut undecided(&small, 1), 2, ROUNDING);
    agrees(
        "many boards",
        &mut undecided(&LogicConfig { batch: 260, steps: 1, ..small.clone() }, 2),
        1,
        ROUNDING,
    );
    // Several chunks for each workgroup, a step at a time, rows of several words.
    let wide = LogicConfig { width: 67, height: 17, steps: 1, ..small.clone() };
    agrees("large boards", &mut undecided(&wide, 3), 2, ROUNDING);
    // Layers of more gates than a workgroup has invocations; more kernels of more channels, too.
    let heavy = LogicConfig {
        width: 2,
        height: 2,
        channels: 40,
        kernels: 9,
        update: vec![420, 700, 350, 175, 88, 44, 40],
        ..small.clone()
    };
    agrees("wide layers", &mut undecided(&heavy, 4), 1, ROUNDING);
    // Chunks of two lanes and of one.
    let wider = LogicConfig { update: vec![1500, 750, 375, 188, 94, 47, 40], ..heavy.clone() };
    agrees("chunks of two", &mut undecided(&wider, 5), 1, ROUNDING);
    let widest = LogicConfig { update: vec![3000, 1500, 750, 375, 188, 94, 47, 40], ..heavy };
    agrees("chunks of one", &mut undecided(&widest, 6), 1, ROUNDING);
}
