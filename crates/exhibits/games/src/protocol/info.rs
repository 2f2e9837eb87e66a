//! Static description of a board-game experiment.

use super::PlayerChoice;
use serde::Serialize;

/// Static description of a board-game experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "games")]
pub struct GameInfo {
    /// Outcomes that the value heads predict, in the order of
    /// [`GameAnalysis::outcome_probabilities`](super::GameAnalysis::outcome_probabilities).
    pub outcomes: Vec<OutcomeInfo>,
    /// Largest possible equity: the points of the highest win, 3 in backgammon and 1 in Connect Four.
    pub most_equity: f32,
    /// Unit of equities: "points" in backgammon, "games" in Connect Four.
    pub equity_unit: String,
    /// Reference players. Networks are listed in [`GameRun::players`](super::GameRun::players).
    pub opponents: Vec<PlayerChoice>,
    /// Maximum number of search simulations per decision of a player, or of the analyst (the network that analyzes
    /// human decisions).
    pub largest_search: u32,
    /// Maximum number of thumbnails (small boards) of self-play games in a frame.
    pub max_thumbnails: u32,
    /// Maximum number of pairs of games per match.
    pub largest_match: u32,
}

/// An outcome that a value head predicts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OutcomeInfo {
    /// Identifier of the outcome, such as `win_gammon`.
    pub name: String,
    /// Display label of the outcome, such as "Win a gammon".
    pub label: String,
    /// Definition of the outcome, in one sentence.
    pub help: String,
}

impl OutcomeInfo {
    /// Creates an outcome from its name, label and help.
    pub(crate) fn new(name: &str, label: &str, help: &str) -> Self {
        Self { name: name.into(), label: label.into(), help: help.into() }
    }
}
