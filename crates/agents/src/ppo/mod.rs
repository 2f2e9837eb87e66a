//! Proximal policy optimization (PPO; Schulman et al. 2017, ["Proximal Policy Optimization
//! Algorithms"](https://arxiv.org/abs/1707.06347)) with vectorized environments, on the CPU and on the GPU.
//!
//! ```text
//! repeat:                                       one iteration
//!     rollout: for t in 0..horizon:             in num_envs environments
//!         a_t ~ π(·|s_t), store ln π(a_t|s_t) and V(s_t), step the environments
//!     advantages A by GAE(λ); value targets R = A + V
//!     for epoch in 0..epochs:                   update
//!         for each minibatch of a random permutation of the samples:
//!             r = π(a|s) / π_old(a|s)
//!             L = −min(r·A, clip(r, 1−ε, 1+ε)·A) + c_v·½(V(s) − R)² − c_e·H(π)
//!             clip the gradient norm, take an AdamW step
//!         stop if the approximate KL divergence exceeds target_kl
//! ```
//!
//! Parts:
//!
//! - [`Ppo`]: the learner. [`PpoConfig`]: hyperparameters. [`PpoReport`]: metrics of an iteration.
//! - [`advantage`]: generalized advantage estimation, GAE(λ) (Schulman et al. 2015), which bootstraps truncated
//!   episodes from their final observation.
//! - [`normalize`]: running mean and variance (Welford 1962; Chan, Golub and LeVeque 1979) for observation and reward
//!   normalization.
//! - `PpoGpuTrainer` (feature `gpu`): the same algorithm with environments, rollout and update on the GPU.
//!
//! Policies are categorical (discrete actions) or Gaussian with a state-independent standard deviation (continuous
//! actions). Additions to the paper follow Huang et al. 2022, ["The 37 Implementation Details of Proximal Policy
//! Optimization"](https://iclr-blog-track.github.io/2022/03/25/ppo-implementation-details/): orthogonal initialization,
//! advantage normalization per minibatch, clipped value loss, entropy bonus, learning-rate annealing, gradient clipping
//! and early stopping by approximate KL divergence. Reward normalization divides by the standard deviation of the
//! discounted return.
//!
//! A run depends on config, seed and SIMD level alone, not on the number of threads.

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

pub use crate::env_batch::EnvBatch;
pub use config::PpoConfig;
#[cfg(feature = "gpu")]
pub use gpu_trainer::PpoGpuTrainer;
pub use learner::{Ppo, PpoWork};
pub use query::{ActionSelection, PolicyAndValue};
pub use report::{PpoCounters, PpoReport};
pub use running::RunningEpisodes;
pub use state::PpoState;
pub use tensors::{Tensor, TensorData};
