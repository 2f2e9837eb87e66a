//! Types and functions that the models of several families use.

use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};
use vivarium_lab::LabError;
use vivarium_lab::checkpoint::read_header;

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

/// Function that opens a model from the bytes of a checkpoint.
pub(super) type OpenModel<T> = fn(&[u8]) -> Result<T, LabError>;

/// Opens a model by the function that `table` lists for the experiment of the checkpoint. A row of the table has the name
/// of an experiment and the function.
///
/// # Errors
/// [`LabError::Checkpoint`] if the file is invalid, or its experiment is not in the table.
pub(super) fn open_model<T>(checkpoint: &[u8], table: &[(&str, OpenModel<T>)]) -> Result<T, LabError> {
    let found = read_header(checkpoint)?.experiment;
    let Some((_, open)) = table.iter().find(|(name, _)| *name == found) else {
        let names: Vec<_> = table.iter().map(|(name, _)| *name).collect();
        let message = format!("it belongs to {found}; a checkpoint of {} is required", names.join(" or "));
        return Err(LabError::checkpoint(message));
    };
    open(checkpoint)
}
