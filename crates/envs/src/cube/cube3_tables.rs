//! Rules of the 3×3×3 cube as look-up tables of 32-bit words, for GPU kernels.

use super::cube3::Cube3;
use super::cube3_symmetry::Symmetry;
use super::pieces::{CORNER_TURNS, CORNERS, EDGE_TURNS, PLACES};
use super::turn::TurnMetric;

/// Look-up tables of moves, symmetries and one-hot encodings of the 3×3×3 cube, for GPU kernels.
///
/// Pieces are ordered as in [`Cube3::words`]: corners first, then edges. The *place* of a piece is its position and
/// orientation as one number below 24. An *image* is the result of a symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cube3Tables {
    /// Move tables `[moves, 2, 24]`: place (position and orientation) of a piece after a move, by move, kind of piece
    /// (corner, edge) and place before the move.
    pub turns: Vec<u32>,
    /// `[symmetries, 20]`: for each piece of the image of a state under a symmetry, the piece of the original state
    /// that determines the place (position and orientation) of this piece.
    pub sources: Vec<u32>,
    /// `[symmetries, 20, 24]`: place (position and orientation) of each piece of the image of a state under a symmetry,
    /// by the place of its [source piece](Self::sources) in the original state.
    pub images: Vec<u32>,
    /// `[symmetries, moves]`: action index of the [image](Symmetry::turn) of each move under each symmetry.
    pub move_images: Vec<u32>,
    /// `[20, 24]`: indices of the one-hot inputs that a piece sets to 1, by piece and place (position and orientation),
    /// packed as three fields of ten bits, lowest first. The third field of an edge repeats the second.
    pub stickers: Vec<u32>,
}

impl Cube3Tables {
    /// Builds the tables for the moves of `metric`.
    pub fn new(metric: TurnMetric) -> Self {
        let moves = Cube3::turns(metric);
        let turns = moves.iter().flat_map(|turn| {
            let (corners, edges) = (&CORNER_TURNS[turn.index()], &EDGE_TURNS[turn.index()]);
            corners.iter().chain(edges).map(|&place| u32::from(place))
        });
        let symmetries =
            || Symmetry::all().flat_map(|symmetry| (0..Cube3::PIECES).map(move |piece| (symmetry, piece)));
        let images = symmetries()
            .flat_map(|(symmetry, piece)| (0..PLACES as u8).map(move |at| symmetry.piece(piece, at).1));
        let move_images = Symmetry::all()
            .flat_map(|symmetry| moves.iter().map(move |&turn| metric.action(symmetry.turn(turn)) as u32));
        Self {
            turns: turns.collect(),
            sources: symmetries().map(|(symmetry, piece)| symmetry.piece(piece, 0).0 as u32).collect(),
            images: images.map(u32::from).collect(),
            move_images: move_images.collect(),
            stickers: (0..Cube3::PIECES)
                .flat_map(|piece| (0..PLACES).map(move |at| ones(piece, at)))
                .collect(),
        }
    }
}

/// Returns the entry of [`Cube3Tables::stickers`] for the piece `piece` (0 to 19, corners first) at `place` (position
/// and orientation, 0 to 23).
fn ones(piece: usize, place: usize) -> u32 {
    let (corners, edges) = ([place as u8; CORNERS.len()], [place as u8; Cube3::PIECES - CORNERS.len()]);
    let indices = Cube3::from_places(corners, edges).indices();
    let ones = match piece.checked_sub(CORNERS.len()) {
        None => [0, 1, 2].map(|sticker| indices[3 * piece + sticker]),
        Some(edge) => [0, 1, 1].map(|sticker| indices[PLACES + 2 * edge + sticker]),
    };
    ones.iter().rev().fold(0, |packed, &one| packed << 10 | u32::from(one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Backtracking, CubeSize, RandomWalk};
    use vivarium_kernels::rng::Stream;

    /// Returns the place (position and orientation) of each piece of a cube, corners first.
    fn places(cube: &Cube3) -> Vec<usize> {
        cube.words().iter().flat_map(|word| word.to_be_bytes()).map(usize::from).collect()
    }

    #[test]
    fn tables_agree_with_the_rules() {
        let mut random = Stream::new(6, 0);
        for metric in [TurnMetric::Quarter, TurnMetric::Half] {
            let (tables, turns) = (Cube3Tables::new(metric), Cube3::turns(metric));
            let mut walk = RandomWalk::new(CubeSize::Three, metric, Backtracking::Never);
            let mut cube = Cube3::SOLVED;
            for _ in 0..50 {
                let (action, turn) = walk.next(&mut random);
                let before = places(&cube);
                cube = cube.turned(turn);
                let turned = |(piece, &place): (usize, &usize)| {
                    let kind = usize::from(piece >= CORNERS.len());
                    tables.turns[(2 * action + kind) * PLACES + place] as usize
                };
                assert_eq!(before.iter().enumerate().map(turned).collect::<Vec<_>>(), places(&cube));
                let now = places(&cube);
                for (at, symmetry) in Symmetry::all().enumerate() {
                    let look = |piece: usize| {
                        let row = Cube3::PIECES * at + piece;
                        tables.images[PLACES * row + now[tables.sources[row] as usize]] as usize
                    };
                    assert_eq!(
                        (0..Cube3::PIECES).map(look).collect::<Vec<_>>(),
                        places(&symmetry.cube(&cube))
                    );
                    for (number, &turn) in turns.iter().enumerate() {
                        assert_eq!(
                            turns[tables.move_images[at * turns.len() + number] as usize],
                            symmetry.turn(turn)
                        );
                    }
                }
                let mut row = [0.0; Cube3::INPUTS];
                for (piece, &place) in now.iter().enumerate() {
                    let packed = tables.stickers[PLACES * piece + place];
                    [0, 10, 20].iter().for_each(|shift| row[(packed >> shift) as usize % 1024] = 1.0);
                }
                (0..6).for_each(|face| row[6 * (9 * face + 4) + face] = 1.0);
                let mut expected = [0.0; Cube3::INPUTS];
                cube.encode(&mut expected);
                assert_eq!(row, expected);
            }
        }
    }

    #[test]
    fn words_have_the_order_of_states() {
        let mut random = Stream::new(7, 0);
        for _ in 0..100 {
            let [a, b] = [0, 1].map(|_| Cube3::random(&mut random));
            assert_eq!(a.cmp(&b), a.words().cmp(&b.words()));
        }
        assert_eq!(Cube3::SOLVED.words()[..3], [0x0003_0609, 0x0c0f_1215, 0x0002_0406]);
    }
}
