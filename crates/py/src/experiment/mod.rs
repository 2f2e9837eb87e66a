//! Experiments: `NativeExperiment`, a training run, and `experiment_info`, the description of an experiment. The
//! registry, the experiments and the checkpoints are the same as in the program `vivarium` and in the web page.

mod engine;
mod files;
mod infos;
mod native;
mod session;
mod shared_run;
mod training;

pub(crate) use files::write_file;
use infos::{ended_metadata, experiment_info, experiment_names, unused_fields};
use native::NativeExperiment;
pub(crate) use native::{read_config, row_dict};
use pyo3::prelude::*;
pub(crate) use shared_run::SIGNAL_INTERVAL;

/// Adds the classes and functions of this module to the Python module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NativeExperiment>()?;
    module.add_function(wrap_pyfunction!(experiment_names, module)?)?;
    module.add_function(wrap_pyfunction!(experiment_info, module)?)?;
    module.add_function(wrap_pyfunction!(unused_fields, module)?)?;
    module.add_function(wrap_pyfunction!(ended_metadata, module)?)
}
