//! What there is to know about a logic automaton before it exists.

use serde::Serialize;

/// What a logic CA's exhibit has to offer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "logic_ca")]
pub struct LogicCaInfo {
    /// Patterns of Conway's Life that can be put on the stage.
    pub patterns: Vec<PatternInfo>,
    /// What the sixteen functions of a gate are called, by number.
    pub gate_names: Vec<String>,
    /// The most columns and rows of a stage.
    pub largest_side: u32,
    /// Pictures that can be learned.
    pub targets: Vec<TargetInfo>,
}

/// A picture that can be learned.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TargetInfo {
    /// As the config's target.
    pub name: String,
    /// Its cells, as the config's drawing.
    pub drawing: String,
    /// Whether it goes on and on over a board of any size; else it stands in the middle.
    pub repeated: bool,
}

/// A pattern of cells.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PatternInfo {
    /// As in [`Command::Place`](super::LogicCommand::Place).
    pub name: String,
    /// For a person, such as "Glider".
    pub label: String,
    /// Its rows, all of one length: `#` is a living cell, `.` a dead one.
    pub rows: Vec<String>,
}
