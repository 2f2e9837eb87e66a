//! Tests of backgammon against a slow move generator, known facts, and GNU Backgammon.

mod bearoff;
mod doubling;
mod facts;
mod gnubg;
mod ids;
mod plays;
mod plays_at_scores;
mod positions;
mod races;
mod rawboards;
mod records;
mod slow;
mod states;
mod turns;
