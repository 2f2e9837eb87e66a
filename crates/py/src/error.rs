//! Python exceptions.

use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
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

/// Returns the exception of a step before the first reset.
pub(crate) fn reset_needed(py: Python<'_>) -> PyErr {
    gymnasium_exception(py, "ResetNeeded", "call reset() before the first step")
}

/// Returns the exception of a step after the end of the episode of environment `index`, which the caller has to reset.
pub(crate) fn episode_ended(py: Python<'_>, index: usize) -> PyErr {
    let message = format!(
        "the episode of environment {index} has ended; reset it with \
         reset(options={{\"reset_mask\": mask}}) before the next step"
    );
    gymnasium_exception(py, "ResetNeeded", &message)
}

/// Returns the exception of a step while another thread steps the same environments.
pub(crate) fn in_use() -> PyErr {
    PyRuntimeError::new_err("another thread is using these environments; use them in one thread at a time")
}
