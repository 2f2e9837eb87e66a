//! Games and puzzles: environments with discrete actions, of which some may be illegal, and observations of bytes.
//!
//! - `rules`: interface of a game. The cubes, Connect Four and backgammon implement it with the rules of
//!   [`vivarium_envs`]; `table` lists them.
//! - `batch`: a batch of games with Gymnasium's autoreset modes and a time limit.
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
