//! Learners: proximal policy optimization, deep Q-learning, AlphaZero, and one that learns the cube of 3×3×3 from scrambles.
//! Players of games, and matches between them. The exhaustive evaluation of policies for the cube of 2×2×2.
//!
//! A learner owns its environments, its network and its optimizer, and is moved on from outside, a bounded slice of work
//! at a time; it reads no clock and starts no thread. With the feature `gpu` it can also move to a GPU (`ppo::GpuTrainer`), and
//! back.
//!
//! ```
//! use vivarium_agents::mean_return;
//! use vivarium_agents::ppo::{Ppo, PpoConfig};
//! use vivarium_envs::{CartPole, World};
//! use vivarium_graph::Cpu;
//!
//! let cpu = Cpu::new(2);
//! let config = PpoConfig::default_for(CartPole::NAME);
//! let mut learner = Ppo::<CartPole>::new(config, Default::default(), 1)?;
//! let before = mean_return(&learner.evaluate(&cpu, 100, 0)?);
//! for _ in 0..5 {
//!     learner.iterate(&cpu)?;
//! }
//! let after = mean_return(&learner.evaluate(&cpu, 100, 0)?);
//! assert!(after > before);
//! # Ok::<(), vivarium_agents::LearnerError>(())
//! ```

pub mod alphazero;
mod chance;
pub mod cube2;
pub mod cube3;
pub mod dqn;
mod episode;
mod error;
mod lanes;
pub mod players;
pub mod ppo;
mod residual;

pub use episode::{Episode, mean_return};
pub use error::LearnerError;
pub use vivarium_kernels::statistics;
