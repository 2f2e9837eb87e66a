//! Reinforcement-learning environments: classic control, backgammon, Connect Four and twisty cubes. Rules only, no
//! learning.
//!
//! Classic control:
//!
//! - [`World`]: dynamics of an environment (step, reset distribution, termination, observation), written once for all
//!   SIMD levels. [`for_each_world!`] is the table of its implementations.
//! - [`VectorEnv`]: batch of environments with the semantics of Gymnasium's vector environments: time limit,
//!   [`Autoreset`], `terminated` separate from `truncated`.
//! - [`Environment`], [`AnyVectorEnv`], [`EnvSpec`]: the same for an environment that is chosen at run time.
//! - [`StepBuffers`], [`StepOut`]: outputs of a step.
//! - [`EnvSnapshot`]: complete state of a [`VectorEnv`], for checkpoints.
//! - [`ActionSpace`], [`Dimension`], [`Params`]: descriptions of actions, states and physical parameters.
//!
//! Games and puzzles: [`mod@backgammon`], [`mod@connect_four`] and [`mod@cube`], independent of the types above.
//!
//! The tests compare the dynamics with trajectories recorded from Gymnasium, and with a second implementation in `f64`:
//! module `testing`.
//!
//! ```
//! use vivarium_envs::{Autoreset, CartPole, StepBuffers, VectorEnv};
//! use vivarium_kernels::simd;
//!
//! let level = simd::level();
//! let mut env = VectorEnv::<CartPole>::new(level, Default::default(), 7, 0, 100, Autoreset::SameStep)?;
//! let mut buffers = StepBuffers::new::<CartPole>(env.num_envs());
//! let push_right = vec![1.0; env.num_envs()];
//! env.step(level, &push_right, &mut buffers.out())?;
//! assert_eq!(buffers.reward[..], vec![1.0; 100]);
//! # Ok::<(), vivarium_envs::EnvError>(())
//! ```

mod autoreset;
pub mod backgammon;
mod block;
pub mod classic;
mod compiled;
pub mod connect_four;
pub mod cube;
mod environment;
mod error;
mod kernel;
mod output;
mod params;
mod random;
mod snapshot;
mod space;
#[doc(hidden)]
pub mod testing;
mod vector;
mod world;

pub use autoreset::Autoreset;
pub use classic::*;
pub use compiled::{CompiledWorld, observe};
pub use environment::{AnyVectorEnv, EnvSpec, Environment};
pub use error::{EnvError, OutOfRange};
pub use output::{StepBuffers, StepOut};
pub use params::Params;
pub use snapshot::EnvSnapshot;
pub use space::{ActionSpace, Dimension};
pub use vector::{MAX_ENVS, VectorEnv};
pub use world::{Transition, Tuple, World};
