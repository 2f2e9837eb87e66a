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
//! `examples/ppo.rs` is this loop in one file; a test requires that it computes the same weights.
//!
//! # Deviations from the paper
//!
//! - Additions after Huang et al. 2022, ["The 37 Implementation Details of Proximal Policy
//!   Optimization"](https://iclr-blog-track.github.io/2022/03/25/ppo-implementation-details/): orthogonal
//!   initialization, advantage normalization per minibatch, learning-rate annealing, gradient clipping, and two that
//!   are off by default, clipped value loss and early stopping by approximate KL divergence.
//! - Observations are normalized by their running mean and variance, rewards by the standard deviation of the
//!   discounted return ([`normalize`]: Welford 1962; Chan, Golub and LeVeque 1979).
//! - The advantages are GAE(λ) ([`advantage`]; Schulman et al. 2015) with the value of the final observation where the
//!   time limit truncates an episode.
//! - AdamW instead of Adam. Actor and critic share no layers by default.
//! - The policy is categorical (discrete actions) or Gaussian with a standard deviation that does not depend on the
//!   state (continuous actions).
//!
//! # Reading order
//!
//! An iteration runs through `training` ([`advance`](vivarium_learn::Learner::advance)), `learner` (the parts of an
//! iteration), `rollout` (environment steps of a block of environments), `sample` (actions), [`normalize`],
//! [`advantage`], `update` (minibatches and gradient steps) and `network` (actor, critic and loss). `PpoGpuTrainer`
//! (feature `gpu`) is the same algorithm with environments, rollout and update on the GPU. All other modules hold
//! hyperparameters, metrics, evaluation and saved state.
//!
//! A run depends on config, seed and SIMD level alone, not on the number of threads.

pub mod advantage;
mod boundary;
pub mod config;
mod evaluate;
mod export;
#[cfg(feature = "gpu")]
pub mod gpu_trainer;
mod learner;
mod network;
pub mod normalize;
mod query;
mod report;
mod rollout;
mod running;
mod sample;
mod state;
mod tensors;
mod training;
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
