//! Board games in the terminal: opponents, matches, evaluation, play and hints.

mod adviser;
pub mod analyze;
mod doubling_text;
pub mod eval;
mod expectimax;
mod gnubg;
pub mod hint;
pub mod network;
mod opponent;
mod parallel_match;
pub mod play;
mod plays_table;
mod record_file;
mod roll;
