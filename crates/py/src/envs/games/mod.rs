//! Games and puzzles: environments with discrete actions, of which some may be illegal, and observations of bytes.
//!
//! - [`GameRules`]: one game, implemented by the cubes, Connect Four and backgammon with the rules of
//!   [`vivarium_envs`].
//! - [`batch`]: a batch of games with Gymnasium's autoreset modes and a time limit.
//! - [`NativeGameVectorEnv`]: the batch with NumPy arrays.

mod backgammon;
mod batch;
mod connect_four;
mod cubes;
mod rules;
mod table;
mod vector_env;

pub(crate) use table::game_infos;
pub(crate) use vector_env::NativeGameVectorEnv;

#[allow(unused_imports, reason = "linked in the documentation of this module")]
use rules::GameRules;
