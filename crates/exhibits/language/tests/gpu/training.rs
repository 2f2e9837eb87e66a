//! Language models on a GPU: the same run on either engine, moved between them, and what happens when the device goes away.

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

/// Tokens of a gradient step of [`small`].
const TOKENS: u64 = 4 * 16;

/// Losses of gradient steps, each with the steps before its end.
fn losses(rows: &[MetricRow]) -> Vec<(u64, f64)> {
    rows.iter().filter_map(|row| Some((row.steps, value(row, "loss")?))).collect()
}

/// Whether losses are those of the same steps, but for how they were rounded.
fn check_alike(found: &[(u64, f64)], expected: &[(u64, f64)]) {
    assert_eq!(found.len(), expected.len());
    for (&(steps, found), &(expected_steps, expected)) in found.iter().zip(expected) {
        assert_eq!(steps, expected_steps);
        assert!((found - expected).abs() < 0.01 * expected, "after {steps}: {found}, not {expected}");
    }
}

#[test]
fn it_trains_there_and_reports_what_it_does_on_the_cpu() {
    let gpu = open();
    let (mut there, mut here) = (on(&gpu, reader()), reader());
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
    assert_eq!(there.engine(), info, "it is still there");
}

#[test]
fn a_move_keeps_weights_optimizer_and_place_bit_for_bit() {
    let gpu = open();
    let mut moved = reader();
    train(&mut *moved, 7);
    // A gradient step is under way, and is begun again there.
    moved.advance(&Cpu::new(1)).unwrap();
    let saved = moved.save();
    moved.set_engine(Engine::Gpu(gpu)).unwrap();
    assert!(moved.save() == saved, "it changed on the way there");
    let rows = train(&mut *moved, 20);
    let mut straight = reader();
    check_alike(&losses(&rows), &losses(&train(&mut *straight, 20))[7..]);
    let saved = moved.save();
    moved.set_engine(Engine::Cpu).unwrap();
    assert!(moved.save() == saved, "something learned there was lost");
    assert_eq!(moved.engine(), EngineInfo::Cpu);
    let mut opened = FAMILY.open(&saved).unwrap();
    assert_eq!(train(&mut *moved, 30), train(&mut *opened, 30));
}

#[test]
fn a_text_may_come_after_the_device() {
    let mut experiment = misses_verses(json!({ "evaluation": { "every": 0 } }));
    experiment.set_engine(Engine::Gpu(open())).unwrap();
    experiment.advance(&Cpu::new(1)).unwrap();
    assert!(experiment.is_waiting());
    let mut here = misses_verses(json!({ "evaluation": { "every": 0 } }));
    for experiment in [&mut experiment, &mut here] {
        experiment.bring_data(text(&verses(100))).unwrap();
    }
    let mut rows = train(&mut *experiment, 25);
    // It comes back every so often, and without evaluations no sooner.
    assert_eq!(experiment.progress().updates, 40);
    assert_ne!(experiment.engine(), EngineInfo::Cpu);
    // The text has come to its end meanwhile, and was read anew.
    assert!(experiment.progress().episodes > 0);
    experiment.set_engine(Engine::Cpu).unwrap();
    rows.extend(train(&mut *experiment, 60));
    check_alike(&losses(&rows), &losses(&train(&mut *here, 60)));
    assert_eq!(experiment.progress(), here.progress());
}

#[test]
fn the_draft_is_of_what_was_learned_there() {
    let mut experiment = misses_verses(json!({ "learner": { "vocabulary": 0 } }));
    experiment.bring_data(text(&verses(200))).unwrap();
    experiment.set_engine(Engine::Gpu(open())).unwrap();
    train(&mut *experiment, 160);
    let prompt = "the nig".to_owned();
    experiment.command(Command::Generate { prompt, temperature: 0.0, top_k: 0, tokens: 6 }).unwrap();
    let draft = written(&mut *experiment);
    let text: String = draft.tokens.iter().map(|token| &*token.text).collect();
    assert_eq!((text.as_str(), draft.updates), ("the night was", 160));
}

#[test]
fn what_is_set_while_it_runs_is_felt_there() {
    let mut experiment = on(&open(), reader());
    train(&mut *experiment, 20);
    for path in ["learner.learning_rate", "learner.final_learning_rate"] {
        experiment.set(path, &json!(1e-4)).unwrap();
    }
    let rows = train(&mut *experiment, 40);
    let rates: Vec<f64> = rows.iter().filter_map(|row| value(row, "learning_rate")).collect();
    assert_eq!(rates.len(), 20);
    assert!(rates.iter().all(|rate| (rate - 1e-4).abs() < 1e-9), "{rates:?}");
    // An evaluation that is asked for sooner than it had gone is held at the next chance.
    experiment.set("evaluation.every", &json!(7)).unwrap();
    train(&mut *experiment, 49);
    assert_eq!(experiment.progress().updates, 49);
    assert_ne!(experiment.engine(), EngineInfo::Cpu);
    assert_eq!(FAMILY.open(&experiment.save()).unwrap().config(), experiment.config());
}

#[test]
fn another_optimizer_is_left_to_the_cpu() {
    let mut experiment = misses_verses(json!({ "learner": { "optimizer": "muon" } }));
    let error = experiment.set_engine(Engine::Gpu(open())).unwrap_err().to_string();
    assert!(error.contains("learner.optimizer=adamw"), "{error}");
    assert_eq!(experiment.engine(), EngineInfo::Cpu);
}

#[test]
fn a_lost_device_costs_no_more_than_what_had_not_come_back() {
    let gpu = open();
    let mut experiment = on(&gpu, reader());
    train(&mut *experiment, 20);
    let cpu = Cpu::new(1);
    // Some way on, the evaluation among it.
    while losses(&experiment.take_metrics()).is_empty() {
        experiment.advance(&cpu).unwrap();
    }
    gpu.destroy();
    while experiment.engine() != EngineInfo::Cpu {
        assert_eq!(experiment.progress().updates, 20, "nobody notices");
        experiment.advance(&cpu).unwrap();
    }
    let notice = experiment.take_metrics().pop().and_then(|row| row.notice).unwrap();
    assert!(notice.starts_with("The GPU was lost") && notice.contains("after 20 gradient steps"), "{notice}");
    // What is learned again is of the same text.
    let again = losses(&train(&mut *experiment, 30));
    check_alike(&again, &losses(&train(&mut *reader(), 30))[20..]);
}

#[test]
fn learning_that_breaks_down_there_goes_on_with_smaller_steps_and_gives_up_at_last() {
    let mut experiment = FAMILY.create("language", &without_evaluations(), 3).unwrap();
    train(&mut *experiment, 7);
    let mut experiment = FAMILY.open(&spoiled(experiment.save())).unwrap();
    let gpu = open();
    experiment.set_engine(Engine::Gpu(gpu)).unwrap();
    let error = stop(&mut *experiment).to_string();
    assert!(error.contains("after 8 roll-backs to the state before it"), "{error}");
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

/// A checkpoint whose last scales are so large that nothing can be computed with them.
fn spoiled(bytes: Vec<u8>) -> Vec<u8> {
    let (header, tensors) = checkpoint::read(&bytes).unwrap();
    let mut tensors = tensors.into_vec();
    let scales = tensors.iter_mut().find(|tensor| tensor.name == "ln_f.weight").unwrap();
    let TensorData::F32(scales) = &mut scales.values else { panic!("{:?}", scales.values) };
    scales.fill(3e38);
    checkpoint::write(&header, &tensors)
}
