//! Board games in the terminal: opponents, matches, evaluation, play and hints.

mod adviser;
pub mod eval;
mod gnubg;
pub mod hint;
pub mod network;
mod opponent;
mod parallel_match;
pub mod play;
mod plays_table;
mod roll;
