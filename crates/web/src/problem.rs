//! Errors as the page shows them.

use vivarium_lab::LabError;
use vivarium_lab::protocol::Problem;

const UNTOUCHED: &str = "What was running is untouched.";

/// Why a session refuses something. JavaScript gets it as [`ThrownProblem`](vivarium_lab::protocol::ThrownProblem).
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal(pub Problem);

impl Refusal {
    /// A refusal that is no config field's fault.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self(Problem { message: message.into(), hint: hint.into(), field: None, allowed: None, engine: None })
    }

    /// A refusal that is the engine's fault.
    pub fn of_engine(message: impl Into<String>) -> Self {
        Self::new(message, "").because_of_engine()
    }

    /// The same as the engine's fault.
    pub fn because_of_engine(self) -> Self {
        Self(Problem { engine: Some(true), hint: "The CPU trains instead.".into(), ..self.0 })
    }
}

#[cfg(feature = "gpu")]
impl From<vivarium_gpu::GpuError> for Refusal {
    fn from(error: vivarium_gpu::GpuError) -> Self {
        Self::of_engine(sentence(&error.to_string()))
    }
}

#[cfg(all(feature = "gpu", feature = "control"))]
impl From<vivarium_envs::EnvError> for Refusal {
    fn from(error: vivarium_envs::EnvError) -> Self {
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

impl From<LabError> for Refusal {
    fn from(error: LabError) -> Self {
        let message = error.to_string();
        match error {
            LabError::Invalid { field, allowed, .. } => Self(Problem {
                field: Some(field),
                allowed: Some(allowed),
                ..Self::new(message, UNTOUCHED).0
            }),
            LabError::Checkpoint { message } => {
                Self::new(format!("This checkpoint cannot be opened: {message}."), UNTOUCHED)
            }
            LabError::Unreadable { .. } => Self::new(message, UNTOUCHED),
            LabError::Engine { .. } => Self::of_engine(message),
            LabError::Diverged { .. } => {
                Self::new(message, "Start again with a smaller learning rate or another seed.")
            }
        }
    }
}

#[cfg(feature = "logic-ca")]
impl From<vivarium_logic_ca::LogicError> for Refusal {
    fn from(error: vivarium_logic_ca::LogicError) -> Self {
        Self::new(error.to_string(), "")
    }
}

impl From<serde_wasm_bindgen::Error> for Refusal {
    fn from(error: serde_wasm_bindgen::Error) -> Self {
        Self::new(format!("not understood: {error}"), UNTOUCHED)
    }
}
