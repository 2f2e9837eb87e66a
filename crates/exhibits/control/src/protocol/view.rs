//! View of a control experiment: the requested content of a frame.

use serde::{Deserialize, Serialize};

/// Requested content of a frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "control")]
pub struct ControlView {
    /// Number of environments of the preview.
    pub members: u32,
    /// Index of the preview environment whose state the heat maps use for the dimensions that are not on an axis.
    pub focus: u32,
    /// Requested heat maps; `None` for no maps.
    pub map: Option<MapRequest>,
}

/// Request for heat maps of policy and value over two state dimensions. All other dimensions have the values of the
/// state of environment [`ControlView::focus`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MapRequest {
    /// Index of the state dimension on the horizontal axis.
    pub x: u32,
    /// Index of the state dimension on the vertical axis.
    pub y: u32,
    /// Number of cells per side, at most 128.
    pub size: u32,
    /// Whether to send the probability of every discrete action as well; see the frame array `map/actions`.
    #[serde(default)]
    pub actions: bool,
}
