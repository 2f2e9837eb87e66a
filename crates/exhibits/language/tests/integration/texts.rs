//! Experiments and texts for tests.

#![allow(dead_code, reason = "each test binary uses a subset")]

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use vivarium_exhibit_language::protocol::LanguageEvaluation;
use vivarium_exhibit_language::protocol::{
    LanguageDocuments, LanguageDraft, LanguageDraftStatus, LanguageView,
};
use vivarium_exhibit_language::{FAMILY, LanguageExhibit};
use vivarium_graph::Cpu;
use vivarium_lab::protocol::{Frame, MetricRow};
use vivarium_lab::source::{ByteSource, MemorySource};
use vivarium_lab::{LabError, config};

/// Returns the config of a small model.
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

/// Returns an experiment with the encyclopedia.
pub fn encyclopedia_experiment() -> Box<LanguageExhibit> {
    FAMILY.create("language", &small(), 3).unwrap()
}

/// Returns an experiment that waits for a text named `verses`; `more` extends the config of [`small`].
pub fn waiting_for_verses(more: Value) -> Box<LanguageExhibit> {
    let mut given = small();
    config::merge(&mut given, &json!({ "data": "verses" }));
    config::merge(&mut given, &more);
    FAMILY.create("language", &given, 3).unwrap()
}

/// Returns numbered verses.
pub fn verses(count: u32) -> String {
    (0..count).map(|verse| format!("Verse {verse}: the sea was calm and the night was long.\n")).collect()
}

pub fn text(text: &str) -> Vec<Box<dyn ByteSource>> {
    vec![Box::new(MemorySource::new("verses", text.as_bytes()))]
}

/// Trains up to `updates` gradient steps and returns the metrics.
pub fn train(experiment: &mut LanguageExhibit, updates: u64) -> Vec<MetricRow> {
    let cpu = Cpu::new(1);
    let mut rows = Vec::new();
    while experiment.progress().updates < updates {
        experiment.advance(&cpu).unwrap();
        rows.extend(experiment.take_metrics());
    }
    rows
}

/// Advances until an error, and returns the error.
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

/// View request for all documents.
pub const DOCUMENTS: LanguageView = LanguageView { documents: true, attention: None, embeddings: false };

pub fn frame(experiment: &mut LanguageExhibit, view: LanguageView, elapsed: f32) -> Frame<LanguageDocuments> {
    experiment.frame(&view, elapsed)
}

/// Returns a document of a frame; `None` if it was not sent.
pub fn document<T: DeserializeOwned>(frame: &Frame<LanguageDocuments>, name: &str) -> Option<T> {
    let documents = serde_json::to_value(&frame.documents).unwrap();
    documents.get(name).map(|document| serde_json::from_value(document.clone()).unwrap())
}

/// Returns the current version of a document, independent of previous frames.
pub fn current_document<T: DeserializeOwned>(experiment: &mut LanguageExhibit, name: &str) -> T {
    frame(experiment, LanguageView::default(), 0.0);
    document(&frame(experiment, DOCUMENTS, 0.0), name).unwrap()
}

/// Requests frames until the text is complete.
pub fn written(experiment: &mut LanguageExhibit) -> LanguageDraft {
    for _ in 0..5_000 {
        let draft: Option<LanguageDraft> = current_document(experiment, "draft");
        if let Some(draft) = draft.filter(|draft| draft.status != LanguageDraftStatus::Writing) {
            return draft;
        }
    }
    panic!("the text is not complete");
}
