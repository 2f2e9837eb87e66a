//! View of a logic-automaton experiment: selects the content of a frame.

use serde::{Deserialize, Serialize};

/// Content of a frame that a front end requests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "logic_ca")]
pub struct LogicView {
    /// Index of the displayed cell channel; `None`: the channels that are compared with the target (one channel as
    /// gray, three as red, green and blue).
    pub channel: Option<u32>,
    /// Column and row of the sandbox cell for which the frame contains the values of all circuit wires; `None`: no
    /// cell.
    pub cell: Option<[u32; 2]>,
    /// Whether the frame contains the sandbox circuit.
    pub circuit: bool,
}
