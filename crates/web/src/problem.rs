//! Errors as the page shows them.

use serde::Serialize;
use vivarium_lab::LabError;
use wasm_bindgen::JsValue;

/// What was wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Problem {
    /// For a person.
    message: String,
    /// What to do about it; empty where the message says it all.
    hint: String,
    /// Dotted path of the config field at fault, if it was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

impl Problem {
    /// A problem that is no config field's fault.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into(), field: None }
    }
}

impl From<LabError> for Problem {
    fn from(error: LabError) -> Self {
        let message = error.to_string();
        match error {
            LabError::Invalid { field, .. } => {
                Self { message, hint: "What was running is untouched.".into(), field: Some(field) }
            }
            LabError::Checkpoint { .. } => Self::new(message, "What was running is untouched."),
            LabError::Engine { .. } => Self::new(message, "It goes on on the engine that it had."),
            LabError::Diverged { .. } => {
                Self::new(message, "Start again with a smaller learning rate or another seed.")
            }
        }
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        Self::new(format!("not understood: {error}"), "What was running is untouched.")
    }
}

/// As JSON text, which the worker parses and sends on.
impl From<Problem> for JsValue {
    fn from(problem: Problem) -> Self {
        serde_json::to_string(&problem).unwrap_or(problem.message).into()
    }
}
