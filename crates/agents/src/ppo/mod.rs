//! Proximal policy optimization (Schulman et al. 2017) over many environments at once.

pub mod advantage;
mod boundary;
pub mod config;
mod evaluate;
#[cfg(feature = "gpu")]
pub mod gpu_trainer;
mod learner;
mod minibatch;
mod network;
pub mod normalize;
mod policy;
mod presets;
mod query;
mod report;
mod rollout;
mod running;
mod sample;
mod state;
mod tensors;
mod update;

pub use crate::lanes::Lanes;
pub use config::PpoConfig;
#[cfg(feature = "gpu")]
pub use gpu_trainer::{Advance, GpuTrainer};
pub use learner::{Ppo, Slice, Work};
pub use query::{Beliefs, Choice};
pub use report::{Counters, Report};
pub use running::Running;
pub use state::State;
pub use tensors::{Tensor, Values};
