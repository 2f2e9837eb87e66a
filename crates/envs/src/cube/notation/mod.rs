//! Move notation of the cube community: [WCA Regulations, article 12](https://www.worldcubeassociation.org/regulations/),
//! with the lower-case wide turns of [SiGN](https://mzrg.com/rubik/nota.shtml) and the brackets of commutators.

mod algorithm;
mod effect;
mod error;
mod layer_move;
mod move_metric;
mod orientation;
mod parser;
mod simplify;
mod stage;

use super::turn::{CubeSize, FaceTurn};
pub use algorithm::{CubeAlgorithm, FramedTurns};
pub use effect::AlgorithmEffect;
pub use error::CubeNotationError;
pub use layer_move::{CubeAxis, CubeLayers, LayerMove};
pub use move_metric::MoveMetric;
pub use orientation::CubeOrientation;
pub use simplify::simplify_turns;
pub use stage::AlgorithmStage;

/// Parses a [`CubeAlgorithm`] and returns its face turns, as [`CubeAlgorithm::framed_turns`] does. The orientation of the
/// whole cube after the algorithm is dropped, because states have no orientation.
///
/// # Errors
/// [`CubeNotationError`] with the position of the first error in the text.
pub fn parse_turns(text: &str, size: CubeSize) -> Result<Vec<FaceTurn>, CubeNotationError> {
    Ok(CubeAlgorithm::parse(text, size)?.framed_turns().turns)
}

/// Formats a sequence of turns, separated by blanks.
pub fn format_turns(turns: &[FaceTurn]) -> String {
    turns.iter().map(FaceTurn::to_string).collect::<Vec<_>>().join(" ")
}
