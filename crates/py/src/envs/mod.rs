//! Environments:
//!
//! - `NativeVectorEnv`: a batch of classic-control environments; `world_infos`: their descriptions.
//! - `NativeGameVectorEnv`: a batch of games or puzzles; `game_infos`: their descriptions.

mod actions;
mod aligned;
mod arguments;
mod autoreset_mode;
mod batch;
mod games;
mod vector_env;
mod worker_threads;
mod worlds;

use games::{NativeGameVectorEnv, game_infos};
use pyo3::prelude::*;
use vector_env::NativeVectorEnv;
use worlds::world_infos;

/// Adds the classes and functions of this module to the Python module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NativeVectorEnv>()?;
    module.add_class::<NativeGameVectorEnv>()?;
    module.add_function(wrap_pyfunction!(world_infos, module)?)?;
    module.add_function(wrap_pyfunction!(game_infos, module)?)
}
