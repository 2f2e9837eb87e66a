//! Evaluation of a checkpoint, stored in its metadata: the score, so that a resumed run can compare later scores, and the complete
//! evaluation, so that the run can report it.

use super::note::{add_note, read_note};
use crate::measures::Measures;
use crate::protocol::Evaluation;
use serde_json::{Map, Value, json};
use std::io::{self, Read};

/// Key of the evaluation score in the metadata of a checkpoint.
const SCORE_KEY: &str = "vivarium-evaluation";

/// Key of the complete evaluation, as JSON, in the metadata of a checkpoint.
const EVALUATION_KEY: &str = "vivarium-evaluation-details";

/// Adds the score `quality` and the evaluation after `steps` training steps to a checkpoint.
pub fn add(checkpoint: &mut Vec<u8>, quality: f64, steps: u64, evaluation: &Evaluation) {
    let measures = measures_to_json(evaluation);
    let json = json!({ "steps": steps, "measures": measures, "perfect": evaluation.perfect, "details": evaluation.details });
    add_note(checkpoint, SCORE_KEY, &quality.to_string());
    add_note(checkpoint, EVALUATION_KEY, &json.to_string());
}

/// Reads the score of a checkpoint file; `None` if it has none.
///
/// # Errors
/// I/O errors of `file`.
pub fn read_score(file: &mut dyn Read) -> io::Result<Option<f64>> {
    let note = read_note(file, SCORE_KEY)?;
    Ok(note.and_then(|note| note.parse().ok()).filter(|quality: &f64| !quality.is_nan()))
}

/// Reads training steps and evaluation of a checkpoint file; `None` if it has no evaluation with the measures `measures`.
pub fn read(file: &mut dyn Read, measures: &dyn Measures) -> Option<(u64, Evaluation)> {
    let json: Value = serde_json::from_str(&read_note(file, EVALUATION_KEY).ok()??).ok()?;
    let value = |name: &str| json["measures"].get(name).and_then(Value::as_f64);
    let evaluation = Evaluation {
        measures: measures.evaluated().iter().map(|each| (each.measure, value(each.measure))).collect(),
        perfect: json["perfect"].as_bool()?,
        details: json["details"].clone(),
    };
    measures.report(&evaluation)?;
    Some((json["steps"].as_u64()?, evaluation))
}

/// Converts the measures of an evaluation to a JSON object.
#[must_use]
pub fn measures_to_json(evaluation: &Evaluation) -> Map<String, Value> {
    evaluation.measures.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect()
}
