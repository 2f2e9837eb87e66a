//! Pieces of the cube, their places (position and orientation), and the effect of turns on places.
//!
//! A *place* encodes the position and the orientation of a piece as one number below 24: the slot in which the first
//! sticker of the piece lies. Corners: place 3c + k is slot k of corner position c. Edges: place 2e + k is slot k of
//! edge position e. Slot 0 of a position lies on U or D, or on F or B if the position touches neither; the other slots
//! of a corner follow clockwise. The letters of a position's name are in the order of its slots. A turn is a
//! permutation of the 24 places.

use super::turn::{Face, FaceTurn};
use Face::{B, D, F, L, R, U};

/// Faces of the stickers of each corner position. The last corner is fixed on the 2×2×2 cube.
pub const CORNERS: [[Face; 3]; 8] =
    [[U, R, F], [U, F, L], [U, L, B], [U, B, R], [D, F, R], [D, L, F], [D, R, B], [D, B, L]];

/// Faces of the stickers of each edge position.
pub const EDGES: [[Face; 2]; 12] =
    [[U, R], [U, F], [U, L], [U, B], [D, R], [D, F], [D, L], [D, B], [F, R], [F, L], [B, L], [B, R]];

/// Number of places of a corner (8 positions × 3 orientations), and of an edge (12 positions × 2 orientations).
pub const PLACES: usize = 24;

/// Index of each corner sticker among the 54 stickers of the cube, by place (3 · corner position + slot). The 54
/// stickers are nine each of U, R, F, D, L and B, row by row. Each face is viewed from outside with U on top (B on top
/// for U, F on top for D).
pub const CORNER_STICKERS: [u8; PLACES] =
    [8, 9, 20, 6, 18, 38, 0, 36, 47, 2, 45, 11, 29, 26, 15, 27, 44, 24, 35, 17, 51, 33, 53, 42];

/// Index of each edge sticker among the 54 stickers of the cube, by place (2 · edge position + slot).
pub const EDGE_STICKERS: [u8; PLACES] =
    [5, 10, 7, 19, 3, 37, 1, 46, 32, 16, 28, 25, 30, 43, 34, 52, 23, 12, 21, 41, 50, 39, 48, 14];

/// The four corner positions that a clockwise quarter turn of each face permutes: the corner at each position moves to
/// the next position, the corner at the last to the first.
const CORNER_CYCLES: [[u8; 4]; 6] =
    [[0, 1, 2, 3], [3, 6, 4, 0], [0, 4, 5, 1], [4, 6, 7, 5], [1, 5, 7, 2], [2, 7, 6, 3]];

/// The four edge positions that a clockwise quarter turn of each face permutes: the edge at each position moves to the
/// next position, the edge at the last to the first.
const EDGE_CYCLES: [[u8; 4]; 6] =
    [[0, 1, 2, 3], [0, 11, 4, 8], [1, 8, 5, 9], [5, 4, 7, 6], [2, 9, 6, 10], [3, 10, 7, 11]];

/// Move table `[turn][place]`: place (position and orientation) of a corner after the turn, by its place before the
/// turn.
pub static CORNER_TURNS: [[u8; PLACES]; FaceTurn::COUNT] = turns(3, &CORNER_CYCLES);

/// Move table `[turn][place]`: place (position and orientation) of an edge after the turn, by its place before the
/// turn.
pub static EDGE_TURNS: [[u8; PLACES]; FaceTurn::COUNT] = turns(2, &EDGE_CYCLES);

/// Builds the move table `[turn][place]` of pieces with `stickers` stickers each.
const fn turns(stickers: u8, cycles: &[[u8; 4]; 6]) -> [[u8; PLACES]; FaceTurn::COUNT] {
    let mut tables = [[0; PLACES]; FaceTurn::COUNT];
    let mut face = 0;
    while face < 6 {
        let quarter = quarter_turn(stickers, Face::ALL[face], &cycles[face]);
        let mut place = 0;
        while place < PLACES {
            let mut to = place;
            let mut quarters = 0;
            while quarters < 3 {
                to = quarter[to] as usize;
                tables[3 * face + quarters][place] = to as u8;
                quarters += 1;
            }
            place += 1;
        }
        face += 1;
    }
    tables
}

const fn quarter_turn(stickers: u8, face: Face, cycle: &[u8; 4]) -> [u8; PLACES] {
    let mut table = [0; PLACES];
    let mut place = 0;
    while place < PLACES {
        table[place] = place as u8;
        place += 1;
    }
    let mut step = 0;
    while step < 4 {
        let (from, to) = (cycle[step], cycle[(step + 1) % 4]);
        // Turns of U and D keep corner orientation; other turns alternate twists by two thirds and one third,
        // starting with a corner that moves from U to D. Turns of F and B flip edges.
        let twist = match (stickers, face) {
            (_, U | D) => 0,
            (3, _) => 2 - step as u8 % 2,
            (_, F | B) => 1,
            _ => 0,
        };
        let mut sticker = 0;
        while sticker < stickers {
            table[(stickers * from + sticker) as usize] = stickers * to + (sticker + twist) % stickers;
            sticker += 1;
        }
        step += 1;
    }
    table
}

/// Returns the indices `[place][sticker]` of the one-hot inputs that a piece sets to 1, for each place (position and
/// orientation) of the piece. `colors` holds the colors of the piece, `stickers` the sticker index of each place.
pub const fn one_hot<const N: usize>(colors: &[Face; N], stickers: &[u8; PLACES]) -> [[u16; N]; PLACES] {
    let mut table = [[0; N]; PLACES];
    let mut place = 0;
    while place < PLACES {
        let mut sticker = 0;
        while sticker < N {
            let at = stickers[place / N * N + (place + sticker) % N];
            table[place][sticker] = 6 * at as u16 + colors[sticker] as u16;
            sticker += 1;
        }
        place += 1;
    }
    table
}

/// Returns the name of a corner position, such as `URF`.
pub fn corner_name(corner: usize) -> String {
    CORNERS[corner].iter().map(Face::to_string).collect()
}

/// Returns the name of an edge position, such as `UR`.
pub fn edge_name(edge: usize) -> String {
    EDGES[edge].iter().map(Face::to_string).collect()
}
