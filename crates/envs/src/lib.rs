//! The worlds' rules, nothing about learning: classic control, backgammon, Connect Four and cubes.
//!
//! [`mod@backgammon`], [`mod@connect_four`] and [`mod@cube`] each stand by themselves. In classic control, a [`World`] is
//! the rules of one world for one SIMD vector of lanes: how a state moves on under an action, when an episode
//! ends, where the next one begins, and what an agent sees. A [`VectorEnv`] runs any number of lanes of a
//! world: it counts steps, truncates, resets, and keeps apart what ended an episode, as Gymnasium's vector
//! environments do. The tests have the same rules a second time in plain `f64`, written from the rules as published.
//!
//! ```
//! use vivarium_envs::{Autoreset, CartPole, StepBuffers, VectorEnv};
//! use vivarium_kernels::simd;
//!
//! let level = simd::level();
//! let mut env = VectorEnv::<CartPole>::new(Default::default(), 7, 0, 100, Autoreset::SameStep)?;
//! let mut buffers = StepBuffers::new::<CartPole>(env.lanes());
//! let push_right = vec![1.0; env.lanes()];
//! env.step(level, &push_right, &mut buffers.out())?;
//! assert_eq!(buffers.reward[..], vec![1.0; 100]);
//! # Ok::<(), vivarium_envs::EnvError>(())
//! ```

mod autoreset;
pub mod backgammon;
mod block;
pub mod classic;
pub mod connect_four;
pub mod cube;
mod error;
mod kernel;
mod output;
mod params;
mod random;
mod snapshot;
mod space;
mod vector;
mod world;

pub use autoreset::Autoreset;
pub use classic::*;
pub use error::{EnvError, OutOfRange};
pub use output::{StepBuffers, StepOut};
pub use params::Params;
pub use snapshot::Snapshot;
pub use space::{ActionSpace, Dimension};
pub use vector::{MAX_LANES, VectorEnv};
pub use world::{Transition, Tuple, World, observe};
