//! Run folders. A run is the training of one experiment with one config and one seed. A run consists of one or more
//! training sessions: the first session starts the run, each later session resumes the run.
//!
//! [`RUN_FILES`] lists the files of a run folder. [`RunMetadata`](vivarium_lab::run_metadata::RunMetadata), [`rows`], [`thinning`], [`events`] and [`monitor_file`] have
//! their formats.

mod events;
mod file_names;
mod files;
mod folder;
mod metadata;
pub mod monitor_file;
mod record_file;
mod recorder;
pub mod rows;
pub mod run_group;
mod thinning;

pub use file_names::RUN_FILES;
pub use files::{open_file, read_bytes, read_checkpoint};
pub use folder::{BestCheckpoint, RunFolder, config_file, containing_run, free_study_folder};
#[cfg(test)]
pub use metadata::example_metadata;
pub use metadata::{changes_section, now};
pub use recorder::MetricsRecorder;
pub use thinning::DEFAULT_ROWS;
