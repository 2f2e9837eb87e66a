//! What is to be drawn.

use serde::{Deserialize, Serialize};

/// What is to be drawn of a control experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "control")]
pub struct ControlView {
    /// How many environments.
    pub members: u32,
    /// Which of them is in focus.
    pub focus: u32,
    /// The two state dimensions of the heat maps, and their resolution; `None` for no map.
    pub map: Option<MapRequest>,
}

/// Heat maps of policy and value over two state dimensions, the others as in the focused member.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MapRequest {
    /// State dimension along the horizontal axis.
    pub x: u32,
    /// State dimension along the vertical axis.
    pub y: u32,
    /// Cells a side.
    pub size: u32,
}
