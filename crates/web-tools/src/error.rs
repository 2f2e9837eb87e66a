//! Errors of the functions of this module, as displayed by the page.

use vivarium_lab::LabError;
use vivarium_lab::protocol::{Problem, ThrownProblem};
use wasm_bindgen::prelude::*;

/// Error of a function of this module. JavaScript receives a [`ThrownProblem`].
#[derive(Clone, Debug, PartialEq)]
pub struct ToolError(String);

impl ToolError {
    /// Creates an error with the message of another error.
    pub fn new(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl From<LabError> for ToolError {
    fn from(error: LabError) -> Self {
        Self::new(error)
    }
}

impl From<ToolError> for JsValue {
    fn from(ToolError(message): ToolError) -> Self {
        let problem = Problem { message: message.clone(), hint: String::new(), cause: None };
        serde_wasm_bindgen::to_value(&ThrownProblem::Problem(problem)).unwrap_or_else(|_| message.into())
    }
}
