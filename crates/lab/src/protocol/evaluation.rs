//! Evaluation results of any experiment, for front ends.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Result of an evaluation of a run's learned policy or model.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Name and value of each measure; the value is `None` if this evaluation does not compute the measure. The first
    /// measure is the evaluation score; higher is better.
    pub measures: Vec<(&'static str, Option<f64>)>,
    /// Whether the result is the best possible one, such as a solve rate of 100 %.
    pub perfect: bool,
    /// The complete evaluation result: a family-specific JSON object whose field `kind` names its format.
    pub details: Value,
}

impl Evaluation {
    /// Creates an evaluation. `details` is the complete result, serialized to JSON; `measures` holds the name and the
    /// value of each measure. `perfect` states whether the result is the best possible one.
    ///
    /// # Panics
    /// If `details` cannot be serialized to JSON, for example a map with non-string keys.
    #[must_use]
    pub fn new(details: &impl Serialize, measures: Vec<(&'static str, Option<f64>)>, perfect: bool) -> Self {
        let details = serde_json::to_value(details).expect("the document can be serialized to JSON");
        Self { measures, perfect, details }
    }

    /// Returns the value of the measure `name`, or `None` if the evaluation lacks the measure.
    #[must_use]
    pub fn measure(&self, name: &str) -> Option<f64> {
        self.measures.iter().find(|(known, _)| *known == name)?.1
    }

    /// Returns the evaluation score, the first of the measures; higher is better.
    #[must_use]
    pub fn quality(&self) -> Option<f64> {
        self.measures.first()?.1
    }

    /// Parses the complete result ([`details`](Self::details)) as type `D`; `None` if the result has another format.
    #[must_use]
    pub fn read<D: DeserializeOwned>(&self) -> Option<D> {
        serde_json::from_value(self.details.clone()).ok()
    }
}
