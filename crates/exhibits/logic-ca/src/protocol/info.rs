//! Static information about the logic automaton.

use serde::Serialize;

/// Static information about the logic automaton that front ends need.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "logic_ca")]
pub struct LogicCaInfo {
    /// Game of Life patterns for the sandbox.
    pub patterns: Vec<PatternInfo>,
    /// Names of the sixteen gate functions, by function number.
    pub gate_names: Vec<String>,
    /// Maximum number of columns and of rows of the sandbox.
    pub largest_side: u32,
    /// Built-in target patterns.
    pub targets: Vec<TargetInfo>,
}

/// Built-in target pattern.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TargetInfo {
    /// Value of the config field `task.target`.
    pub name: String,
    /// Cells in the format of the config field `task.drawing`.
    pub drawing: String,
    /// Whether the pattern is tiled over the board; otherwise it is centered.
    pub repeated: bool,
}

/// Game of Life pattern.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PatternInfo {
    /// Name in [`LogicCommand::Place`](super::LogicCommand::Place).
    pub name: String,
    /// Label, such as "Glider".
    pub label: String,
    /// Rows of equal length: `#` is a living cell, `.` a dead cell.
    pub rows: Vec<String>,
}
