//! One-sided race rollouts: outcome probabilities of a race from the numbers of rolls that each player needs.
//!
//! In a race, no checker can be hit or blocked, so that a player's number of rolls does not depend on the opponent. For each
//! player, trials with a fixed policy and stratified dice estimate the distribution of the number of rolls until all
//! checkers are home; [`BearOff`](super::BearOff) adds the exact distribution of the rest. The outcome probabilities
//! follow from the distributions of both players. GNU Backgammon calls the method OSR (`osr.c`; Joern Thyssen, 2002).
//!
//! The result assumes that each player minimizes the number of rolls. It ignores plays that depend on the opponent's
//! position, which matter in the last rolls of a game only.

mod dice;
mod distribution;
mod goal;
mod rolls;

pub use rolls::RaceRolls;
