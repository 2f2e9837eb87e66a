//! Environments: `NativeVectorEnv`, a batch of classic-control environments, and `world_infos`, their descriptions.

mod actions;
mod batch;
mod vector_env;
mod worlds;

use pyo3::prelude::*;
use vector_env::NativeVectorEnv;
use worlds::world_infos;

/// Adds the classes and functions of this module to the Python module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NativeVectorEnv>()?;
    module.add_function(wrap_pyfunction!(world_infos, module)?)
}
