//! The contract between exhibits and front ends: experiments, configs, metrics, checkpoints.

pub mod checkpoint;
pub mod config;
#[cfg(feature = "gpu")]
pub mod device;
pub mod engine;
pub mod episodes;
pub mod error;
pub mod exhibit;
pub mod experiment;
pub mod info;
pub mod interval;
pub mod measures;
pub mod metrics;
pub mod network_file;
pub mod protocol;
pub mod readings;
pub mod registry;
pub mod renamed_fields;
pub mod run;
mod slice;
pub mod source;
pub mod speed;
pub mod spelling;
pub mod text;
pub mod time;
pub mod train;
#[cfg(feature = "gpu")]
pub mod train_on_gpu;

pub use engine::Engine;
pub use error::LabError;
pub use exhibit::{AnyExhibit, Exhibit};
pub use experiment::Experiment;
