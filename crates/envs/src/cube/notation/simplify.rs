//! Simplification of move sequences.

use super::layer_move::{CubeAxis, CubeLayers, LayerMove};
use super::move_metric::MoveMetric;
use crate::cube::turn::{CubeSize, FaceTurn};

/// Replaces each run of moves about the same axis, which commute, by the fewest moves with the same effect: `R L R`
/// becomes `R2 L`, `Rw M` becomes `R`, and `R U U' R'` becomes empty. A run that has no shorter equivalent keeps its
/// moves.
pub(super) fn simplify_moves(moves: impl IntoIterator<Item = LayerMove>, size: CubeSize) -> Vec<LayerMove> {
    simplify_runs(moves, |run| {
        let shorter = (0..run.len()).find_map(|length| shortest(&run, length, size));
        shorter.unwrap_or(run)
    })
}

/// Merges turns of the same face that only turns of the opposite face separate, and drops turns that cancel: `U U`
/// becomes `U2`, and `R L R'` becomes `L`.
pub fn simplify_turns(turns: &[FaceTurn]) -> Vec<FaceTurn> {
    let moves = simplify_runs(turns.iter().map(|&turn| LayerMove::from(turn)), |run| run);
    let turn = |simple: LayerMove| match simple.layers() {
        CubeLayers::Face(face) => FaceTurn::new(face, simple.quarters()),
        _ => None,
    };
    moves.into_iter().filter_map(turn).collect()
}

/// Merges moves of the same layers in each run of moves about the same axis. `reduce` then returns an equivalent run.
fn simplify_runs(
    moves: impl IntoIterator<Item = LayerMove>,
    reduce: impl Fn(Vec<LayerMove>) -> Vec<LayerMove>,
) -> Vec<LayerMove> {
    let mut simplified: Vec<LayerMove> = Vec::new();
    for next in moves {
        let other_axis = simplified.iter().rposition(|earlier| earlier.axis() != next.axis());
        let mut run = simplified.split_off(other_axis.map_or(0, |at| at + 1));
        match run.iter().position(|earlier| earlier.layers() == next.layers()) {
            None => run.push(next),
            Some(at) => match LayerMove::new(next.layers(), run[at].quarters() + next.quarters()) {
                Some(sum) => run[at] = sum,
                None => drop(run.remove(at)),
            },
        }
        simplified.extend(reduce(run));
    }
    simplified
}

/// Returns a sequence of `length` moves with the effect of `run`, whose moves have the same axis; `None` if there is
/// none. The metrics in the order of [`MoveMetric::ALL`] decide between several sequences.
fn shortest(run: &[LayerMove], length: usize, size: CubeSize) -> Option<Vec<LayerMove>> {
    let axis = run.first()?.axis();
    let moves = layers_about(axis, size)
        .into_iter()
        .flat_map(|layers| (1..4).filter_map(move |quarters| LayerMove::new(layers, quarters)));
    let moves: Vec<_> = moves.collect();
    sequences(&moves, length)
        .into_iter()
        .filter(|sequence| layer_quarters(sequence, size) == layer_quarters(run, size))
        .min_by_key(|sequence| MoveMetric::ALL.map(|metric| metric.length(sequence)))
}

/// Returns all sequences of `length` of the moves, in their order and without repetition.
fn sequences(moves: &[LayerMove], length: usize) -> Vec<Vec<LayerMove>> {
    if length == 0 {
        return vec![Vec::new()];
    }
    let starting_at = |first: usize| {
        sequences(&moves[first + 1..], length - 1)
            .into_iter()
            .map(move |others| [vec![moves[first]], others].concat())
    };
    (0..moves.len()).flat_map(starting_at).collect()
}

/// Returns the layers that can move about an axis.
fn layers_about(axis: CubeAxis, size: CubeSize) -> Vec<CubeLayers> {
    let faces = [axis.face(), axis.face().opposite()];
    let mut layers = faces.map(CubeLayers::Face).to_vec();
    if size == CubeSize::Three {
        layers.extend(faces.map(CubeLayers::Wide));
        layers.push(CubeLayers::Slice(axis));
    }
    layers.push(CubeLayers::Whole(axis));
    layers
}

/// Returns the sum of the quarter turns of each layer, modulo 4; 0 for the middle layer, which the 2×2×2 cube does not have.
fn layer_quarters(moves: &[LayerMove], size: CubeSize) -> [u8; 3] {
    let mut sum = [0; 3];
    for layers in moves {
        for (sum, quarters) in sum.iter_mut().zip(layers.layer_quarters()) {
            *sum = (*sum + quarters) % 4;
        }
    }
    if size == CubeSize::Two {
        sum[1] = 0;
    }
    sum
}
