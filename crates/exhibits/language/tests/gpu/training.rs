//! Tests of language-model training on a GPU: equality with the CPU, engine changes during a run, device loss.

use crate::common::open;
use crate::on::on;
use crate::texts::*;
use serde_json::{Value, json};
use vivarium_exhibit_language::FAMILY;
use vivarium_exhibit_language::protocol::LanguageCommand as Command;
use vivarium_graph::Cpu;
use vivarium_lab::Engine;
use vivarium_lab::checkpoint::{self, TensorData};
use vivarium_lab::protocol::{EngineInfo, MetricRow};

/// Number of training tokens of a gradient step with the config [`small`]: 4 sequences × 16 tokens.
const TOKENS: u64 = 4 * 16;

/// Returns the pairs (training steps, training loss) of the metric rows that report a gradient step.
fn losses(rows: &[MetricRow]) -> Vec<(u64, f64)> {
    rows.iter().filter_map(|row| Some((row.steps, value(row, "loss")?))).collect()
}

/// Asserts that two lists of pairs (training steps, loss) have equal steps, and losses that differ by less than 1 %.
fn check_alike(found: &[(u64, f64)], expected: &[(u64, f64)]) {
    assert_eq!(found.len(), expected.len());
    for (&(steps, found), &(expected_steps, expected)) in found.iter().zip(expected) {
        assert_eq!(steps, expected_steps);
        assert!((found - expected).abs() < 0.01 * expected, "after {steps}: {found}, not {expected}");
    }
}

#[test]
fn gpu_training_reports_the_same_metrics_as_the_cpu() {
    let gpu = open();
    let (mut there, mut here) = (on(&gpu, encyclopedia_experiment()), encyclopedia_experiment());
    let report = gpu.adapter_info();
    let info = EngineInfo::Gpu { adapter: report.name.clone(), software: report.software };
    assert_eq!(there.engine(), info);
    let [found, expected] = [&mut there, &mut here].map(|experiment| train(&mut **experiment, 60));
    check_alike(&losses(&found), &losses(&expected));
    assert_eq!(losses(&found).last().unwrap().0, 60 * TOKENS);
    let evaluations = |rows: &[MetricRow]| -> Vec<(u64, f64)> {
        rows.iter().filter_map(|row| Some((row.steps, value(row, "validation_loss")?))).collect()
    };
    let (found, expected) = (evaluations(&found), evaluations(&expected));
    assert_eq!(found.len(), 3);
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found.0, expected.0);
        assert!((found.1 - expected.1).abs() < 0.01 * expected.1, "{found:?}, not {expected:?}");
    }
    assert_eq!(there.engine(), info, "the engine is unchanged");
}

#[test]
fn an_engine_change_keeps_weights_optimizer_and_position_bit_for_bit() {
    let gpu = open();
    let mut moved = encyclopedia_experiment();
    train(&mut *moved, 7);
    // The gradient step in progress restarts on the GPU.
    moved.advance(&Cpu::new(1)).unwrap();
    let saved = moved.save();
    moved.set_engine(Engine::Gpu(gpu)).unwrap();
    assert!(moved.save() == saved, "the state changed");
    let rows = train(&mut *moved, 20);
    let mut straight = encyclopedia_experiment();
    check_alike(&losses(&rows), &losses(&train(&mut *straight, 20))[7..]);
    let saved = moved.save();
    moved.set_engine(Engine::Cpu).unwrap();
    assert!(moved.save() == saved, "gradient steps were lost");
    assert_eq!(moved.engine(), EngineInfo::Cpu);
    let mut opened = FAMILY.open(&saved).unwrap();
    assert_eq!(train(&mut *moved, 30), train(&mut *opened, 30));
}

#[test]
fn the_text_can_be_supplied_after_the_engine_change() {
    let mut experiment = waiting_for_verses(json!({ "evaluation": { "every": 0 } }));
    experiment.set_engine(Engine::Gpu(open())).unwrap();
    experiment.advance(&Cpu::new(1)).unwrap();
    assert!(experiment.is_waiting());
    let mut here = waiting_for_verses(json!({ "evaluation": { "every": 0 } }));
    for experiment in [&mut experiment, &mut here] {
        experiment.bring_data(text(&verses(100))).unwrap();
    }
    let mut rows = train(&mut *experiment, 25);
    // Readbacks are periodic; without evaluations there are no others.
    assert_eq!(experiment.progress().updates, 40);
    assert_ne!(experiment.engine(), EngineInfo::Cpu);
    // Training has passed the end of an epoch.
    assert!(experiment.progress().episodes > 0);
    experiment.set_engine(Engine::Cpu).unwrap();
    rows.extend(train(&mut *experiment, 60));
    check_alike(&losses(&rows), &losses(&train(&mut *here, 60)));
    assert_eq!(experiment.progress(), here.progress());
}

#[test]
fn generated_text_uses_the_weights_of_the_gpu() {
    let mut experiment = waiting_for_verses(json!({ "learner": { "vocabulary": 0 } }));
    experiment.bring_data(text(&verses(200))).unwrap();
    experiment.set_engine(Engine::Gpu(open())).unwrap();
    train(&mut *experiment, 160);
    let prompt = "the nig".to_owned();
    experiment.command(Command::Generate { prompt, sampling: sampling(0.0, 6) }).unwrap();
    let draft = written(&mut *experiment);
    let text: String = draft.tokens.iter().map(|token| &*token.text).collect();
    assert_eq!((text.as_str(), draft.updates), ("the night was", 160));
}

#[test]
fn live_fields_take_effect_on_the_gpu() {
    let mut experiment = on(&open(), encyclopedia_experiment());
    train(&mut *experiment, 20);
    for path in ["learner.learning_rate", "learner.final_learning_rate"] {
        experiment.set(path, &json!(1e-4)).unwrap();
    }
    let rows = train(&mut *experiment, 40);
    let rates: Vec<f64> = rows.iter().filter_map(|row| value(row, "learning_rate")).collect();
    assert_eq!(rates.len(), 20);
    assert!(rates.iter().all(|rate| (rate - 1e-4).abs() < 1e-9), "{rates:?}");
    // An evaluation that is already overdue follows the next readback.
    experiment.set("evaluation.every", &json!(7)).unwrap();
    train(&mut *experiment, 49);
    assert_eq!(experiment.progress().updates, 49);
    assert_ne!(experiment.engine(), EngineInfo::Cpu);
    assert_eq!(FAMILY.open(&experiment.save()).unwrap().config(), experiment.config());
}

#[test]
fn muon_is_rejected_on_the_gpu() {
    let mut experiment = waiting_for_verses(json!({ "learner": { "optimizer": "muon" } }));
    let error = experiment.set_engine(Engine::Gpu(open())).unwrap_err().to_string();
    assert!(error.contains("learner.optimizer=adamw"), "{error}");
    assert_eq!(experiment.engine(), EngineInfo::Cpu);
}

#[test]
fn device_loss_discards_only_the_steps_after_the_last_readback() {
    let gpu = open();
    let mut experiment = on(&gpu, encyclopedia_experiment());
    train(&mut *experiment, 20);
    let cpu = Cpu::new(1);
    // Some steps further, including an evaluation.
    while losses(&experiment.take_metrics()).is_empty() {
        experiment.advance(&cpu).unwrap();
    }
    gpu.destroy();
    while experiment.engine() != EngineInfo::Cpu {
        assert_eq!(experiment.progress().updates, 20, "the step count is unchanged");
        experiment.advance(&cpu).unwrap();
    }
    let notice = experiment.take_metrics().pop().and_then(|row| row.notice).unwrap();
    assert!(notice.starts_with("The GPU was lost") && notice.contains("after 20 gradient steps"), "{notice}");
    // The repeated steps use the same sequences.
    let again = losses(&train(&mut *experiment, 30));
    check_alike(&again, &losses(&train(&mut *encyclopedia_experiment(), 30))[20..]);
}

#[test]
fn divergence_halves_the_learning_rate_and_fails_after_repetition() {
    let mut experiment = FAMILY.create("language", &without_evaluations(), 3).unwrap();
    train(&mut *experiment, 7);
    let mut experiment = FAMILY.open(&spoiled(experiment.save())).unwrap();
    let gpu = open();
    experiment.set_engine(Engine::Gpu(gpu)).unwrap();
    let error = stop(&mut *experiment).to_string();
    assert!(
        error.contains("after 8 rollbacks with smaller learning rates; reduce learner.learning_rate"),
        "{error}"
    );
    let rows = experiment.take_metrics();
    let notices: Vec<&str> = rows.iter().filter_map(|row| row.notice.as_deref()).collect();
    assert_eq!(notices.len(), 8);
    assert!(notices[7].contains("after step 7 were discarded"), "{}", notices[7]);
    assert_eq!((experiment.progress().updates, losses(&rows).len()), (7, 0));
    let rate = experiment.config()["learner"]["learning_rate"].as_f64().unwrap();
    assert!((rate - 0.01 / 256.0).abs() < 1e-9, "{rate}");
    assert_ne!(experiment.engine(), EngineInfo::Cpu);
}

fn without_evaluations() -> Value {
    let mut given = small();
    given["evaluation"]["every"] = 0.into();
    given
}

/// Returns the checkpoint `bytes` with huge gains of the last LayerNorm, so that resumed training diverges.
fn spoiled(bytes: Vec<u8>) -> Vec<u8> {
    let (header, tensors) = checkpoint::read(&bytes).unwrap();
    let mut tensors = tensors.into_vec();
    let scales = tensors.iter_mut().find(|tensor| tensor.name == "ln_f.weight").unwrap();
    let TensorData::F32(scales) = &mut scales.values else { panic!("{:?}", scales.values) };
    scales.fill(3e38);
    checkpoint::write(&header, &tensors)
}
