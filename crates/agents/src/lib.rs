//! Learning agents: PPO, deep Q-learning, AlphaZero, and learned beam search for the 3×3×3 cube.
//!
//! - [`ppo::Ppo`]: proximal policy optimization for classic control (Schulman et al. 2017).
//! - [`dqn::Dqn`]: deep Q-learning for classic control and the 2×2×2 cube (Mnih et al. 2015), with dueling heads,
//!   double Q-learning, n-step returns and prioritized replay.
//! - [`alphazero::AlphaZero`]: self-play with Monte-Carlo tree search for backgammon and Connect Four (Silver et al.
//!   2018).
//! - [`cube3::Cube3Learner`] and [`cube3::BeamSearch`]: self-supervised policy and beam search for the 3×3×3 cube
//!   (Takano 2023, EfficientCube).
//! - [`cube2`]: exhaustive evaluation of a greedy policy on all states of the 2×2×2 cube.
//! - [`players`]: reference players and paired matches.
//! - [`LearnerError`], [`Episode`]: errors, and results of evaluation episodes.
//!
//! A learner owns its environments, network and optimizer. Each call of its `advance` does a bounded amount of work, a
//! *slice*. Learners read no clock and start no threads. With the feature `gpu`, training can move to a GPU and back
//! between iterations (`ppo::PpoGpuTrainer`, `dqn::gpu_trainer::DqnGpuTrainer`).
//!
//! ```
//! use vivarium_agents::{Learner, mean_return};
//! use vivarium_agents::ppo::{Ppo, PpoConfig};
//! use vivarium_envs::{CartPole, Environment};
//! use vivarium_graph::Cpu;
//!
//! let cpu = Cpu::new(2);
//! let config = PpoConfig { num_envs: 128, minibatch: 1024, ..Default::default() };
//! let mut learner = Ppo::new(config, Environment::of::<CartPole>(), 1)?;
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
mod env_batch;
mod episode;
mod error;
mod observation_input;
pub mod players;
pub mod ppo;
mod residual;

pub use episode::{Episode, mean_return};
pub use error::LearnerError;
pub use vivarium_kernels::statistics;
pub use vivarium_learn::{Advance, Learner};
