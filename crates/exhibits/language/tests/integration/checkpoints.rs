//! Checkpoints: a run resumes exactly, with its tokenizer and its position in the text.

use crate::texts::*;
use serde_json::json;
use vivarium_exhibit_language::protocol::{LanguageQuizView, LanguageRun};
use vivarium_exhibit_language::{
    FAMILY, HuggingFaceModel, LanguageExhibit, Model, NETWORK_EXPORTS, hugging_face,
};
use vivarium_graph::Cpu;
use vivarium_lab::{checkpoint, config};
use vivarium_lm::{Sampling, Tokenizer};

#[test]
fn a_run_resumes_exactly() {
    let mut brought = waiting_for_verses(json!({}));
    brought.bring_data(text(&verses(300))).unwrap();
    for (mut experiment, verses) in [(encyclopedia_experiment(), None), (brought, Some(verses(300)))] {
        let experiment = experiment.as_mut();
        train(experiment, 33);
        let saved = experiment.save();
        let mut opened = FAMILY.open(&saved).unwrap();
        let opened = opened.as_mut();
        assert!(opened.save() == saved, "the state is equal");
        if let Some(verses) = verses {
            opened.bring_data(text(&verses)).unwrap();
        }
        assert_eq!(train(opened, 70), train(experiment, 70));
        assert!(opened.save() == experiment.save(), "they part");
    }
}

#[test]
fn a_resumed_run_describes_its_text_before_it_reads_it() {
    let mut brought = waiting_for_verses(json!({}));
    brought.bring_data(text(&verses(300))).unwrap();
    for mut experiment in [encyclopedia_experiment(), brought] {
        train(experiment.as_mut(), 3);
        let of =
            |experiment: &mut LanguageExhibit| current_document::<LanguageRun>(experiment, "language").text;
        let described = of(experiment.as_mut());
        assert!(described.as_ref().is_some_and(|text| text.bytes > 0));
        assert_eq!(of(FAMILY.open(&experiment.save()).unwrap().as_mut()), described);
    }
}

#[test]
fn a_run_without_gradient_steps_is_saved() {
    let experiment = encyclopedia_experiment();
    let mut opened = FAMILY.open(&experiment.save()).unwrap();
    assert_eq!(opened.config(), experiment.config());
    assert_eq!(train(opened.as_mut(), 3).len(), 4, "an evaluation, and three gradient steps");
}

#[test]
fn the_tokenizer_is_in_the_file_and_weights_have_the_names_of_gpt_2() {
    let mut experiment = encyclopedia_experiment();
    train(experiment.as_mut(), 2);
    let (header, tensors) = checkpoint::read(&experiment.save()).unwrap();
    let tokenizer = Tokenizer::from_json(&header.more["tokenizer"].to_string()).unwrap();
    assert_eq!(tokenizer.vocabulary(), 300);
    assert_eq!(tokenizer.fingerprint(), header.more["fingerprint"].as_str().unwrap());
    for name in ["wte.weight", "wpe.weight", "h.0.attn.c_attn.weight", "h.0.mlp.c_fc.bias", "ln_f.weight"] {
        assert!(tensors.contains(name), "{name}");
    }
}

#[test]
fn a_model_generates_equal_text_from_equal_seeds_without_the_training_text() {
    let mut experiment = waiting_for_verses(json!({}));
    experiment.bring_data(text(&verses(300))).unwrap();
    train(experiment.as_mut(), 20);
    let cpu = Cpu::new(1);
    let model = Model::open(&experiment.save()).unwrap();
    let written = |seed| {
        let mut writing = model.begin(&cpu, "", Sampling { temperature: 1.0, top_k: 0 }, seed).unwrap();
        let parts = std::iter::from_fn(|| model.advance(&cpu, &mut writing).unwrap());
        parts.take(30).collect::<String>()
    };
    assert_eq!(written(1), written(1));
    assert_ne!(written(1), written(2));
}

#[test]
fn a_file_with_weights_only_trains_with_the_default_optimizer() {
    let mut given = small();
    config::merge(&mut given, &json!({ "learner": { "optimizer": "muon" } }));
    let mut experiment = FAMILY.create("language", &given, 3).unwrap();
    train(experiment.as_mut(), 3);
    let (header, tensors) = checkpoint::read(&experiment.save()).unwrap();
    let (header, weights) = NETWORK_EXPORTS[0].weights_only(header, tensors).unwrap();
    assert_eq!(header.config["learner"]["optimizer"], "adamw");
    let mut opened = FAMILY.open(&checkpoint::write(&header, &weights)).unwrap();
    train(opened.as_mut(), 1);
}

#[test]
fn a_file_with_weights_only_contains_the_evaluation_of_its_model() {
    let weights_of = |experiment: &LanguageExhibit| {
        let (header, tensors) = checkpoint::read(&experiment.save()).unwrap();
        let (header, weights) = NETWORK_EXPORTS[0].weights_only(header, tensors).unwrap();
        (header.more.clone(), checkpoint::write(&header, &weights))
    };
    let mut experiment = encyclopedia_experiment();
    train(experiment.as_mut(), 20);
    while experiment.phase() == "evaluation" {
        experiment.advance(&Cpu::new(1)).unwrap();
    }
    let evaluated = experiment.take_metrics().pop().unwrap();
    assert!(value(&evaluated, "validation_loss").is_some());
    let quiz: LanguageQuizView = current_document(experiment.as_mut(), "quiz");
    assert_eq!((quiz.asked, quiz.answers.len()), (3, 3));

    // The opened model shows the result at once, and is not evaluated before its first gradient step.
    let (saved, file) = weights_of(experiment.as_mut());
    let mut opened = FAMILY.open(&file).unwrap();
    let opened = opened.as_mut();
    let reported = opened.take_metrics();
    assert_eq!(
        reported.iter().map(|row| (row.steps, &row.values)).collect::<Vec<_>>(),
        [(0, &evaluated.values)]
    );
    assert_eq!(current_document::<LanguageQuizView>(opened, "quiz"), quiz);
    let run: LanguageRun = current_document(opened, "language");
    assert_eq!(
        run.validation.iter().map(|row| Some(row.loss)).collect::<Vec<_>>(),
        [value(&evaluated, "validation_loss")]
    );
    assert!(run.baselines.is_some());
    assert_eq!(weights_of(opened).0, saved, "a second export is equal");
    assert!(
        FAMILY.open(&opened.save()).unwrap().take_metrics().is_empty(),
        "a resumed run has its metrics already"
    );
    assert!(train(opened, 1).iter().all(|row| value(row, "validation_loss").is_none()));

    // The evaluation does not describe later weights.
    train(experiment.as_mut(), 21);
    assert!(weights_of(experiment.as_mut()).0.get("last_evaluation").is_none());
}

#[test]
fn a_model_of_transformers_becomes_a_checkpoint_with_the_same_weights() {
    let mut experiment = encyclopedia_experiment();
    train(experiment.as_mut(), 3);
    let saved = experiment.save();
    let files = hugging_face(&saved).unwrap();
    let content = |name| &files.iter().find(|(file, _)| *file == name).unwrap().1[..];
    let model = HuggingFaceModel::open(HuggingFaceModel::FILES.map(content)).unwrap();
    let checkpoint = model.checkpoint(&json!({}), 1).unwrap();

    let logits = |bytes: &[u8]| Model::open(bytes).unwrap().logits(Cpu::new(1).level(), &[1, 2, 3]).unwrap();
    assert_eq!(logits(&checkpoint), logits(&saved));
    let mut opened = FAMILY.open(&checkpoint).unwrap();
    assert_eq!(opened.progress().steps, 0);
    train(opened.as_mut(), 1);
    // The weights do not fit another architecture.
    let config = String::from_utf8(content("config.json").to_vec()).unwrap();
    let deeper = config.replace("\"n_layer\": ", "\"n_layer\": 1");
    let wrong = [deeper.as_bytes(), content("model.safetensors"), content("tokenizer.json")];
    let error = HuggingFaceModel::open(wrong).unwrap().checkpoint(&json!({}), 1).unwrap_err().to_string();
    assert!(error.contains("its config needs a network of at least"), "{error}");
}
