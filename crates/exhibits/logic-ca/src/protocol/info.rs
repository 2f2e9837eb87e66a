//! Static description of the logic-automaton experiment.

use serde::Serialize;

/// Static description of the logic-automaton experiment for front ends.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "logic_ca")]
pub struct LogicCaInfo {
    /// Game of Life patterns that the user can place in the sandbox.
    pub patterns: Vec<PatternInfo>,
    /// Names of the sixteen Boolean functions of a gate, by function number.
    pub gate_names: Vec<String>,
    /// Maximum number of columns and of rows of the sandbox.
    pub largest_side: u32,
    /// Built-in target patterns that the automaton can be trained to produce.
    pub targets: Vec<TargetInfo>,
}

/// Built-in pattern that the automaton can be trained to produce.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TargetInfo {
    /// Name of the target pattern: a value of the config field `task.target`.
    pub name: String,
    /// Cells of the pattern in the format of the config field `task.drawing`.
    pub drawing: String,
    /// Whether the pattern is tiled over the board; otherwise it is centered.
    pub repeated: bool,
}

/// Game of Life pattern that the user can place in the sandbox.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PatternInfo {
    /// Name of the pattern in [`LogicCommand::Place`](super::LogicCommand::Place).
    pub name: String,
    /// Display label of the pattern, such as "Glider".
    pub label: String,
    /// Rows of the pattern, of equal length: `#` is a living cell, `.` a dead cell.
    pub rows: Vec<String>,
}
