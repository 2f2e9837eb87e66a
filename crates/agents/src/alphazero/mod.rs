//! AlphaZero (Silver et al. 2017, <https://arxiv.org/abs/1712.01815>) for two-player zero-sum games with and without
//! chance nodes.
//!
//! ```text
//! initialize network θ, target average θ̄ = θ, best θ* = θ
//! repeat
//!     for each game in parallel:                    # self-play, batched network evaluations
//!         sample chance events until a decision
//!         if uniform() < search_share:
//!             run PUCT with θ̄, Dirichlet noise at the root, subtree reuse
//!             π = visit counts / total visits
//!         else:                                     # one-ply lookahead
//!             evaluate every afterstate with θ̄; π = softmax(equity / tolerance)
//!         play a ~ π^(1/temperature) during the opening, argmax π afterwards
//!         at the end of a game: compute TD(λ) targets z, append (s, π, z) to the replay buffer
//!     for each due gradient step:
//!         draw a minibatch; L = −Σ π·ln p + c·Σ BCE(z, v); AdamW; clip the gradient norm
//!         θ̄ = exponential moving average of θ
//!     every match_every generations: if θ̄ beats θ* in a match, θ* = θ̄     # gating
//! ```
//!
//! `examples/alphazero.rs` is the loop of the paper, with search at every move and the outcome as value target, in one
//! file; a test requires that it computes the same weights.
//!
//! # Deviations from the papers
//!
//! The learner is AlphaZero-style:
//!
//! - A share of the moves is searched, as in playout cap randomization (Wu 2019, <https://arxiv.org/abs/1902.10565>).
//!   The other moves use a one-ply lookahead over afterstates, as TD-Gammon does (Tesauro 1995,
//!   <https://doi.org/10.1145/203330.203343>).
//! - Value targets are TD(λ) returns (Sutton 1988, <https://doi.org/10.1007/BF00115009>) over outcome probabilities; λ
//!   = 1 is the outcome, as in the paper. An endgame table replaces targets of backgammon's bear-offs by exact values.
//! - Self-play uses the exponential moving average of the weights.
//! - Gating as in AlphaGo Zero (Silver et al. 2017, <https://doi.org/10.1038/nature24270>), although self-play does not
//!   wait for the best network.
//! - Chance nodes, transpositions and first-play urgency in the search; see [`vivarium_mcts`].
//! - A fully connected residual network with outcome probabilities as value heads, and AdamW instead of momentum.
//!
//! # Reading order
//!
//! A self-play round, which is one decision in every game and the gradient steps that are due, runs through eight
//! files: `training` ([`advance`](vivarium_learn::Learner::advance)), `learner` (rounds and generations), `self_play`
//! (searches and decisions of a worker's games), `game_in_play` (one game and its value targets), `lookahead`, `replay`
//! (samples and replay buffer), `update` (gradient steps) and `network` (graph of network and loss). The search is the
//! crate `vivarium_mcts`; `promotion` is the gating, one of the deviations.
//!
//! [`NetworkPlayer`] plays with a trained network. [`SelfPlay`] and [`ReplayLearner`] are the two halves for separate
//! processes. The modules named `gpu_…` (feature `gpu`) evaluate and train on the GPU. All other modules hold games,
//! hyperparameters, metrics and saved state. A generation is a fixed number of self-play samples, after which metrics
//! are reported.
//!
//! A gradient step is due when new samples × replay ratio exceed the samples drawn so far. Within a round all games
//! use the weights from the start of the round. Therefore a run is a function of config and seed: the number of
//! threads and the order of execution make no difference. A checkpoint contains neither the games in progress nor the
//! replay buffer.

mod back_games;
mod backgammon;
mod bear_off_hits;
pub mod config;
mod connect_four;
mod distributed;
mod forward;
mod game;
mod game_in_play;
#[cfg(feature = "gpu")]
pub mod gpu_evaluator;
#[cfg(feature = "gpu")]
mod gpu_group;
#[cfg(feature = "gpu")]
mod gpu_minibatch;
#[cfg(feature = "gpu")]
pub mod gpu_trainer;
mod learner;
mod lookahead;
mod network;
mod player;
mod promotion;
mod random_openings;
mod replay;
mod report;
mod run_setup;
mod self_play;
mod self_play_batch;
#[cfg(feature = "gpu")]
mod sparse_input;
mod state;
mod training;
mod update;

pub use config::{AlphaZeroConfig, NetworkSize};
pub use distributed::SelfPlay;
pub use forward::{Clock, EvaluationTimes, ForwardPass, LeafEvaluator};
pub use game::{InputRow, MAX_HEADS, SelfPlayGame};
pub use learner::{AlphaZero, AlphaZeroWork, ReplayLearner};
pub use lookahead::{ActionValue, Lookahead, best};
pub use network::{AlphaZeroGraph, AlphaZeroNetwork};
pub use player::{EvaluatedTurn, NetworkPlayer};
pub use replay::SelfPlaySamples;
pub use report::{AlphaZeroCounters, Report, TimeBreakdown};
pub use self_play_batch::{BatchWindow, SampleError, SelfPlayBatch};
pub use state::{NetworkSource, network_tensors, read_network};
pub use vivarium_envs::backgammon::State as Backgammon;
pub use vivarium_envs::connect_four::ConnectFour;
