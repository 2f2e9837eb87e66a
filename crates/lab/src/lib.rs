//! What both doors drive: experiments, configs, metrics, checkpoints.

pub mod error;
pub mod experiment;
pub mod protocol;
