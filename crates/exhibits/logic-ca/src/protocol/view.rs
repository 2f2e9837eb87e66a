//! What is to be drawn.

use serde::{Deserialize, Serialize};

/// What is to be drawn of a logic CA.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "logic_ca")]
pub struct LogicView {
    /// The channel of the cells' states that is shown; `None`: those that the target has, one as grey or three as
    /// red, green and blue.
    pub channel: Option<u32>,
    /// Column and row of the cell of the stage whose signals in the circuit are wanted.
    pub cell: Option<[u32; 2]>,
    /// Whether the circuit is wanted.
    pub circuit: bool,
}
