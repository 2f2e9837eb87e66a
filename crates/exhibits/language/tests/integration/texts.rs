//! What tests of language models read.

#![allow(dead_code, reason = "each program of tests uses what it needs")]

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

/// A model so small that a test can wait for it.
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

/// One that reads the encyclopedia.
pub fn reader() -> Box<LanguageExhibit> {
    FAMILY.create("language", &small(), 3).unwrap()
}

/// One that misses a text called `verses`, with these fields beside those of [`small`].
pub fn misses_verses(more: Value) -> Box<LanguageExhibit> {
    let mut given = small();
    config::merge(&mut given, &json!({ "data": "verses" }));
    config::merge(&mut given, &more);
    FAMILY.create("language", &given, 3).unwrap()
}

/// Verses that go on and on, each with a number.
pub fn verses(count: u32) -> String {
    (0..count).map(|verse| format!("Verse {verse}: the sea was calm and the night was long.\n")).collect()
}

pub fn text(text: &str) -> Vec<Box<dyn ByteSource>> {
    vec![Box::new(MemorySource::new("verses", text.as_bytes()))]
}

/// Goes on until so many gradient steps are done.
pub fn train(experiment: &mut LanguageExhibit, updates: u64) -> Vec<MetricRow> {
    let cpu = Cpu::new(1);
    let mut rows = Vec::new();
    while experiment.progress().updates < updates {
        experiment.advance(&cpu).unwrap();
        rows.extend(experiment.take_metrics());
    }
    rows
}

/// What stops it.
pub fn stop(experiment: &mut LanguageExhibit) -> LabError {
    let cpu = Cpu::new(1);
    for _ in 0..1_000 {
        if let Err(error) = experiment.advance(&cpu) {
            return error;
        }
    }
    panic!("nothing stops it");
}

pub fn value(row: &MetricRow, name: &str) -> Option<f64> {
    row.values.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
}

pub fn evaluate(experiment: &mut LanguageExhibit, windows: u32, seed: u64) -> LanguageEvaluation {
    experiment.evaluate(&Cpu::new(1), windows, seed).unwrap().read().unwrap()
}

/// All documents.
pub const DOCUMENTS: LanguageView = LanguageView { documents: true, attention: None, embeddings: false };

pub fn frame(experiment: &mut LanguageExhibit, view: LanguageView, elapsed: f32) -> Frame<LanguageDocuments> {
    experiment.frame(&view, elapsed)
}

/// A document of a frame; `None` where it did not come.
pub fn document<T: DeserializeOwned>(frame: &Frame<LanguageDocuments>, name: &str) -> Option<T> {
    let documents = serde_json::to_value(&frame.documents).unwrap();
    documents.get(name).map(|document| serde_json::from_value(document.clone()).unwrap())
}

/// The documents as they are now, whatever came before.
pub fn anew<T: DeserializeOwned>(experiment: &mut LanguageExhibit, name: &str) -> T {
    frame(experiment, LanguageView::default(), 0.0);
    document(&frame(experiment, DOCUMENTS, 0.0), name).unwrap()
}

/// Lets frames pass until the draft has come to its end.
pub fn written(experiment: &mut LanguageExhibit) -> LanguageDraft {
    for _ in 0..5_000 {
        let draft: Option<LanguageDraft> = anew(experiment, "draft");
        if let Some(draft) = draft.filter(|draft| draft.status != LanguageDraftStatus::Writing) {
            return draft;
        }
    }
    panic!("it never ends");
}
