//! A run's folder: what is in it, and how a run is begun, left and taken up again.
//!
//! | file | what |
//! | --- | --- |
//! | `run.json` | experiment, seed, engine, threads, when it started ([`About`]) |
//! | `config.json` | the whole config; fit for `--config` |
//! | `metrics.jsonl` | a JSON line for each row of measurements ([`rows`]), of a long run for some ([`thinning`]) |
//! | `events.out.tfevents.*` | the same for TensorBoard ([`events`]) |
//! | `metrics.ring` | the newest rows and the status, for `vivarium monitor` ([`ring`]) |
//! | `latest.safetensors` | the newest state, from which `--resume` goes on |
//! | `best.safetensors` | the state that evaluated best, and how it did |
//! | `.lock` | locked by the program that trains in the folder, so that no second one does |

mod about;
mod events;
mod files;
mod folder;
mod recorder;
pub mod ring;
pub mod rows;
mod thinning;

pub use about::{About, now};
pub use files::{read_bytes, read_checkpoint};
pub use folder::{Best, RunFolder, run_of};
pub use recorder::Recorder;
