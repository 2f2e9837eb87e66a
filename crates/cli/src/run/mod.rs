//! Run folders. A run is the training of one experiment with one config and one seed. A run consists of one or more
//! training sessions: the first session starts the run, each later session resumes the run.
//!
//! | file | contents |
//! | --- | --- |
//! | `run.json` | experiment, seed, and a record of each training session ([`RunMetadata`]) |
//! | `config.json` | complete config at the start of the run; valid for `--config` |
//! | `metrics.jsonl` | one JSON line per metric row ([`rows`]), subsampled in long runs ([`thinning`]) |
//! | `events.out.tfevents.*` | the same rows for TensorBoard ([`events`]) |
//! | `monitor.bin` | monitor file: status and newest row, for `vivarium monitor` ([`monitor_file`]) |
//! | `latest.safetensors` | latest checkpoint, from which `--resume` continues |
//! | `best.safetensors` | checkpoint with the best evaluation score, and the score |
//! | `earlier-best.safetensors` | best checkpoint before the last change of the task, such as of `world.gravity` |
//! | `.lock` | lock of the training process |

mod events;
mod files;
mod folder;
mod metadata;
pub mod monitor_file;
mod record_file;
mod recorder;
pub mod rows;
mod thinning;

pub use files::{read_bytes, read_checkpoint};
pub use folder::{BestCheckpoint, RunFolder, containing_run};
pub use metadata::{ChangedField, RunMetadata, SessionRecord, changed_fields, engine_names, now};
pub use recorder::MetricsRecorder;
pub use thinning::DEFAULT_ROWS;
