//! Connect Four players that search without a network.

mod board;
mod minimax;
mod search;
mod solver;

pub use minimax::Minimax;
pub use solver::Solver;
