//! What there is to know about a board game before it is learned.

use super::PlayerChoice;
use serde::Serialize;

/// What a board game's exhibit has to offer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "games")]
pub struct GameInfo {
    /// What the value heads of the network predict, in the order of
    /// [`GameAnalysis::outcome_probabilities`](super::GameAnalysis::outcome_probabilities).
    pub outcomes: Vec<OutcomeInfo>,
    /// What the value heads make of a game at most: the equity of the highest win.
    pub most_equity: f32,
    /// Such as "points".
    pub equity_unit: String,
    /// Everybody who can play without having learned it here. Networks come and go:
    /// [`GameRun::players`](super::GameRun::players) has all.
    pub opponents: Vec<PlayerChoice>,
    /// The most simulations of a decision that memory is kept for.
    pub largest_search: u32,
    /// The most games of self-play that can be shown.
    pub largest_wall: u32,
    /// The most pairs of games of a match.
    pub largest_match: u32,
}

/// One of the outcome_probabilities that a network gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OutcomeInfo {
    /// Such as `win_gammon`.
    pub name: String,
    /// For a person, such as "Win a gammon".
    pub label: String,
    /// One sentence that says what counts.
    pub help: String,
}

impl OutcomeInfo {
    /// A chance by its name, label and help.
    pub(crate) fn new(name: &str, label: &str, help: &str) -> Self {
        Self { name: name.into(), label: label.into(), help: help.into() }
    }
}
