//! Helpers that create, train and inspect a language-model experiment in tests.

#![allow(dead_code, reason = "each test binary uses a subset")]

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use vivarium_exhibit_language::protocol::LanguageEvaluation;
use vivarium_exhibit_language::protocol::{
    LanguageDocuments, LanguageDraft, LanguageDraftStatus, LanguageSampling, LanguageView,
};
use vivarium_exhibit_language::{FAMILY, LanguageExhibit};
use vivarium_graph::Cpu;
use vivarium_lab::protocol::{Frame, MetricRow};
use vivarium_lab::source::{ByteSource, MemorySource};
use vivarium_lab::{LabError, config};

/// Returns a config with a small model, a short training text and frequent evaluations, for fast tests.
pub fn small() -> Value {
    json!({
        "learner": {
            "vocabulary": 300, "context": 16, "layers": 1, "heads": 2, "width": 16, "batch": 4,
            "learning_rate": 0.01, "warm_up": 5, "anneal_updates": 200,
        },
        "encyclopedia": { "bytes": 60_000 },
        "evaluation": { "every": 20, "windows": 6, "questions": 3 },
    })
}

/// Creates an experiment that trains the model of [`small`] on the built-in encyclopedia.
pub fn encyclopedia_experiment() -> Box<LanguageExhibit> {
    FAMILY.create("language", &small(), 3).unwrap()
}

/// Creates an experiment that waits for the training text `verses`, which the test must supply. `more` holds config
/// fields in addition to the config [`small`].
pub fn waiting_for_verses(more: Value) -> Box<LanguageExhibit> {
    let mut given = small();
    config::merge(&mut given, &json!({ "data": "verses" }));
    config::merge(&mut given, &more);
    FAMILY.create("language", &given, 3).unwrap()
}

/// Returns a training text of `count` lines that differ only in a number: "Verse 7: the sea was calm …".
pub fn verses(count: u32) -> String {
    (0..count).map(|verse| format!("Verse {verse}: the sea was calm and the night was long.\n")).collect()
}

/// Returns sampling settings for at most `tokens` tokens from the whole vocabulary.
pub fn sampling(temperature: f32, tokens: u32) -> LanguageSampling {
    LanguageSampling { temperature, top_k: 0, tokens, min_tokens: 0 }
}

pub fn text(text: &str) -> Vec<Box<dyn ByteSource>> {
    vec![Box::new(MemorySource::new("verses", text.as_bytes()))]
}

/// Trains an experiment until the run has at least `updates` gradient steps in total, and returns the metric rows.
pub fn train(experiment: &mut LanguageExhibit, updates: u64) -> Vec<MetricRow> {
    let cpu = Cpu::new(1);
    let mut rows = Vec::new();
    while experiment.progress().updates < updates {
        experiment.advance(&cpu).unwrap();
        rows.extend(experiment.take_metrics());
    }
    rows
}

/// Advances an experiment until a call of `advance` fails, and returns the error.
///
/// # Panics
/// Panics after 1,000 calls without an error.
pub fn stop(experiment: &mut LanguageExhibit) -> LabError {
    let cpu = Cpu::new(1);
    for _ in 0..1_000 {
        if let Err(error) = experiment.advance(&cpu) {
            return error;
        }
    }
    panic!("no error");
}

pub fn value(row: &MetricRow, name: &str) -> Option<f64> {
    row.values.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
}

pub fn evaluate(experiment: &mut LanguageExhibit, windows: u32, seed: u64) -> LanguageEvaluation {
    experiment.evaluate(&Cpu::new(1), windows, seed).unwrap().read().unwrap()
}

/// View that requests the JSON documents of a frame, without attention weights and embedding map.
pub const DOCUMENTS: LanguageView = LanguageView { documents: true, attention: None, embeddings: false };

pub fn frame(experiment: &mut LanguageExhibit, view: LanguageView, elapsed: f32) -> Frame<LanguageDocuments> {
    experiment.frame(&view, elapsed)
}

/// Returns the JSON document `name` of a frame; `None` if the frame does not contain the document.
pub fn document<T: DeserializeOwned>(frame: &Frame<LanguageDocuments>, name: &str) -> Option<T> {
    let documents = serde_json::to_value(&frame.documents).unwrap();
    documents.get(name).map(|document| serde_json::from_value(document.clone()).unwrap())
}

/// Returns the JSON document `name` of an experiment, whether or not the document has changed since the last frame.
pub fn current_document<T: DeserializeOwned>(experiment: &mut LanguageExhibit, name: &str) -> T {
    frame(experiment, LanguageView::default(), 0.0);
    document(&frame(experiment, DOCUMENTS, 0.0), name).unwrap()
}

/// Requests frames until the generation of the displayed text has ended, and returns the JSON document `draft`.
pub fn written(experiment: &mut LanguageExhibit) -> LanguageDraft {
    for _ in 0..5_000 {
        let draft: Option<LanguageDraft> = current_document(experiment, "draft");
        if let Some(draft) = draft.filter(|draft| draft.status != LanguageDraftStatus::Writing) {
            return draft;
        }
    }
    panic!("the text is not complete");
}
