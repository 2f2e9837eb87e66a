//! The native module `vivarium_ml._core` of the Python package `vivarium_ml`.
//!
//! - `NativeVectorEnv`: batch of classic-control environments, with NumPy arrays as actions and outputs.
//!   `vivarium_ml.envs` (in `python/`) builds Gymnasium's classes on it.
//! - `world_infos`: descriptions of these environments.
//!
//! Errors are Python exceptions; the interpreter lock is released while environments step.

mod actions;
mod batch;
mod error;
mod vector_env;
mod worlds;

use pyo3::prelude::*;
use vector_env::NativeVectorEnv;
use worlds::world_infos;

#[pymodule(name = "_core")]
fn core_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NativeVectorEnv>()?;
    module.add_function(wrap_pyfunction!(world_infos, module)?)
}
