//! Cycles of pieces: the permutation of a state in cycle notation.

use super::pieces::{CORNERS, EDGES};
use super::turn::Face;
use std::fmt;

/// Cycle of corners or edges. Each piece moves to the position of the next piece, the last one to the position of the first.
///
/// A piece is named by its faces, and the first sticker of a name moves to the first sticker of the next name. After the
/// last piece, the corner is twisted or the edge is flipped: `Display` writes `(URF ULB DLF)+` for a clockwise twist by a
/// third of a turn, `-` for a counter-clockwise twist, and `(UF UR)+` for a flip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceCycle {
    pieces: Vec<Vec<Face>>,
    /// Slots by which the first piece is twisted after one round: 0 to 2 of a corner, 0 or 1 of an edge.
    twist: u8,
}

impl PieceCycle {
    /// Returns whether the pieces are corners; otherwise the pieces are edges.
    pub fn is_corners(&self) -> bool {
        self.pieces.iter().any(|piece| piece.len() == 3)
    }

    /// Returns the number of repetitions that return all pieces of the cycle: the length of the cycle, times the number of
    /// stickers of a piece if the pieces are twisted.
    pub fn order(&self) -> u32 {
        let stickers = if self.is_corners() { 3 } else { 2 };
        self.pieces.len() as u32 * if self.twist == 0 { 1 } else { stickers }
    }
}

impl fmt::Display for PieceCycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |piece: &Vec<Face>| piece.iter().map(Face::to_string).collect::<String>();
        let names: Vec<String> = self.pieces.iter().map(name).collect();
        write!(f, "({}){}", names.join(" "), ["", "+", "-"][usize::from(self.twist)])
    }
}

/// Returns the least common multiple of the orders of the cycles: 1 without cycles.
pub(super) fn order(cycles: &[PieceCycle]) -> u32 {
    cycles.iter().map(PieceCycle::order).fold(1, least_common_multiple)
}

/// Returns the cycles of the corners by the place of each corner. Corners that do not move are omitted.
pub(super) fn corner_cycles(places: &[u8; CORNERS.len()]) -> Vec<PieceCycle> {
    cycles(places, &CORNERS)
}

/// Returns the cycles of the edges by the place of each edge. Edges that do not move are omitted.
pub(super) fn edge_cycles(places: &[u8; EDGES.len()]) -> Vec<PieceCycle> {
    cycles(places, &EDGES)
}

fn cycles<const STICKERS: usize>(places: &[u8], names: &[[Face; STICKERS]]) -> Vec<PieceCycle> {
    let mut is_seen = vec![false; places.len()];
    let mut found = Vec::new();
    for first in 0..places.len() {
        // Position and slot to which the first sticker of the first piece has moved.
        let (mut at, mut slot, mut pieces) = (first, 0, Vec::new());
        while !is_seen[at] {
            is_seen[at] = true;
            pieces.push((0..STICKERS).map(|sticker| names[at][(slot + sticker) % STICKERS]).collect());
            let place = usize::from(places[at]);
            (at, slot) = (place / STICKERS, (slot + place) % STICKERS);
        }
        if pieces.len() > 1 || (!pieces.is_empty() && slot > 0) {
            found.push(PieceCycle { pieces, twist: slot as u8 });
        }
    }
    found
}

fn least_common_multiple(first: u32, second: u32) -> u32 {
    let (mut divisor, mut rest) = (first, second);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    first / divisor * second
}
