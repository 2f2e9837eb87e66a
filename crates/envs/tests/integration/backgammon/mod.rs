//! Backgammon against a slow generator, counted facts, and what GNU Backgammon says.

mod bearoff;
mod facts;
mod gnubg;
mod ids;
mod plays;
mod positions;
mod slow;
mod states;
mod turns;
