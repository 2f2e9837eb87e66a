//! What is to be drawn of a cube.

use super::{CubeExhaustiveEvaluation, CubeRun, CubeTable};
use serde::{Deserialize, Serialize};

/// What is to be drawn of a cube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "cube")]
pub struct CubeView {
    /// Whether the documents `cube`, `exhaustive` and `run` are wanted. They come where they have changed since the last frame
    /// that brought them, or the last frame did not ask for them.
    pub documents: bool,
    /// Whether the map of all states is wanted; the cube of 3×3×3 has none.
    pub map: bool,
    /// How many cubes of the wall, at most [`CubeInfo::largest_wall`](crate::info::CubeInfo::largest_wall).
    pub wall: u32,
}

/// What has changed since the last frame that brought it; a field that has not is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename = "cube")]
pub struct CubeDocuments {
    /// The cube on the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cube: Option<CubeTable>,
    /// The evaluation of the 2×2×2 cube; `null` before the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhaustive: Option<Option<CubeExhaustiveEvaluation>>,
    /// How training goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<CubeRun>,
}
