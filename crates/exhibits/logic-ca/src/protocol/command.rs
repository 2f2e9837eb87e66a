//! Commands of front ends to a logic-automaton experiment.

use serde::{Deserialize, Serialize};

/// Commands to a logic-automaton experiment: sandbox, training target, circuit files.
///
/// Sandbox coordinates are (column, row) in cells from the upper left corner; the center of cell (0, 0) is (0.5, 0.5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LogicCommand {
    /// Changes the size of the sandbox board and keeps its content centered.
    ResizeSandbox {
        /// Number of columns of the sandbox board.
        width: u32,
        /// Number of rows of the sandbox board.
        height: u32,
    },
    /// Sets the speed of the sandbox in automaton steps per second. Speed 0 pauses the sandbox.
    SetSandboxSpeed {
        /// Automaton steps per second of display time; `None` for maximum speed.
        steps_per_second: Option<f32>,
    },
    /// Sets the fire rate of the sandbox: the probability that a cell is updated in an automaton step.
    SetSandboxFireRate {
        /// Fire rate, 0 to 1. With fire rate 1 every cell is updated in every step.
        rate: f32,
    },
    /// Requests automaton steps of the sandbox in addition to the steps that are due by its speed.
    StepSandbox {
        /// Number of automaton steps to run, 1 to 10,000.
        steps: u32,
    },
    /// Resets the sandbox to an initial state.
    ResetSandbox {
        /// Initial state to set.
        start: SandboxStart,
    },
    /// Sets all cells of the sandbox to 0.
    ClearSandbox,
    /// Applies a brush stroke to the sandbox: to all cells whose center is at most `radius` away from the line segment
    /// `from` to `to`, and to the cells at both ends.
    Brush {
        /// Start of the brush stroke, (column, row) in cells.
        from: [f32; 2],
        /// End of the brush stroke, (column, row) in cells.
        to: [f32; 2],
        /// Radius of the brush in cells.
        radius: f32,
        /// Effect of the brush on the bits of the cells that it covers.
        paint: Paint,
        /// Channel that the brush affects; `None` for all channels, or for the target channels (which are compared with
        /// the target) if the paint is `Draw` or `Invert`.
        channel: Option<u32>,
    },
    /// Places a Game of Life pattern in the sandbox, centered at a cell.
    Place {
        /// Name of the Game of Life pattern to place, as in [`PatternInfo::name`](super::PatternInfo::name).
        pattern: String,
        /// Column of the cell at the pattern's center.
        x: u32,
        /// Row of the cell at the pattern's center.
        y: u32,
    },
    /// Replaces the training target by a pattern that the user has drawn. The trained gates are kept; the schedules of
    /// learning rate and hardening (discretization of gates) restart.
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
    /// Opens a circuit file and runs its circuit in the sandbox instead of the trained circuit.
    OpenCircuit {
        /// Content of the circuit's JSON file, as exported.
        json: String,
    },
    /// Runs the trained circuit in the sandbox instead of the circuit from a file.
    UseTrainedCircuit,
    /// Exports the circuit that runs in the sandbox. The reply contains the exported file.
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
    /// Initial state of the training boards.
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
    /// Simplified circuit as JSON, which [`LogicCommand::OpenCircuit`] reads.
    Json,
    /// Simplified circuit as a Verilog module.
    Verilog,
    /// Animated GIF of a rollout of the sandbox circuit, with more automaton steps than in training.
    Gif,
}
