//! What a learner is between two iterations: plain numbers that every engine can take up and go on from.
//!
//! The rollout is no part of it: a learner that takes up a state takes the iteration's steps again, draws the same
//! numbers, and so goes on exactly as the other one did.

use super::normalize::Moments;
use super::report::Counters;
use super::running::Running;
use crate::lanes::Lanes;

/// What a learner is at the start of an iteration: plain numbers that every engine can take up and go on from. The rollout
/// is no part of it; whoever takes it up takes the iteration's steps again, and draws the same numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The network's parameters, laid out as [`vivarium_graph::Parameters`] are.
    pub weights: Vec<f32>,
    /// Adam's mean of the gradients, in the same layout.
    pub first_moment: Vec<f32>,
    /// Adam's mean of their squares, in the same layout.
    pub second_moment: Vec<f32>,
    /// Of the observations so far, one per dimension.
    pub observation_moments: Vec<Moments>,
    /// Of the discounted returns so far.
    pub return_moments: Moments,
    /// Totals so far.
    pub counters: Counters,
    /// Where every environment is.
    pub lanes: Lanes,
    /// What every lane's present episode came to so far.
    pub running: Running,
}
