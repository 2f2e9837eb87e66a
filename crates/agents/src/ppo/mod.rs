//! Proximal policy optimisation (Schulman et al. 2017) over many environments at once.

pub mod advantage;
pub mod config;
mod error;
mod evaluate;
mod learner;
mod minibatch;
mod network;
pub mod normalise;
mod policy;
mod presets;
mod query;
mod report;
#[cfg(feature = "gpu")]
pub mod resident;
mod rollout;
mod running;
mod sample;
mod state;
mod tensors;
mod update;

pub use config::PpoConfig;
pub use error::PpoError;
pub use evaluate::{Episode, mean_return};
pub use learner::{Ppo, Slice, Work};
pub use query::{Beliefs, Choice};
pub use report::{Counters, Report};
#[cfg(feature = "gpu")]
pub use resident::{Advance, Resident};
pub use running::Running;
pub use state::{Lanes, State};
pub use tensors::{Tensor, Values};
