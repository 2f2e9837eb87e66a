//! What is to be drawn of a cube.

use serde::{Deserialize, Serialize};

/// What is to be drawn of a cube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CubeView {
    /// Whether the documents `cube`, `exam` and `run` are wanted. They come where they have changed since the last frame
    /// that brought them, or the last frame did not ask for them.
    pub documents: bool,
    /// Whether the map of all states is wanted; the cube of 3×3×3 has none.
    pub map: bool,
    /// How many cubes of the wall, at most [`CubeInfo::largest_wall`](crate::info::CubeInfo::largest_wall).
    pub wall: u32,
}
