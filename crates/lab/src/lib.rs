//! The interface between experiments and front ends: training runs, configs, metrics, evaluations and checkpoints.
//!
//! - [`Experiment`]: a training run; a front end advances it by bounded amounts of work, called slices.
//! - [`Exhibit`], [`AnyExhibit`]: an *exhibit* is an experiment that a front end can display (frames) and control
//!   (commands), in the types of its family or as JSON.
//! - [`registry::Registry`], [`registry::Family`]: experiments by name.
//! - [`info::ExperimentInfo`], [`info::Schema`]: config fields, presets and metrics of an experiment.
//! - [`config`], [`renamed_fields`]: validation of configs; former names of fields.
//! - [`metrics_table::MetricsTable`]: metric rows as CSV.
//! - [`measures::Measures`], [`readings::Readings`]: evaluation measures, and the measurements that front ends show.
//! - [`goal::Goal`]: a goal at which training stops.
//! - [`checkpoint`]: the state of a run as a safetensors file.
//! - [`protocol`]: messages of the front ends; the page's TypeScript types are generated from them.
//! - [`train::Training`], [`rollback`], [`speed`]: training slice by slice on both engines, recovery from divergence, and
//!   the engine benchmark.
//! - [`LabError`]: user-facing errors.
//!
//! ```
//! use vivarium_lab::checkpoint::{self, Header, TensorData, flat};
//!
//! let header = Header {
//!     experiment: "cartpole".into(),
//!     config: serde_json::json!({ "world": { "gravity": 9.8 } }),
//!     seed: 1,
//!     steps: 4096,
//!     more: serde_json::Value::Null,
//! };
//! let bytes = checkpoint::write(&header, &[flat("weights/value.bias", TensorData::F32(vec![0.5]))]);
//! let (read, mut tensors) = checkpoint::read(&bytes)?;
//! assert_eq!(read, header);
//! assert_eq!(tensors.take("weights/value.bias")?.shape, [1]);
//! # Ok::<(), vivarium_lab::LabError>(())
//! ```

pub mod checkpoint;
pub mod config;
#[cfg(feature = "gpu")]
pub mod device;
pub mod engine;
pub mod episodes;
pub mod error;
pub mod exhibit;
pub mod experiment;
pub mod goal;
pub mod info;
pub mod interval;
pub mod measures;
mod metric_range;
pub mod metrics;
pub mod metrics_table;
pub mod network_file;
pub mod protocol;
pub mod readings;
pub mod recorded_row;
pub mod registry;
pub mod renamed_fields;
pub mod rollback;
pub mod run;
pub mod run_metadata;
pub mod source;
pub mod speed;
pub mod speed_meter;
pub mod spelling;
pub mod text;
pub mod time;
pub mod train;
#[cfg(feature = "typescript")]
pub mod typescript;

pub use engine::Engine;
pub use error::LabError;
pub use exhibit::{AnyExhibit, Exhibit};
pub use experiment::{EvaluationResult, Experiment};
pub use vivarium_learn::InferenceNetwork;
