//! View request.

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

/// Heat maps of policy and value over two state dimensions. The other dimensions are those of the focused environment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MapRequest {
    /// State dimension of the horizontal axis.
    pub x: u32,
    /// State dimension of the vertical axis.
    pub y: u32,
    /// Cells per side.
    pub size: u32,
}
