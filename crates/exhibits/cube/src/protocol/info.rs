//! What there is to know about a cube before a network learns to solve it.

use serde::Serialize;

/// What a cube's exhibit has to offer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "cube")]
pub struct CubeInfo {
    /// Pieces along an edge: 2 or 3.
    pub size: u32,
    /// The moves of the network with the default config, in the order of its values.
    pub turns: Vec<String>,
    /// All turns that a person may make.
    pub all_turns: Vec<String>,
    /// How a network's values are called, such as "Value".
    pub value_label: String,
    /// What they are in, such as "reward".
    pub value_unit: String,
    /// One sentence that says what they show.
    pub value_help: String,
    /// The most random turns of a scramble that was asked for.
    pub largest_scramble: u32,
    /// The most cubes of the wall.
    pub largest_wall: u32,
    /// Whether evaluations are exhaustive, of all states, and there is a map of them.
    pub exhaustive: bool,
    /// How many states there are at each distance from the solved one, in quarter turns; empty where nobody counts them.
    pub states: Vec<u64>,
    /// Widths of a beam search to choose from; empty where there is none.
    pub beams: Vec<u32>,
    /// A sentence about what is known of the fewest moves.
    pub literature: String,
}
