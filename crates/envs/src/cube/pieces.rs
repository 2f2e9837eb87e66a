//! Where pieces are, and where turns move them.
//!
//! The stickers of corners lie on 24 *places*, those of edges on 24 others: place 3c + k is sticker k of corner c, 2e + k
//! is sticker k of edge e, in the order in which the position's name has them. The first is up or down where there is
//! such a one, at front or back otherwise; the others of a corner follow clockwise. A piece is where its first sticker
//! is, which says both its position and how it is twisted, and a turn is a table of 24 places.

use super::turn::{Face, Turn};
use Face::{B, D, F, L, R, U};

/// Corners of the cube, by the faces of their stickers. The last one stays where it is on the cube of 2×2×2.
pub const CORNERS: [[Face; 3]; 8] =
    [[U, R, F], [U, F, L], [U, L, B], [U, B, R], [D, F, R], [D, L, F], [D, R, B], [D, B, L]];

/// Edges of the cube, by the faces of their stickers.
pub const EDGES: [[Face; 2]; 12] =
    [[U, R], [U, F], [U, L], [U, B], [D, R], [D, F], [D, L], [D, B], [F, R], [F, L], [B, L], [B, R]];

/// Stickers of corners, and as many of edges.
pub const PLACES: usize = 24;

/// For each sticker of a corner, its number among the 54 of the cube: nine of U, R, F, D, L and B each, row by row, a face
/// seen from outside with U (for U: B; for D: F) on top.
pub const CORNER_STICKERS: [u8; PLACES] =
    [8, 9, 20, 6, 18, 38, 0, 36, 47, 2, 45, 11, 29, 26, 15, 27, 44, 24, 35, 17, 51, 33, 53, 42];

/// The same for edges.
pub const EDGE_STICKERS: [u8; PLACES] =
    [5, 10, 7, 19, 3, 37, 1, 46, 32, 16, 28, 25, 30, 43, 34, 52, 23, 12, 21, 41, 50, 39, 48, 14];

/// Which corners a quarter turn of each face moves: from each of the four to the next, from the last to the first.
const CORNER_CYCLES: [[u8; 4]; 6] =
    [[0, 1, 2, 3], [3, 6, 4, 0], [0, 4, 5, 1], [4, 6, 7, 5], [1, 5, 7, 2], [2, 7, 6, 3]];

/// Which edges.
const EDGE_CYCLES: [[u8; 4]; 6] =
    [[0, 1, 2, 3], [0, 11, 4, 8], [1, 8, 5, 9], [5, 4, 7, 6], [2, 9, 6, 10], [3, 10, 7, 11]];

/// Where each turn moves a corner that is at a place.
pub static CORNER_TURNS: [[u8; PLACES]; Turn::COUNT] = turns(3, &CORNER_CYCLES);

/// Where each turn moves an edge that is at a place.
pub static EDGE_TURNS: [[u8; PLACES]; Turn::COUNT] = turns(2, &EDGE_CYCLES);

/// The tables of pieces with so many stickers.
const fn turns(stickers: u8, cycles: &[[u8; 4]; 6]) -> [[u8; PLACES]; Turn::COUNT] {
    let mut tables = [[0; PLACES]; Turn::COUNT];
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
        // A corner changes between up, down and sideways in steps of a third: the cycles begin with one that goes from up
        // to down. An edge that stays on the front or back does not keep its first sticker first.
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

/// Where the stickers of a piece of these colors make an encoded state 1, for each place that it may be at.
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

/// The name of a corner's position, such as `URF`.
pub fn corner_name(corner: usize) -> String {
    CORNERS[corner].iter().map(Face::to_string).collect()
}

/// The name of an edge's position, such as `UR`.
pub fn edge_name(edge: usize) -> String {
    EDGES[edge].iter().map(Face::to_string).collect()
}
