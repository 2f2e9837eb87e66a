//! What a person may do.

use serde::{Deserialize, Serialize};

/// What a person may do on a logic automaton's stage.
///
/// Places on the stage are counted in cells from its upper left corner, columns first; a cell's middle lies half a cell further.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LogicCommand {
    /// Gives the stage another size. What is on it stays in the middle, as far as there is room.
    ResizeStage {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// How fast the stage goes; 0 holds it.
    StageSpeed {
        /// Steps per second of view time; `None`: as many as there is time for.
        steps_per_second: Option<f32>,
    },
    /// The share of the stage's cells that are updated in a step.
    StageFire {
        /// From 0 to 1; 1 updates all cells together.
        rate: f32,
    },
    /// Takes steps of the stage, whatever its speed.
    StepStage {
        /// How many.
        steps: u32,
    },
    /// Starts the stage anew.
    ResetStage {
        /// How it looks then.
        start: StageStart,
    },
    /// Sets all cells of the stage to zero.
    ClearStage,
    /// Draws a stroke on the stage: over all cells whose middle is no further from it than its radius, and over the one
    /// at each of its ends.
    Brush {
        /// Where the stroke begins.
        from: [f32; 2],
        /// Where it ends.
        to: [f32; 2],
        /// In cells.
        radius: f32,
        /// What becomes of the cells.
        paint: Paint,
        /// The channel that is painted; `None`: all of them, and those that the target has where it is to draw.
        channel: Option<u32>,
    },
    /// Puts one of the known patterns of Life on the stage, with its middle at a cell.
    Place {
        /// Its name.
        pattern: String,
        /// Column of the cell.
        x: u32,
        /// Row of the cell.
        y: u32,
    },
    /// Learns another pattern from now on. The gates stay as they are.
    SetTarget {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// 1, or 3 for red, green and blue.
        channels: u32,
        /// 0 or 1 for every channel, row and column, in this order, columns last.
        cells: Vec<u8>,
    },
    /// Runs the circuit of a JSON file on the stage instead of the one that is learned.
    OpenCircuit {
        /// The text of the file.
        json: String,
    },
    /// Runs the circuit that is learned on the stage again.
    UseLearnedCircuit,
    /// Makes a file of what there is.
    Export {
        /// Which.
        format: ExportFormat,
    },
}

/// How a stage looks when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StageStart {
    /// As the boards that are learned from.
    AsTrained,
    /// Every bit is drawn at random.
    Noise,
    /// Nothing but zeros.
    Zeros,
    /// All zero but the cell in the middle, which is 1 in all channels.
    Seed,
}

/// What a brush does to cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Paint {
    /// Sets them to 0.
    Erase,
    /// Sets every bit at random.
    Noise,
    /// Sets them to 1.
    Draw,
    /// Turns 0 into 1 and 1 into 0.
    Invert,
}

/// A file that a logic CA can be made into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// The stage's circuit, simplified, as JSON; [`LogicCommand::OpenCircuit`] reads it.
    Json,
    /// The same as a Verilog module.
    Verilog,
    /// A moving picture of the hard circuit from the start to some steps beyond those that it learns for.
    Gif,
}
