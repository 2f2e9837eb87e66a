//! What both doors drive: experiments, configs, metrics, checkpoints.

pub mod checkpoint;
pub mod config;
#[cfg(feature = "control")]
mod control;
#[cfg(feature = "cube")]
mod cube;
#[cfg(feature = "gpu")]
pub mod device;
pub mod engine;
pub mod error;
pub mod experiment;
mod former;
#[cfg(feature = "games")]
mod games;
pub mod info;
#[cfg(feature = "language")]
pub mod language;
#[cfg(feature = "logic-ca")]
mod logic_ca;
#[cfg(any(feature = "games", feature = "cube"))]
mod network_file;
pub mod protocol;
pub mod registry;
pub mod run;
pub mod spelling;
#[cfg(any(feature = "games", feature = "cube", feature = "language"))]
mod time;

pub use engine::Engine;
pub use error::LabError;
pub use experiment::Experiment;

// The page knows all experiments, whatever one of its modules holds.
#[cfg(all(
    test,
    feature = "control",
    feature = "logic-ca",
    feature = "games",
    feature = "cube",
    feature = "language"
))]
mod typescript;
