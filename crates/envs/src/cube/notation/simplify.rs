//! Simplification of move sequences.

use super::layer_move::{CubeLayers, LayerMove};
use crate::cube::turn::FaceTurn;

/// Merges moves of the same layers that only moves about the same axis separate, and drops moves that cancel:
/// `R L R` becomes `R2 L`, and `R U U' R'` becomes empty.
pub(super) fn simplify_moves(moves: impl IntoIterator<Item = LayerMove>) -> Vec<LayerMove> {
    let mut simplified: Vec<LayerMove> = Vec::new();
    for next in moves {
        // Moves about one axis commute.
        let commuting = simplified.iter().rev().take_while(|earlier| earlier.axis() == next.axis());
        let same = commuting.enumerate().find(|(_, earlier)| earlier.layers() == next.layers());
        match same.map(|(back, _)| simplified.len() - 1 - back) {
            None => simplified.push(next),
            Some(at) => match LayerMove::new(next.layers(), simplified[at].quarters() + next.quarters()) {
                Some(sum) => simplified[at] = sum,
                None => drop(simplified.remove(at)),
            },
        }
    }
    simplified
}

/// Merges turns of the same face that only turns of the opposite face separate, and drops turns that cancel: `U U`
/// becomes `U2`, and `R L R'` becomes `L`.
pub fn simplify_turns(turns: &[FaceTurn]) -> Vec<FaceTurn> {
    let moves = simplify_moves(turns.iter().map(|&turn| LayerMove::from(turn)));
    let turn = |simple: LayerMove| match simple.layers() {
        CubeLayers::Face(face) => FaceTurn::new(face, simple.quarters()),
        _ => None,
    };
    moves.into_iter().filter_map(turn).collect()
}
