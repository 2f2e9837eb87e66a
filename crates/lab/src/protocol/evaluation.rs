//! How well a learner does, apart from training.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The outcome of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// What it measured, by name; `None` where this evaluation does not measure it. The first says how good the state is, more being
    /// better.
    pub measures: Vec<(&'static str, Option<f64>)>,
    /// Whether nothing is left to learn: no evaluation could be better.
    pub perfect: bool,
    /// All of it, as the exhibit's own document: an object with a `kind`.
    pub details: Value,
}

impl Evaluation {
    /// An evaluation with the exhibit's own document.
    ///
    /// # Panics
    /// If the document has no form in JSON, such as a map whose keys are no strings.
    #[must_use]
    pub fn new(details: &impl Serialize, measures: Vec<(&'static str, Option<f64>)>, perfect: bool) -> Self {
        let details = serde_json::to_value(details).expect("a document has a form in JSON");
        Self { measures, perfect, details }
    }

    /// What it measured under this name, if it did.
    #[must_use]
    pub fn measure(&self, name: &str) -> Option<f64> {
        self.measures.iter().find(|(known, _)| *known == name)?.1
    }

    /// How good the state is, more being better.
    #[must_use]
    pub fn quality(&self) -> Option<f64> {
        self.measures.first()?.1
    }

    /// The exhibit's own document; `None` if that is another one.
    #[must_use]
    pub fn read<D: DeserializeOwned>(&self) -> Option<D> {
        serde_json::from_value(self.details.clone()).ok()
    }
}
