//! Static description of a cube experiment.

use serde::Serialize;

/// Static description of a cube experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "cube")]
pub struct CubeInfo {
    /// Number of pieces along an edge: 2 or 3.
    pub size: u32,
    /// Moves of the network with the default config, in the order of its outputs.
    pub turns: Vec<String>,
    /// All turns that can be applied interactively.
    pub all_turns: Vec<String>,
    /// Label of the network's outputs, such as "Value".
    pub value_label: String,
    /// Unit of the outputs, such as "reward".
    pub value_unit: String,
    /// Help of the outputs: one sentence.
    pub value_help: String,
    /// Maximum length of an interactive scramble.
    pub largest_scramble: u32,
    /// Maximum number of cubes of the wall.
    pub largest_wall: u32,
    /// Whether evaluations are exhaustive and a map of all states exists.
    pub exhaustive: bool,
    /// Number of states at each distance from the solved state in quarter turns; empty if the numbers are not computed.
    pub states: Vec<u64>,
    /// Beam widths to choose from; empty if there is no beam search.
    pub beams: Vec<u32>,
    /// One sentence about God's number and the mean optimal solution length.
    pub literature: String,
}
