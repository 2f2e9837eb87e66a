//! Deep Q-learning (DQN; Mnih et al. 2015, ["Human-level control through deep reinforcement
//! learning"](https://doi.org/10.1038/nature14236)) with extensions, each of which can be disabled.
//!
//! ```text
//! for each sample of demonstrations:                       pretraining, if the problem has a solver
//!     minimize the demonstration loss
//! repeat:
//!     in every environment: a = argmax Q(s, ·), or a random action with probability ε
//!     store n-step transitions (s, a, R, s', k) in the replay, with maximum priority
//!     until replay_ratio samples per transition:
//!         sample a minibatch with probability ∝ |δ|^α, importance weights w = (N·p)^−β
//!         a' = argmax Q(s', ·)                             double Q-learning: online network selects,
//!         y  = R + γ^k · Q_target(s', a')                  target network evaluates; y = R if s' is terminal
//!         δ  = y − Q(s, a); minimize w · Huber(δ) with Adam; set priorities to |δ|
//!         update the target network: copy at intervals, or Polyak averaging with rate τ
//! ```
//!
//! `examples/dqn.rs` is the loop of the paper, without extensions, in one file; a test requires that it computes the
//! same weights.
//!
//! # Deviations from the paper
//!
//! - Environments are stepped together, and replay ratio and minibatch size determine the number of gradient steps.
//! - Adam instead of RMSProp; the learning rate decays by half a cosine.
//! - Observations or features instead of images, and fully connected layers, with layer normalization by default.
//! - At a time limit the target bootstraps from the final state.
//!
//! Extensions:
//!
//! - Dueling heads (Wang et al. 2016, <https://arxiv.org/abs/1511.06581>).
//! - Double Q-learning (van Hasselt, Guez and Silver 2015, <https://arxiv.org/abs/1509.06461>).
//! - n-step returns (Sutton and Barto, "Reinforcement Learning", chapter 7), with an optional Watkins cutoff: a return
//!   ends before a nongreedy action, as in Watkins's Q(λ) (Watkins 1989). A random action that happens to be greedy
//!   does not end it.
//! - Prioritized replay (Schaul et al. 2015, <https://arxiv.org/abs/1511.05952>), proportional variant, in
//!   [`vivarium_learn::PrioritizedReplay`].
//! - Target network with periodic copies or Polyak averaging (Lillicrap et al. 2015,
//!   <https://arxiv.org/abs/1509.02971>).
//! - A curriculum over levels of difficulty (Bengio et al. 2009).
//! - Pretraining on a solver's demonstrations, similar to DQfD (Hester et al. 2018,
//!   <https://arxiv.org/abs/1704.03732>). Unlike DQfD, demonstrations are generated on the fly, their loss is a
//!   cross-entropy over the optimal actions plus a Huber loss of their value, and they are not mixed into the replay
//!   buffer.
//!
//! # Reading order
//!
//! An iteration runs through `training` ([`advance`](vivarium_learn::Learner::advance)), `learner` (environment steps
//! and gradient steps), `explore` (ε-greedy actions), `returns` (n-step returns), `replay` (replay buffer with the
//! states of its transitions), `batch` (minibatches of the replay buffer), `update` (targets, gradient step, target
//! network) and `network` (graph of network and losses). Environments implement [`DqnProblem`]: `control`, and
//! [`CubeProblem`] for the 2×2×2 cube. `DqnGpuTrainer` (feature `gpu`) is the same algorithm with its networks on the
//! GPU. All other modules hold hyperparameters, the curriculum, metrics, evaluation and saved state.
//!
//! The replay buffer stores compact states, such as one word per cube; each minibatch encodes its states as network
//! inputs.
//!
//! A call of `advance` takes one step of every environment or one gradient step. A checkpoint contains the
//! replay buffer with its priorities; a restored run continues bit-identically. A run depends on config, seed and SIMD
//! level alone, not on the number of threads.

mod batch;
mod config;
mod control;
mod cube;
mod curriculum;
mod evaluate;
mod explore;
mod export;
#[cfg(feature = "gpu")]
pub mod gpu_trainer;
mod learner;
mod network;
mod presets;
mod problem;
mod replay;
mod report;
mod returns;
mod state;
mod training;
mod update;

pub use config::DqnConfig;
pub use control::ControlProblem;
pub use cube::{CubeFeatures, CubeParams, CubeProblem, MOVE};
pub use evaluate::values;
pub use explore::best;
pub use export::inference_network;
pub use learner::{Dqn, DqnWork};
pub use network::DqnGraph;
pub use problem::{Demonstration, DqnProblem, EnvSteps, EpisodeEnd, NetworkInputs, ProblemSpec};
pub use report::{DqnCounters, DqnReport, LevelTally};
pub use state::{restore_network, save_network};
pub use vivarium_learn::Network;
