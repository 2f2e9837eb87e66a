//! View of a logic-automaton experiment: the requested contents of a frame.

use serde::{Deserialize, Serialize};

/// Contents of a frame that a front end requests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "logic_ca")]
pub struct LogicView {
    /// Index of the displayed cell channel; `None` for the target channels (one as gray, three as red, green and blue).
    pub channel: Option<u32>,
    /// Column and row of the sandbox cell whose circuit signals are requested.
    pub cell: Option<[u32; 2]>,
    /// Whether the gates of the sandbox circuit are requested.
    pub circuit: bool,
}
