//! Result of the evaluation of one checkpoint.

use crate::text;
use serde_json::Value;
use vivarium_lab::measures::Measures;
use vivarium_lab::protocol::Evaluation;

/// Result of the evaluation of one checkpoint.
pub struct EvalOutcome {
    /// Number of training steps of the checkpoint.
    pub trained: u64,
    /// Name and value of each measure that the evaluation computed, as front ends show them.
    pub measures: Vec<(String, f64)>,
    /// Complete result: one JSON object.
    pub json: Value,
}

/// Formats the changed fields of the task (`--set`) as a line, such as "with world.gravity=25", after a line break; empty without
/// changes.
pub fn with_changes(changes: &[(String, Value)]) -> String {
    let fields: Vec<_> =
        changes.iter().map(|(path, value)| format!("{path}={}", text::field_value(value))).collect();
    if fields.is_empty() { String::new() } else { format!("\n  with {}", fields.join(", ")) }
}

/// Returns the measures of an evaluation with the names and values that front ends show: of a negative loss, the loss.
pub fn shown_measures(measures: &dyn Measures, evaluation: &Evaluation) -> Vec<(String, f64)> {
    let mut shown: Vec<(String, f64)> = Vec::new();
    for evaluated in measures.evaluated() {
        let Some(value) = evaluation.measure(evaluated.measure) else { continue };
        let (name, value) = evaluated.shown(value);
        // A negative loss and the loss are both measures of a language model.
        if shown.iter().all(|(known, _)| known != name) {
            shown.push((name.to_owned(), value));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_listed_once() {
        let measures = vivarium_exhibits::measures("language").unwrap();
        let values = vec![("likelihood", Some(-2.5)), ("held_out_loss", Some(2.5)), ("answered", None)];
        let evaluation = Evaluation { measures: values, perfect: false, details: Value::Null };
        assert_eq!(shown_measures(measures, &evaluation), [("held_out_loss".to_owned(), 2.5)]);
    }
}
