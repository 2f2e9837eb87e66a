//! The native module `vivarium_ml._core` of the Python package `vivarium_ml`. The classes for users are in `python/`.
//!
//! - `envs`: batches of environments, with NumPy arrays as actions and outputs.
//!
//! Errors are Python exceptions. The interpreter lock is released while native code computes.

mod envs;
mod error;

use pyo3::prelude::*;

#[pymodule(name = "_core")]
fn core_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    envs::register(module)
}
