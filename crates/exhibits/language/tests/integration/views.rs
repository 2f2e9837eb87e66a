//! Views other than the playground: training state, quiz, token map.

use crate::texts::*;
use serde_json::json;
use vivarium_exhibit_language::protocol::{
    LanguageEmbeddings, LanguageQuizView, LanguageRun, LanguageStage, LanguageTokenKind,
    LanguageTokenizerKind, LanguageView,
};
use vivarium_exhibit_language::{FAMILY, LanguageExhibit};
use vivarium_graph::Cpu;
use vivarium_lab::config;
use vivarium_lab::protocol::Frame;

fn run(experiment: &mut LanguageExhibit) -> LanguageRun {
    current_document(experiment, "language")
}

#[test]
fn the_run_document_reports_setup_and_training() {
    let mut experiment = encyclopedia_experiment();
    let experiment = experiment.as_mut();
    let mut stages: Vec<(LanguageStage, Vec<f64>)> = Vec::new();
    while experiment.progress().updates < 1 {
        let LanguageRun { stage, done, epoch, .. } = run(experiment);
        assert_eq!(epoch.is_some(), stage == LanguageStage::Training);
        match stages.last_mut().filter(|(last, _)| *last == stage) {
            Some((_, slices)) => slices.push(done),
            None => stages.push((stage, vec![done])),
        }
        experiment.advance(&Cpu::new(1)).unwrap();
    }
    use LanguageStage::{Reading, Text, Tokenizer, Training};
    assert_eq!(
        stages.iter().map(|(stage, _)| *stage).collect::<Vec<_>>(),
        [Text, Tokenizer, Reading, Training]
    );
    // Setup is incremental and reports its progress.
    for (stage, mut slices) in stages {
        assert!(
            slices.is_sorted() && slices.iter().all(|done| (0.0..=1.0).contains(done)),
            "{stage:?} {slices:?}"
        );
        slices.dedup();
        assert!(slices.len() > 2 || stage == Training, "{stage:?} {slices:?}");
    }
    let first = run(experiment);
    let rows = train(experiment, 121);
    let LanguageRun { text, tokenizer, model, baselines, updates, tokens, epoch, validation, done, .. } =
        run(experiment);
    let (text, tokenizer, model) = (text.unwrap(), tokenizer.unwrap(), model.unwrap());
    assert!(text.built_in && text.name == "the built-in encyclopedia");
    assert!((50_000..80_000).contains(&text.bytes), "{text:?}");
    assert_eq!((tokenizer.kind, tokenizer.vocabulary), (LanguageTokenizerKind::BytePairs, 300));
    assert_eq!(tokenizer.example.len(), 60);
    assert_eq!((model.layers, model.heads, model.width, model.context), (1, 2, 16, 16));
    assert_eq!(first.model.unwrap().memory_bytes, model.memory_bytes, "memory is constant");
    assert!(model.memory_bytes > 16 * model.parameters && model.flops_per_token > 6.0 * 300.0 * 16.0);
    assert_eq!((updates, tokens, done), (121, 121 * 64, 121.0 / 200.0));
    assert!(epoch > first.epoch && epoch < Some(1.0), "{epoch:?}");
    assert!(baselines.unwrap().bigram < baselines.unwrap().unigram);
    let measured: Vec<f64> = rows.iter().filter_map(|row| value(row, "validation_loss")).collect();
    let kept: Vec<f64> = validation.iter().map(|row| row.loss).collect();
    assert_eq!(kept, measured);
    assert_eq!(validation.iter().map(|row| row.updates).collect::<Vec<_>>(), [0, 20, 40, 60, 80, 100, 120]);
    let mut opened = FAMILY.open(&experiment.save()).unwrap();
    let opened = run(opened.as_mut());
    assert_eq!(opened.validation, validation);
    assert_eq!(opened.epoch, None, "the epoch is unknown before the text is loaded");
}

#[test]
fn a_step_is_incremental_and_independent_of_the_number_of_threads() {
    let mut given = small();
    config::merge(&mut given, &json!({ "learner": { "batch": 64 }, "evaluation": { "every": 0 } }));
    let mut one = FAMILY.create("language", &given.clone(), 3).unwrap();
    let mut other = FAMILY.create("language", &given, 3).unwrap();
    let [single, double] = [1, 2].map(Cpu::new);
    let mut slices = 0;
    while one.progress().updates < 3 {
        slices += u32::from(one.phase() == "update");
        one.advance(&single).unwrap();
        // A checkpoint in the middle of a step resumes with the same sequences.
        if slices == 6 && one.phase() == "update" {
            one = FAMILY.open(&one.save()).unwrap();
            slices += 1;
        }
    }
    while other.progress().updates < 3 {
        other.advance(&double).unwrap();
    }
    assert!(slices >= 9, "{slices} slices of three steps");
    assert!(one.save() == other.save(), "they part");
}

#[test]
fn speed_and_flops_utilization_are_measured_with_the_clock() {
    use std::sync::atomic::{AtomicU64, Ordering};
    static TICKS: AtomicU64 = AtomicU64::new(0);
    let mut experiment = encyclopedia_experiment();
    let rows = train(experiment.as_mut(), 2);
    assert!(
        rows.iter()
            .all(|row| value(row, "peak_share").is_none() && value(row, "tokens_per_second").is_none())
    );
    // The clock advances one millisecond per call.
    experiment.set_clock(|| TICKS.fetch_add(1, Ordering::Relaxed) as f64 / 1e3);
    let row = train(experiment.as_mut(), 3).pop().unwrap();
    let [speed, share] = ["tokens_per_second", "peak_share"].map(|name| value(&row, name).unwrap());
    let model = run(experiment.as_mut()).model.unwrap();
    // A burst of 200,000 rounds of multiply-adds over 12 vectors takes one millisecond.
    let lanes = share.recip() * speed * model.flops_per_token / (2.0 * 12.0 * 200_000.0 * 1e3);
    assert!([4.0, 8.0, 16.0].iter().any(|known| (lanes / known - 1.0).abs() < 1e-6), "{lanes} lanes");
}

#[test]
fn the_quiz_shows_questions_and_answers() {
    let mut given = small();
    config::merge(&mut given, &json!({ "evaluation": { "questions": 70 } }));
    let mut experiment = FAMILY.create("language", &given, 3).unwrap();
    let experiment = experiment.as_mut();
    let quiz =
        |experiment: &mut LanguageExhibit| -> LanguageQuizView { current_document(experiment, "quiz") };
    assert_eq!(quiz(experiment), LanguageQuizView::default());
    let mut seen_running = false;
    while experiment.progress().updates < 1 {
        experiment.advance(&Cpu::new(1)).unwrap();
        let now = quiz(experiment);
        seen_running |= now.running && now.asked > 0 && now.asked < 70;
    }
    assert!(seen_running);
    let first = quiz(experiment);
    train(experiment, 21);
    let second = quiz(experiment);
    for view in [&first, &second] {
        assert_eq!((view.running, view.asked, view.answers.len()), (false, 70, 64));
        assert_eq!(view.topics.iter().map(|(_, score)| score.right).sum::<u32>(), view.right);
        let right = view.answers.iter().filter(|answer| answer.right == answer.chosen).count() as u32;
        assert!((right..=right + 6).contains(&view.right), "{right} of 64, {} of 70", view.right);
        for answer in &view.answers {
            assert!((answer.probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            let largest = answer.probabilities.iter().copied().fold(0.0, f32::max);
            assert_eq!(answer.probabilities[answer.chosen as usize], largest, "{answer:?}");
        }
    }
    assert!(
        (1..4).all(|place| first.answers.iter().any(|answer| answer.right == place)),
        "they are shuffled"
    );
    for (one, other) in first.answers.iter().zip(&second.answers) {
        assert_eq!((&one.prompt, &one.endings, one.right), (&other.prompt, &other.endings, other.right));
    }
    let mut brought = waiting_for_verses(json!({}));
    assert_eq!(current_document::<Option<LanguageQuizView>>(brought.as_mut(), "quiz"), None);
}

#[test]
fn the_map_shows_the_most_frequent_tokens() {
    let mut experiment = encyclopedia_experiment();
    let experiment = experiment.as_mut();
    let view = LanguageView { documents: false, attention: None, embeddings: true };
    assert!(frame(experiment, view, 1.0).eq(&Frame::from(Vec::new())), "the model does not exist yet");
    train(experiment, 1);
    let first = frame(experiment, view, 0.1);
    let LanguageEmbeddings { tokens, kinds, counts, updates } = document(&first, "embeddings").unwrap();
    assert_eq!((tokens.len(), updates), (kinds.len(), 1));
    assert!((100..=300).contains(&tokens.len()), "{} tokens occur", tokens.len());
    assert!(counts.is_sorted_by(|one, other| one >= other) && *counts.last().unwrap() > 0.0);
    assert!((counts.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    let kind_of = |text: &str| tokens.iter().position(|token| token == text).map(|place| kinds[place]);
    assert_eq!(kind_of("e"), Some(LanguageTokenKind::Letter));
    assert_eq!(kind_of("."), Some(LanguageTokenKind::Punctuation));
    let places = first.get("embeddings/positions").unwrap();
    assert_eq!(places.shape, [tokens.len() as u32, 2]);
    let largest = places.floats().unwrap().iter().fold(0.0f32, |most, place| most.max(place.abs()));
    assert!((largest - 1.0).abs() < 1e-6, "{largest}");
    assert!(frame(experiment, view, 1.0).eq(&Frame::from(Vec::new())), "the model has not changed");
    train(experiment, 9);
    assert!(frame(experiment, view, 0.1).get("embeddings/positions").is_some(), "the interval has passed");
    train(experiment, 10);
    assert!(frame(experiment, view, 0.1).eq(&Frame::from(Vec::new())), "the interval has not passed");
    frame(experiment, LanguageView::default(), 0.0);
    assert!(
        frame(experiment, view, 0.0).get("embeddings/positions").is_some(),
        "a new view request gets a map"
    );
}
