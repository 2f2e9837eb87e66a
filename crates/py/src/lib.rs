//! The native module `vivarium_ml._core` of the Python package `vivarium_ml`. The public classes are in `python/`.
//!
//! - `alphazero`: self-play and learning of AlphaZero in separate processes.
//! - `envs`: batches of environments, with NumPy arrays as actions and outputs.
//! - `experiment`: training runs of all experiments.
//! - `models`: trained models of checkpoints.
//!
//! Errors are Python exceptions. The interpreter lock is released while native code computes.

mod alphazero;
mod envs;
mod error;
mod experiment;
mod json;
mod models;
mod threads;

use pyo3::prelude::*;

// All state is behind a `Mutex`, or the borrow flag of a class, so that the free-threaded build of Python needs no lock.
#[pymodule(name = "_core", gil_used = false)]
fn core_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    alphazero::register(module)?;
    envs::register(module)?;
    experiment::register(module)?;
    models::register(module)?;
    module.add_function(wrap_pyfunction!(threads::set_num_threads, module)?)?;
    module.add_function(wrap_pyfunction!(threads::get_num_threads, module)?)
}
