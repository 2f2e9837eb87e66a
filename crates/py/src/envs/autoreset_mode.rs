//! Autoreset modes.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Autoreset modes of Gymnasium.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AutoresetMode {
    NextStep,
    SameStep,
    /// An environment whose episode ended must be reset by the caller before the next step.
    Disabled,
}

impl AutoresetMode {
    /// Returns the mode with the value `value` of Gymnasium's enumeration.
    ///
    /// # Errors
    /// `ValueError` for an unknown value.
    pub(crate) fn parse(value: &str) -> PyResult<Self> {
        match value {
            "NextStep" => Ok(Self::NextStep),
            "SameStep" => Ok(Self::SameStep),
            "Disabled" => Ok(Self::Disabled),
            other => Err(PyValueError::new_err(format!(
                "autoreset_mode = {other:?}; allowed is one of NextStep, SameStep, Disabled"
            ))),
        }
    }
}
