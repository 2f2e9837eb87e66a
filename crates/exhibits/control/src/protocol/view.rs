//! View of a control experiment: the requested contents of a frame.

use serde::{Deserialize, Serialize};

/// Requested contents of a frame: displayed environments and heat maps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "control")]
pub struct ControlView {
    /// Number of displayed environments (the preview).
    pub members: u32,
    /// Index of the displayed environment whose state supplies the values of the state dimensions that are not on an
    /// axis of the heat maps.
    pub focus: u32,
    /// Requested heat maps of policy and value; `None` for no maps.
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
    /// Number of cells per side of the heat maps, at most 128.
    pub size: u32,
    /// Whether to send the probability of every discrete action as well; see the frame array `map/actions`.
    #[serde(default)]
    pub actions: bool,
}
