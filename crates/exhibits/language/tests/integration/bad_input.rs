//! Invalid texts, prompts, checkpoints and configs are rejected with a reason and without data loss.

use crate::texts::*;
use serde_json::json;
use vivarium_exhibit_language::FAMILY;
use vivarium_exhibit_language::Model;
use vivarium_exhibit_language::protocol::LanguageCommand as Command;
use vivarium_exhibit_language::protocol::{LanguageDraft, LanguageRun, LanguageSamples, LanguageStage};
use vivarium_graph::{Cpu, Tensor, TensorData};
use vivarium_lab::checkpoint;
use vivarium_lab::source::{ByteSource, MemorySource};
use vivarium_lm::Sampling;

#[test]
fn a_run_waits_for_its_text() {
    let mut experiment = waiting_for_verses(json!({}));
    for _ in 0..3 {
        experiment.advance(&Cpu::new(1)).unwrap();
        assert!(experiment.is_waiting());
    }
    assert_eq!(
        current_document::<LanguageRun>(experiment.as_mut(), "language").stage,
        LanguageStage::Missing
    );
    let error = experiment.evaluate(&Cpu::new(1), 3, 1).unwrap_err().to_string();
    assert!(error.contains("data = verses") && error.contains("has not been loaded"), "{error}");
    experiment.bring_data(text(&verses(300))).unwrap();
    train(experiment.as_mut(), 2);
    for experiment in [experiment.as_mut(), encyclopedia_experiment().as_mut()] {
        let error = experiment.bring_data(text(&verses(300))).unwrap_err().to_string();
        assert!(error.contains("already has its text"), "{error}");
    }
    let mut other = FAMILY.create("language", &json!({}), 1).unwrap();
    let error = other.bring_data(text("a")).unwrap_err().to_string();
    assert!(error.contains("the built-in encyclopedia"), "{error}");
}

#[test]
fn invalid_texts_are_rejected_immediately_or_while_tokenizing() {
    let bytes =
        |bytes: &[u8]| -> Vec<Box<dyn ByteSource>> { vec![Box::new(MemorySource::new("verses", bytes))] };
    let mut experiment = waiting_for_verses(json!({}));
    for (sources, part) in [
        (bytes(b""), "the training text is empty"),
        (bytes(&[0xff, 0xfe, b'a', 0]), "UTF-16"),
        (bytes(&[0x1f, 0x8b, 8]), "decompress it first"),
        (Vec::new(), "the training text is empty"),
    ] {
        let error = experiment.bring_data(sources).unwrap_err().to_string();
        assert!(error.contains("data = verses") && error.contains(part), "{error}");
    }
    // Another text can be supplied after a rejected one.
    experiment.bring_data(text(&verses(300))).unwrap();
    train(experiment.as_mut(), 1);

    let mut wrong = verses(300).into_bytes();
    wrong[5_000] = 0xff;
    for vocabulary in [0, 300] {
        let mut experiment = waiting_for_verses(json!({ "learner": { "vocabulary": vocabulary } }));
        experiment.bring_data(bytes(&wrong)).unwrap();
        let error = stop(experiment.as_mut()).to_string();
        assert!(
            error.contains("not UTF-8 at byte 5000") && error.contains("save the text as UTF-8"),
            "{error}"
        );
        // The run waits for another text.
        assert!(experiment.is_waiting());
        experiment.bring_data(text(&verses(300))).unwrap();
        train(experiment.as_mut(), 1);
    }
    for short in ["ab", "one line\n", "line one\nline two\n"] {
        let mut experiment = waiting_for_verses(json!({}));
        experiment.bring_data(text(short)).unwrap();
        let error = stop(experiment.as_mut()).to_string();
        assert!(error.contains("too short") && error.contains("17"), "{short:?}: {error}");
        experiment.bring_data(text(&verses(300))).unwrap();
        train(experiment.as_mut(), 1);
    }
}

#[test]
fn generated_text_is_deleted_with_a_rejected_training_text() {
    let mut experiment = waiting_for_verses(json!({ "learner": { "vocabulary": 0 } }));
    let experiment = experiment.as_mut();
    // The text is long enough for a model, but the held-out split is empty.
    experiment.bring_data(text(&"a".repeat(1_000))).unwrap();
    let mut draft: Option<LanguageDraft> = None;
    let mut advance = || {
        draft = document(&frame(experiment, DOCUMENTS, 0.1), "draft").unwrap_or_else(|| draft.take());
        experiment.advance(&Cpu::new(1)).err()
    };
    let error = (0..1_000).find_map(|_| advance()).expect("the text is rejected").to_string();
    assert!(error.contains("too short"), "{error}");
    assert!(draft.is_some_and(|draft| draft.tokens.iter().all(|token| ["a"].contains(&&*token.text))));
    assert!(current_document::<Option<LanguageDraft>>(experiment, "draft").is_none());
    experiment.bring_data(text(&verses(300))).unwrap();
    train(experiment, 1);
    assert!(written(experiment).tokens.len() > 10);
}

#[test]
fn a_text_that_differs_from_the_checkpoint_is_rejected() {
    let mut experiment = waiting_for_verses(json!({}));
    experiment.bring_data(text(&verses(300))).unwrap();
    train(experiment.as_mut(), 5);
    let mut opened = FAMILY.open(&experiment.save()).unwrap();
    let error = opened.bring_data(text(&verses(301))).unwrap_err().to_string();
    assert!(error.contains("not the original training text"), "{error}");
    assert!(opened.is_waiting());
    // This text has the same size and other content.
    let other = verses(300).replacen("calm", "warm", 1);
    let error = opened.bring_data(text(&other)).unwrap_err().to_string();
    assert!(error.contains("not the original training text") && error.contains("checksum"), "{error}");
    assert!(opened.is_waiting());
    opened.bring_data(text(&verses(300))).unwrap();
    assert_eq!(train(opened.as_mut(), 9), train(experiment.as_mut(), 9));
}

#[test]
fn invalid_prompts_are_rejected() {
    let mut experiment = waiting_for_verses(json!({ "learner": { "vocabulary": 0 } }));
    experiment.bring_data(text(&verses(300))).unwrap();
    let cpu = Cpu::new(1);
    let error = Model::open(&experiment.save()).map(drop).unwrap_err().to_string();
    assert!(error.contains("it has no model"), "{error}");
    train(experiment.as_mut(), 1);
    let model = Model::open(&experiment.save()).unwrap();
    let begin = |prompt: &str| model.begin(&cpu, prompt, Sampling::default(), 1).map(drop);
    let error = begin("the sea was calm.").unwrap_err().to_string();
    assert!(error.contains("17 tokens") && error.contains("context length is 16"), "{error}");
    let error = begin("Ω").unwrap_err().to_string();
    assert!(error.contains("'Ω'") && error.contains("not in the vocabulary"), "{error}");
    assert_eq!(begin("the sea was calm"), Ok(()));
}

#[test]
fn invalid_checkpoints_are_rejected() {
    let mut experiment = encyclopedia_experiment();
    train(experiment.as_mut(), 3);
    let (header, tensors) = checkpoint::read(&experiment.save()).unwrap();
    let tensors = tensors.into_vec();
    let why = |header: &checkpoint::Header, tensors: &[Tensor]| {
        FAMILY.open(&checkpoint::write(header, tensors)).map(drop).unwrap_err().to_string()
    };
    for missing in 0..tensors.len() {
        let mut rest = tensors.clone();
        let gone = rest.remove(missing);
        assert!(why(&header, &rest).contains(&gone.name), "{}", gone.name);
    }
    let mut more = tensors.clone();
    more.push(Tensor { name: "stranger".into(), shape: vec![1], values: TensorData::F32(vec![0.0]) });
    assert!(why(&header, &more).contains("stranger"));

    // A small file must not cause the allocation of a large model.
    let mut large = header.clone();
    large.config["learner"]["width"] = 1024.into();
    assert!(
        why(&large, &tensors).contains("a network of at least 12582912 numbers"),
        "{}",
        why(&large, &tensors)
    );
    let large = checkpoint::write(&large, &tensors);
    let error = Model::open(&large).map(drop).unwrap_err().to_string();
    assert!(error.contains("a network of at least 12582912 numbers"), "{error}");

    // This tokenizer was trained on another text.
    let mut brought = waiting_for_verses(json!({}));
    brought.bring_data(text(&verses(300))).unwrap();
    train(brought.as_mut(), 1);
    let (other, _) = checkpoint::read(&brought.save()).unwrap();
    let mut mixed = header.clone();
    mixed.more["tokenizer"] = other.more["tokenizer"].clone();
    assert!(why(&mixed, &tensors).contains("does not match this checkpoint"));
    for (key, value, part) in [
        ("tokenizer", json!({ "model": 3 }), "its tokenizer"),
        ("tokenizer", json!(null), "no tokenizer"),
        ("position", json!({ "epoch": -1 }), "invalid header"),
        ("stranger", json!(1), "stranger"),
    ] {
        let mut wrong = header.clone();
        wrong.more[key] = value;
        let error = why(&wrong, &tensors);
        assert!(error.contains(part), "{key}: {error}");
    }
    let mut elsewhere = header.clone();
    elsewhere.more["position"] = json!({ "epoch": 0, "pool": 9, "window": 0 });
    let mut opened = FAMILY.open(&checkpoint::write(&elsewhere, &tensors)).unwrap();
    let error = stop(opened.as_mut()).to_string();
    assert!(error.contains("shuffle buffer 9 is not in this text"), "{error}");
    let bytes = experiment.save();
    for cut in [0, 7, 100, bytes.len() / 2, bytes.len() - 1] {
        assert!(FAMILY.open(&bytes[..cut]).is_err());
        assert!(Model::open(&bytes[..cut]).is_err());
    }
}

#[test]
fn invalid_configs_are_rejected_with_the_field() {
    for (config, part) in [
        (json!({ "learner": { "heads": 3 } }), "learner.heads"),
        (json!({ "learner": { "vocabulary": 100 } }), "learner.vocabulary"),
        (json!({ "learner": { "width": 2048, "layers": 48 } }), "learner.width"),
        (json!({ "encyclopedia": { "bytes": 1 } }), "encyclopedia.bytes"),
        (json!({ "evaluation": { "windows": 0 } }), "evaluation.windows"),
        (json!({ "data": 3 }), "data"),
        (json!({ "data": "x".repeat(5_000) }), "data"),
        (json!({ "preset": "large" }), "shakespeare-char"),
    ] {
        let error = FAMILY.create("language", &config, 1).map(drop).unwrap_err().to_string();
        assert!(error.contains(part), "{config}: {error}");
    }
    let error = encyclopedia_experiment().set("data", &json!("")).unwrap_err();
    assert!(error.to_string().contains("fixed for the whole run"), "{error}");
}

#[test]
fn invalid_generation_settings_are_rejected_with_the_field() {
    let write = |prompt: &str, temperature, tokens| Command::Generate {
        prompt: prompt.into(),
        sampling: sampling(temperature, tokens),
    };
    let samples = |prompt: &str, temperature, tokens, every_seconds| Command::SetSamples {
        prompt: prompt.into(),
        sampling: sampling(temperature, tokens),
        every_seconds,
    };
    let mut experiment = waiting_for_verses(json!({ "learner": { "vocabulary": 0 } }));
    let error = experiment.command(write("the", 1.0, 9)).unwrap_err().to_string();
    assert!(error.contains("prompt") && error.contains("needs a tokenizer"), "{error}");
    // The vocabulary is unknown; the prompt is checked when the tokenizer exists.
    experiment.command(samples("Ω", 1.0, 9, Some(1.0))).unwrap();
    experiment.bring_data(text(&verses(300))).unwrap();
    train(experiment.as_mut(), 1);
    let before: LanguageSamples = current_document(experiment.as_mut(), "samples");
    assert_eq!(before.prompt, "", "an invalid prompt is replaced");
    for (command, part) in [
        (write("the", -0.1, 9), "temperature = -0.1: it must be a number from 0 to 2"),
        (write("the", f32::NAN, 9), "temperature"),
        (write("the", 2.5, 9), "temperature"),
        (write("the", 1.0, 0), "tokens = 0: it must be a whole number from 1 to 2000"),
        (write("the", 1.0, 2_001), "tokens"),
        (write("the sea was calm.", 1.0, 9), "17 tokens"),
        (write("Ω", 1.0, 9), "'Ω'"),
        (samples("Ω", 1.0, 9, None), "'Ω'"),
        (samples("the", 3.0, 9, None), "temperature"),
        (samples("the", 1.0, 0, None), "tokens"),
        (samples("the", 1.0, 9, Some(0.5)), "every_seconds = 0.5: seconds from 1 to 600"),
        (samples("the", 1.0, 9, Some(f32::NAN)), "every_seconds"),
    ] {
        let error = experiment.command(command.clone()).unwrap_err().to_string();
        assert!(error.contains(part), "{command:?}: {error}");
    }
    let after: LanguageSamples = current_document(experiment.as_mut(), "samples");
    assert_eq!(after.settings, before.settings);
}

#[test]
fn invalid_continuations_are_rejected() {
    let mut experiment = waiting_for_verses(json!({ "learner": { "vocabulary": 0 } }));
    let continue_from = |draft, position, token, tokens| Command::ContinueFrom {
        draft,
        position,
        token,
        sampling: sampling(1.0, tokens),
    };
    let error = experiment.command(continue_from(0, 0, 0, 9)).unwrap_err().to_string();
    assert!(error.contains("draft"), "{error}");
    experiment.bring_data(text(&verses(300))).unwrap();
    train(experiment.as_mut(), 1);
    let write = Command::Generate { prompt: "the".into(), sampling: sampling(1.0, 2) };
    experiment.command(write).unwrap();
    let before = written(experiment.as_mut());
    let (draft, positions) = (before.id, before.tokens.len() as u32);
    for (command, part) in [
        (continue_from(draft + 1, 0, 0, 9), "no longer shown"),
        (continue_from(draft, positions, 0, 9), "position = 5: it must be a whole number below 5"),
        (continue_from(draft, u32::MAX, 0, 9), "position"),
        (continue_from(draft, 1, 1_000_000, 9), "token = 1000000: it must be a whole number below"),
        (continue_from(draft, 1, 0, 0), "tokens"),
    ] {
        let error = experiment.command(command.clone()).unwrap_err().to_string();
        assert!(error.contains(part), "{command:?}: {error}");
    }
    assert_eq!(written(experiment.as_mut()), before, "the text is unchanged");
}
