//! Python exceptions.

use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use vivarium_envs::EnvError;
use vivarium_lab::LabError;

/// Converts an error of an environment to a Python exception: `IndexError` for an index, else `ValueError`.
pub(crate) fn exception(error: EnvError) -> PyErr {
    match error {
        EnvError::Index { .. } => PyIndexError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// Converts an error of an experiment to a Python exception: `RuntimeError` if an engine cannot be used or training has
/// diverged, else `ValueError`.
pub(crate) fn lab_exception(error: LabError) -> PyErr {
    match error {
        LabError::Engine { .. } | LabError::Diverged { .. } => PyRuntimeError::new_err(error.to_string()),
        LabError::Invalid { .. } | LabError::Unreadable { .. } | LabError::Checkpoint { .. } => {
            PyValueError::new_err(error.to_string())
        }
    }
}

/// Returns the `ValueError` for the argument `name`, whose value `value` is not allowed. The message has the format of
/// [`LabError`]: name, value, allowed values.
pub(crate) fn invalid(name: &str, value: impl Display, allowed: &str) -> PyErr {
    lab_exception(LabError::invalid(name, value.to_string(), allowed))
}

/// Releases the interpreter lock and calls `work`. A panic becomes a `RuntimeError`; without this conversion, it would
/// be a `BaseException` in Python, which `except Exception` does not catch.
///
/// # Errors
/// Any error that `work` returns; `RuntimeError` after a panic.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> PyResult<T> + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panic_exception(&*panic))))
}

fn panic_exception(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown cause");
    PyRuntimeError::new_err(format!("internal error: {text}; please report this bug"))
}

/// Returns an exception of the class `name` of `gymnasium.error` with the given message. If Gymnasium cannot be
/// imported, returns the import error.
pub(crate) fn gymnasium_exception(py: Python<'_>, name: &str, message: &str) -> PyErr {
    let raised = || py.import("gymnasium.error")?.getattr(name)?.call1((message,));
    raised().map_or_else(|error| error, PyErr::from_value)
}

/// Returns the exception for a call before the first reset.
pub(crate) fn reset_needed(py: Python<'_>) -> PyErr {
    gymnasium_exception(py, "ResetNeeded", "call reset() before the first step")
}

/// Returns the exception for a step of environment `index` after the end of its episode. The caller has to reset the
/// environment.
pub(crate) fn episode_ended(py: Python<'_>, index: usize) -> PyErr {
    let message = format!(
        "the episode of environment {index} has ended; reset it with \
         reset(options={{\"reset_mask\": mask}}) before the next step"
    );
    gymnasium_exception(py, "ResetNeeded", &message)
}

/// Returns the exception for a step while another thread steps the same environments.
pub(crate) fn in_use() -> PyErr {
    PyRuntimeError::new_err("another thread is using these environments; use them in one thread at a time")
}
