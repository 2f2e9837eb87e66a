//! Errors of session methods, as displayed by the page.

use vivarium_lab::LabError;
use vivarium_lab::protocol::{Problem, ProblemCause};

const UNCHANGED: &str = "The current run is unchanged.";

/// Error of a method of [`WebSession`](crate::WebSession). JavaScript receives a
/// [`ThrownProblem`](vivarium_lab::protocol::ThrownProblem).
#[derive(Clone, Debug, PartialEq)]
pub struct SessionError(pub Problem);

impl SessionError {
    /// Creates an error without a [`ProblemCause`], from a message and a hint on the remedy.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self(Problem { message: message.into(), hint: hint.into(), cause: None })
    }

    /// Creates an error of the GPU engine, with the hint that training continues on the CPU.
    pub fn engine(message: impl Into<String>) -> Self {
        Self::new(message, "").caused_by_engine()
    }

    /// Marks the error as an error of the GPU engine, and replaces the hint: training continues on the CPU.
    pub fn caused_by_engine(self) -> Self {
        Self(Problem { hint: "Training continues on the CPU.".into(), ..self.0 }).with(ProblemCause::Engine)
    }

    fn with(self, cause: ProblemCause) -> Self {
        Self(Problem { cause: Some(cause), ..self.0 })
    }
}

#[cfg(feature = "gpu")]
impl From<vivarium_gpu::GpuError> for SessionError {
    fn from(error: vivarium_gpu::GpuError) -> Self {
        Self::engine(sentence(&error.to_string()))
    }
}

#[cfg(all(feature = "gpu", feature = "control"))]
impl From<vivarium_envs::EnvError> for SessionError {
    fn from(error: vivarium_envs::EnvError) -> Self {
        Self::engine(sentence(&error.to_string()))
    }
}

/// Turns an error message into a sentence: capitalizes the first letter, and appends a full stop unless the message
/// ends with a punctuation mark.
#[cfg(feature = "gpu")]
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

impl From<LabError> for SessionError {
    fn from(error: LabError) -> Self {
        let message = error.to_string();
        match error {
            LabError::Invalid { field, allowed, .. } => {
                Self::new(message, UNCHANGED).with(ProblemCause::Invalid { field, allowed })
            }
            LabError::Checkpoint { message: defect } => {
                Self::new(format!("This checkpoint cannot be opened: {defect}."), UNCHANGED)
                    .with(ProblemCause::Checkpoint { defect })
            }
            LabError::Unreadable { .. } => Self::new(message, UNCHANGED),
            LabError::Engine { .. } => Self::engine(message),
            LabError::Diverged { .. } => {
                Self::new(message, "Restart with a smaller learning rate or another seed.")
            }
        }
    }
}

#[cfg(feature = "logic-ca")]
impl From<vivarium_logic_ca::LogicError> for SessionError {
    fn from(error: vivarium_logic_ca::LogicError) -> Self {
        Self::new(error.to_string(), "")
    }
}

impl From<serde_wasm_bindgen::Error> for SessionError {
    fn from(error: serde_wasm_bindgen::Error) -> Self {
        Self::new(format!("invalid request: {error}"), UNCHANGED)
    }
}
