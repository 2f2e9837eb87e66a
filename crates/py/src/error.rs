//! Python exceptions.

use pyo3::PyErr;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use vivarium_envs::EnvError;

/// Returns the Python exception of an error of an environment: `IndexError` for an index, else `ValueError`.
pub(crate) fn exception(error: EnvError) -> PyErr {
    match error {
        EnvError::Index { .. } => PyIndexError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// Returns the exception `name` of `gymnasium.error` with a message; if Gymnasium cannot be imported, the error of the
/// import.
pub(crate) fn gymnasium_exception(py: Python<'_>, name: &str, message: &str) -> PyErr {
    let raised = || py.import("gymnasium.error")?.getattr(name)?.call1((message,));
    raised().map_or_else(|error| error, PyErr::from_value)
}
