//! Requested content of a frame.

use serde::{Deserialize, Serialize};

/// Requested content of a frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "control")]
pub struct ControlView {
    /// Number of environments of the preview.
    pub members: u32,
    /// Index of the focused environment.
    pub focus: u32,
    /// Heat maps; `None` for no maps.
    pub map: Option<MapRequest>,
}

/// Heat maps of policy and value over two state dimensions. All other dimensions have the values of the focused
/// environment's state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MapRequest {
    /// Index of the state dimension on the horizontal axis.
    pub x: u32,
    /// Index of the state dimension on the vertical axis.
    pub y: u32,
    /// Number of cells per side, at most 128.
    pub size: u32,
}
