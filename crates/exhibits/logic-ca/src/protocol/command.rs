//! Commands of front ends.

use serde::{Deserialize, Serialize};

/// Commands to a logic-automaton experiment: sandbox, training target, circuit files.
///
/// Sandbox coordinates are (column, row) in cells from the upper left corner; the center of cell (0, 0) is (0.5, 0.5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LogicCommand {
    /// Resizes the sandbox board; its content stays centered.
    ResizeSandbox {
        /// Number of columns of the sandbox board.
        width: u32,
        /// Number of rows of the sandbox board.
        height: u32,
    },
    /// Sets the speed of the sandbox in automaton steps per second; 0 pauses it.
    SetSandboxSpeed {
        /// Automaton steps per second of display time; `None` for maximum speed.
        steps_per_second: Option<f32>,
    },
    /// Sets the fire rate of the sandbox: the probability that a cell is updated in an automaton step.
    SetSandboxFireRate {
        /// Fire rate, 0 to 1. With 1 all cells are updated in every step.
        rate: f32,
    },
    /// Runs single automaton steps of the sandbox, independently of its speed.
    StepSandbox {
        /// Number of automaton steps to run.
        steps: u32,
    },
    /// Resets the sandbox to an initial state.
    ResetSandbox {
        /// Initial state to set.
        start: SandboxStart,
    },
    /// Sets all cells of the sandbox to 0.
    ClearSandbox,
    /// Draws a brush stroke. It affects all cells whose center is at most `radius` away from the line segment `from` to
    /// `to`, and the cells at both ends.
    Brush {
        /// Start of the brush stroke, (column, row) in cells.
        from: [f32; 2],
        /// End of the brush stroke, (column, row) in cells.
        to: [f32; 2],
        /// Radius of the brush in cells.
        radius: f32,
        /// Effect of the brush on the affected cells.
        paint: Paint,
        /// Channel that the brush affects; `None` for all channels, or for the target channels if the paint is `Draw`
        /// or `Invert`.
        channel: Option<u32>,
    },
    /// Places a Game of Life pattern, centered at a cell.
    Place {
        /// Name of the Game of Life pattern to place, as in [`PatternInfo::name`](super::PatternInfo::name).
        pattern: String,
        /// Column of the cell at the pattern's center.
        x: u32,
        /// Row of the cell at the pattern's center.
        y: u32,
    },
    /// Replaces the training target by a drawn pattern. The gates are kept, the schedule restarts.
    SetTarget {
        /// Number of columns of the pattern.
        width: u32,
        /// Number of rows of the pattern.
        height: u32,
        /// Number of target channels of the pattern: 1, or 3 for red, green and blue.
        channels: u32,
        /// Bits (0 or 1) of the pattern's target channels, `[channel][row][column]`.
        cells: Vec<u8>,
    },
    /// Runs the circuit of a JSON file in the sandbox instead of the trained circuit.
    OpenCircuit {
        /// Content of the circuit's JSON file, as exported.
        json: String,
    },
    /// Runs the trained circuit in the sandbox instead of a circuit from a file.
    UseTrainedCircuit,
    /// Exports the sandbox circuit to a file.
    Export {
        /// Format of the exported file.
        format: ExportFormat,
    },
}

/// Initial state of the sandbox board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SandboxStart {
    /// The same initial state as the training boards.
    AsTrained,
    /// Every bit of every cell is random.
    Noise,
    /// Every bit of every cell is 0.
    Zeros,
    /// The middle cell is 1 in all channels (the seed of a pattern), all other cells are 0.
    Seed,
}

/// Effect of a brush on the bits of the cells that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Paint {
    /// Sets the bits of covered cells to 0.
    Erase,
    /// Sets the bits of covered cells to random values.
    Noise,
    /// Sets the bits of covered cells to 1.
    Draw,
    /// Inverts the bits of covered cells.
    Invert,
}

/// File format in which the sandbox circuit is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// Simplified circuit of the sandbox as JSON; [`LogicCommand::OpenCircuit`] reads it.
    Json,
    /// Simplified circuit of the sandbox as a Verilog module.
    Verilog,
    /// Animated GIF of a rollout of the sandbox circuit, with more steps than in training.
    Gif,
}
