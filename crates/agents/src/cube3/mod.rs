//! EfficientCube: self-supervised learning of the 3×3×3 cube from scrambles, and beam search (Takano,
//! ["Self-Supervision is All You Need for Solving Rubik's Cube"](https://arxiv.org/abs/2106.03157), TMLR 2023).
//!
//! A policy network learns to predict the move that undoes the last turn of a random scramble. That move is not
//! always optimal, but over all scrambles that lead to a state, moves towards the solved state are undone most often.
//! Unlike DeepCubeA (Agostinelli et al., ["Solving the Rubik's cube with deep reinforcement learning and
//! search"](https://doi.org/10.1038/s42256-019-0070-z), 2019), neither values nor rewards are learned.
//!
//! ```text
//! repeat                                              # Cube3Learner::advance
//!     for each of `scrambles` scrambles               # ScrambleBatch::draw
//!         s ← solved
//!         for d in 1..=depth
//!             t ← random turn that is not redundant after the previous one
//!             s ← turn(s, t)
//!             add (canonical(s), image of t⁻¹)        # Symmetry::representative
//!     minimize −log π(t⁻¹ | s), mean over the minibatch, by AdamW with gradient clipping
//!     θ_EMA ← EMA of θ
//!
//! beam ← [(start, 0)]                                 # BeamSearch, with π of θ_EMA
//! for up to max_moves moves
//!     candidates ← (turn(s, a), p + log π(a | s)) for each (s, p) in beam and each non-redundant a
//!     beam ← the `width` most likely candidates whose states were not visited before
//!     return the moves to s if a state s in the beam is solved
//! ```
//!
//! `examples/scrambles.rs` is training and search in one file; a test requires that it computes the same weights.
//!
//! # Deviations from the paper
//!
//! - States are reduced by the 48 symmetries of the cube.
//! - An exponential moving average of the weights solves the cubes.
//! - States visited earlier are pruned from the beam.
//! - The network is smaller, with LayerNorm instead of batch normalization.
//!
//! # Reading order
//!
//! A gradient step runs through `training` ([`advance`](vivarium_learn::Learner::advance)), `learner` (gradient step
//! and metrics), `scrambles` (samples) and `network` (graph of network and loss); a solution through `beam_search` and
//! `batch_evaluator`. `Cube3GpuTrainer` trains on the GPU on the same scrambles, and `GpuBeamSearch` evaluates the
//! states of several searches there.

mod batch_evaluator;
mod beam_search;
mod config;
#[cfg(feature = "gpu")]
mod gpu_beam_search;
#[cfg(feature = "gpu")]
mod gpu_scrambles;
#[cfg(feature = "gpu")]
pub mod gpu_trainer;
mod learner;
mod network;
mod scrambles;
mod state;
mod training;

pub use beam_search::{BeamSearch, BeamSearchSettings, SearchStatus};
pub use config::Cube3Config;
#[cfg(feature = "gpu")]
pub use gpu_beam_search::GpuBeamSearch;
#[cfg(feature = "gpu")]
pub use gpu_scrambles::GpuScrambleBatch;
pub use learner::{Cube3Counters, Cube3Learner, Report};
pub use network::{Cube3Network, Cube3NetworkDefinition};
pub use scrambles::ScrambleBatch;
