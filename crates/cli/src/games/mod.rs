//! Board games: opponents, matches, and a table to play at.

pub mod eval;
mod gnubg;
mod matches;
mod network;
mod opponent;
pub mod play;
