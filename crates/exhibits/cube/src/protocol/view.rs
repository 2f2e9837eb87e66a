//! View of a cube experiment: the parts of a frame that a front end requests.

use super::{CubeExhaustiveEvaluation, CubeRun, CubeTable};
use serde::{Deserialize, Serialize};

/// View of a cube experiment: the parts of a frame that a front end requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "cube")]
pub struct CubeView {
    /// Whether to send the JSON documents `cube`, `exhaustive` and `run`. A document is sent if it changed since it was
    /// last sent, or if the last frame did not request documents.
    pub documents: bool,
    /// Whether to send the map of all states (2×2×2 only).
    pub map: bool,
    /// Number of thumbnails (small pictures of cubes) to send, at most
    /// [`CubeInfo::max_thumbnails`](super::CubeInfo::max_thumbnails).
    pub thumbnails: u32,
}

/// JSON documents of a frame. Documents that have not changed since they were last sent are omitted.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename = "cube")]
pub struct CubeDocuments {
    /// State of the interactive cube, its history and its solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cube: Option<CubeTable>,
    /// Exhaustive evaluation of the 2×2×2 cube; `null` before the first evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhaustive: Option<Option<CubeExhaustiveEvaluation>>,
    /// Training progress in addition to the metrics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<CubeRun>,
}
