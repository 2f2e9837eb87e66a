//! Static description of a cube experiment.

use serde::Serialize;

/// Static description of a cube experiment: cube size, turns, beam widths, limits.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "cube")]
pub struct CubeInfo {
    /// Number of pieces along an edge of the cube: 2 or 3.
    pub size: u32,
    /// Moves among which the network chooses if the config has its default values, in the order of the network's
    /// outputs.
    pub turns: Vec<String>,
    /// All turns that the user can apply to the interactive cube.
    pub all_turns: Vec<String>,
    /// Label of the displayed move values, such as "Value".
    pub value_label: String,
    /// Unit of the network's outputs: "reward", or "nat" for log-probabilities, which are displayed as probabilities.
    pub value_unit: String,
    /// Explanation of the displayed move values, in one sentence.
    pub value_help: String,
    /// Maximum number of random turns of a scramble of the interactive cube.
    pub largest_scramble: u32,
    /// Maximum number of thumbnails (small pictures of cubes) in a frame.
    pub max_thumbnails: u32,
    /// Whether evaluations cover all states of the cube, and front ends can request a map of all states: true for 2×2×2
    /// only.
    pub exhaustive: bool,
    /// Number of cube states at each distance from the solved state, starting with distance 0; distances are in quarter
    /// turns. Empty for the 3×3×3 cube.
    pub states: Vec<u64>,
    /// Beam widths that the user can choose for a search; empty if the experiment has no beam search.
    pub beams: Vec<u32>,
    /// One sentence about God's number and the mean optimal solution length.
    pub literature: String,
}
