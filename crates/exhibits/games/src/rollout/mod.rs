//! Rollouts: estimates of a backgammon position, or of the plays of a roll, by random games.
//!
//! A trial plays the game with the network and the doubling cube. Its result, minus the luck of the rolls, estimates equity and
//! probabilities (Tesauro and Galperin 1996, "On-line Policy Improvement using Monte-Carlo Search",
//! <https://papers.nips.cc/paper/1302-on-line-policy-improvement-using-monte-carlo-search>). All random numbers are
//! functions of seed, trial and turn.

mod candidate;
mod dice;
mod doubling;
mod evaluator;
mod roll_plays;
mod statistics;
mod stepwise;
mod summary;
mod trial;
mod trials;

pub use candidate::{RolloutCandidate, candidates};
pub use dice::TrialDice;
pub use doubling::{DoublingErrors, RolloutDoubling};
pub use evaluator::{NetworkPositionEvaluator, PositionEvaluator, Probabilities};
pub use statistics::{CandidateEstimate, Estimate};
pub use stepwise::{StepwiseRollout, StepwiseSettings};
pub use summary::RolloutSummary;
pub use trial::{TrialPlayer, TrialResult};
pub use trials::{TrialSettings, play_trials};

#[cfg(test)]
mod tests;
