//! Board games in the terminal: opponents, matches, evaluation, play, hints, rollouts, and an engine for other programs.

mod adviser_args;
pub mod analyze;
mod bear_off_hit;
mod board_text;
mod depth_check;
mod doubling_text;
mod equity_table;
pub mod eval;
mod gnubg;
pub mod hint;
pub mod met;
pub mod network;
mod opponent;
mod parallel_match;
pub mod play;
mod position_input;
mod record_file;
mod roll;
pub mod rollout;
mod selected_plays;
mod tree_search;
pub mod ubgi;
