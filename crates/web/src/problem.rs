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
    /// Whether it is the engine's fault: on another one, the same would work.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    engine: bool,
}

impl Problem {
    /// A problem that is no config field's fault.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into(), field: None, engine: false }
    }

    /// An engine's fault.
    pub fn of_engine(message: impl Into<String>) -> Self {
        Self::new(message, "").because_of_engine()
    }

    /// The same as an engine's fault.
    pub fn because_of_engine(self) -> Self {
        Self { engine: true, hint: "The CPU trains instead.".into(), ..self }
    }
}

#[cfg(feature = "gpu")]
impl From<vivarium_gpu::GpuError> for Problem {
    fn from(error: vivarium_gpu::GpuError) -> Self {
        Self::of_engine(sentence(&error.to_string()))
    }
}

#[cfg(feature = "gpu")]
impl From<vivarium_gpu::worlds::HerdError> for Problem {
    fn from(error: vivarium_gpu::worlds::HerdError) -> Self {
        Self::of_engine(sentence(&error.to_string()))
    }
}

/// With a capital letter and a full stop.
#[cfg(feature = "gpu")]
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

impl From<LabError> for Problem {
    fn from(error: LabError) -> Self {
        let message = error.to_string();
        match error {
            LabError::Invalid { field, .. } => {
                let hint = "What was running is untouched.".into();
                Self { message, hint, field: Some(field), engine: false }
            }
            LabError::Checkpoint { .. } => Self::new(message, "What was running is untouched."),
            LabError::Engine { .. } => Self::of_engine(message),
            LabError::Diverged { .. } => {
                Self::new(message, "Start again with a smaller learning rate or another seed.")
            }
        }
    }
}

#[cfg(feature = "logic-ca")]
impl From<vivarium_logic_ca::LogicError> for Problem {
    fn from(error: vivarium_logic_ca::LogicError) -> Self {
        Self::new(error.to_string(), "")
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
