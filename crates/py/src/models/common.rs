//! Types and functions that the models of several families use.

use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};

/// Outputs of a network with two heads for `n` states: probabilities or means (`float32` `[n, outputs]`), and values
/// (`float32` `[n]`).
pub(super) type PolicyAndValueArrays<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>);

/// Locks a model for the calling thread.
///
/// # Errors
/// `RuntimeError` if another thread uses the model, or a panic has left it in an unknown state.
pub(super) fn lock<T>(model: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    model.try_lock().map_err(|_| {
        PyRuntimeError::new_err(
            "another thread is using this model; use it in one thread at a time, or load it twice",
        )
    })
}
