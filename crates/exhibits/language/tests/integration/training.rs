//! Training on the encyclopedia and on other texts, with evaluations.

use crate::texts::*;
use serde_json::json;
use vivarium_exhibit_language::FAMILY;
use vivarium_exhibit_language::Model;
use vivarium_graph::Cpu;
use vivarium_lab::config;
use vivarium_lm::Sampling;

#[test]
fn a_model_trains_on_the_encyclopedia_with_a_quiz() {
    let mut experiment = encyclopedia_experiment();
    assert_eq!(experiment.phase(), "text");
    let rows = train(experiment.as_mut(), 121);
    let evaluations: Vec<_> = rows.iter().filter(|row| value(row, "validation_loss").is_some()).collect();
    let steps: Vec<u64> = evaluations.iter().map(|row| row.steps).collect();
    assert_eq!(steps, [0, 20, 40, 60, 80, 100, 120].map(|updates| updates * 4 * 16));
    let [first, .., last] = evaluations[..] else { panic!("too few evaluations") };
    let of = |row, name| value(row, name).unwrap();
    assert!((of(first, "validation_loss") - of(first, "uniform")).abs() < 0.1, "{first:?}");
    assert!(of(last, "validation_loss") < of(first, "validation_loss") - 0.5, "{last:?}");
    assert!((of(last, "perplexity").ln() - of(last, "validation_loss")).abs() < 1e-9);
    assert!(of(last, "bigram") < of(last, "unigram") && of(last, "unigram") < of(last, "uniform"));
    assert!([0.0, 0.333333333, 0.666666667, 1.0].contains(&of(last, "quiz")), "{last:?}");
    let learned: Vec<_> = rows.iter().filter(|row| value(row, "loss").is_some()).collect();
    assert_eq!(learned.len(), 121);
    for name in ["learning_rate", "gradient_norm"] {
        assert!(learned.iter().all(|row| value(row, name).is_some_and(|value| value > 0.0)), "{name}");
    }
    let progress = experiment.progress();
    assert_eq!((progress.steps, progress.total_steps), (121 * 64, Some(200 * 64)));
}

#[test]
fn an_evaluation_returns_loss_baselines_and_topics() {
    let mut experiment = encyclopedia_experiment();
    // An evaluation before the first gradient step completes the setup first.
    let before = evaluate(experiment.as_mut(), 10, 1);
    assert_eq!((before.tokens, before.windows, before.vocabulary), (10 * 16, 10, 300));
    assert!((before.loss - 300f64.ln()).abs() < 0.1, "{before:?}");
    train(experiment.as_mut(), 100);
    let after = evaluate(experiment.as_mut(), 10, 1);
    assert!(after.loss < before.loss - 0.5, "{} became {}", before.loss, after.loss);
    assert_eq!(after.baselines, before.baselines);
    assert_eq!(evaluate(experiment.as_mut(), 10, 1), after, "the same seed, the same evaluation");
    assert_ne!(evaluate(experiment.as_mut(), 10, 2).loss, after.loss);
    // Evaluations on all held-out windows differ only by the window offset; the interval of a few windows contains them.
    let [one, other] = [1, 2].map(|seed| evaluate(experiment.as_mut(), 10_000, seed));
    assert!(one.windows > 100 && one.windows < 10_000 && one.windows == other.windows, "{one:?}");
    assert!((one.loss - other.loss).abs() < 0.1 * one.std, "{} and {}", one.loss, other.loss);
    assert!((after.loss - one.loss).abs() < 3.0 * one.std / 10f64.sqrt(), "{} of {one:?}", after.loss);
    assert_eq!(evaluate(experiment.as_mut(), 1, 1).std, 0.0);
    let quiz = after.quiz.unwrap();
    assert_eq!(quiz.all.asked, 10);
    assert_eq!(quiz.topics.iter().map(|(_, score)| score.asked).sum::<u32>(), 10);
    for episodes in [0, 10_001] {
        let error = experiment.evaluate(&Cpu::new(1), episodes, 1).unwrap_err().to_string();
        assert!(error.contains("from 1 to 10000"), "{error}");
    }
}

#[test]
fn the_first_evaluations_are_at_powers_of_two() {
    let mut given = small();
    config::merge(
        &mut given,
        &json!({ "learner": { "batch": 1 }, "evaluation": { "every": 100, "questions": 0 } }),
    );
    let mut experiment = FAMILY.create("language", &given, 3).unwrap();
    let rows = train(experiment.as_mut(), 201);
    let evaluations = rows.iter().filter(|row| value(row, "validation_loss").is_some());
    let updates: Vec<u64> = evaluations.map(|row| row.steps / 16).collect();
    assert_eq!(updates, [0, 32, 64, 100, 200]);
}

#[test]
fn evaluations_do_not_affect_training() {
    let mut given = small();
    given["evaluation"]["every"] = 0.into();
    let mut quiet = FAMILY.create("language", &given, 3).unwrap();
    let mut evaluated = encyclopedia_experiment();
    let [one, other] = [quiet.as_mut(), evaluated.as_mut()].map(|experiment| {
        let mut rows = train(experiment, 30);
        evaluate(experiment, 3, 9);
        rows.extend(train(experiment, 45));
        rows.retain(|row| value(row, "loss").is_some());
        rows
    });
    assert_eq!(one, other);
}

#[test]
fn a_supplied_text_is_trained_on_with_a_character_tokenizer() {
    let mut experiment = waiting_for_verses(json!({ "learner": { "vocabulary": 0 } }));
    assert_eq!(experiment.missing_data(), Some("verses"));
    experiment.bring_data(text(&verses(200))).unwrap();
    assert_eq!(experiment.missing_data(), None);
    let rows = train(experiment.as_mut(), 150);
    let last = rows.last().and_then(|row| value(row, "loss")).unwrap();
    assert!(last < 1.0, "{last}");
    let evaluation = evaluate(experiment.as_mut(), 5, 1);
    assert_eq!(evaluation.quiz, None, "this text has no questions");
    assert!(evaluation.loss < evaluation.baselines.unwrap().unigram, "{evaluation:?}");

    let cpu = Cpu::new(1);
    let model = Model::open(&experiment.save()).unwrap();
    let likeliest = Sampling { temperature: 0.0, top_k: 0 };
    let mut writing = model.begin(&cpu, "the nig", likeliest, 1).unwrap();
    let mut written = String::new();
    for _ in 0..9 {
        written.push_str(&model.advance(&cpu, &mut writing).unwrap().unwrap());
    }
    assert!(written.starts_with("ht was"), "{written}");
}

#[test]
fn learning_rates_are_live_fields_and_the_model_size_is_not() {
    let mut experiment = encyclopedia_experiment();
    train(experiment.as_mut(), 10);
    assert_eq!(experiment.set("learner.learning_rate", &json!(0.001)), Ok(()));
    let row = train(experiment.as_mut(), 11).pop().unwrap();
    assert!(value(&row, "learning_rate").unwrap() <= 0.001, "{row:?}");
    assert_eq!(experiment.set("evaluation.windows", &json!(2)), Ok(()));
    let before = experiment.config();
    for (path, given) in
        [("learner.width", json!(32)), ("data", json!("other")), ("learner.warm_up", json!(-1))]
    {
        let error = experiment.set(path, &given).unwrap_err().to_string();
        assert!(error.contains(path), "{error}");
    }
    assert_eq!(experiment.config(), before);
}
