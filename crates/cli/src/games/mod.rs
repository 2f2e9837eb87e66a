//! Board games in the terminal: opponents, matches, evaluation and play.

pub mod eval;
mod gnubg;
mod network;
mod opponent;
mod parallel_match;
pub mod play;
