//! The rules of the cube of 3×3×3 as tables of words, for a device that knows them by look-ups alone.

use super::pieces::{CORNER_TURNS, CORNERS, EDGE_TURNS, PLACES};
use super::three::Cube3;
use super::turn::Metric;
use super::views::View;

/// What moves and views do to each piece: corners first, then edges, as in [`Cube3::words`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// `[moves, 2, 24]`: where each move takes a corner that is at a place, then an edge.
    pub turns: Vec<u32>,
    /// `[views, 20]`: the piece that each view sees as a piece.
    pub sources: Vec<u32>,
    /// `[views, 20, 24]`: where a view sees a piece, for each place at which its source may be.
    pub looks: Vec<u32>,
    /// `[views, moves]`: the number of the move that each move is [seen as](View::turn).
    pub seen: Vec<u32>,
    /// `[20, 24]`: where a piece at a place makes an encoded state 1, three times ten bits, the first lowest. An edge's last is
    /// its second once more.
    pub stickers: Vec<u32>,
}

impl Tables {
    /// Those of the moves of a metric.
    pub fn new(metric: Metric) -> Self {
        let moves = Cube3::turns(metric);
        let turns = moves.iter().flat_map(|turn| {
            let (corners, edges) = (&CORNER_TURNS[turn.index()], &EDGE_TURNS[turn.index()]);
            corners.iter().chain(edges).map(|&place| u32::from(place))
        });
        let views = || View::all().flat_map(|view| (0..Cube3::PIECES).map(move |piece| (view, piece)));
        let looks =
            views().flat_map(|(view, piece)| (0..PLACES as u8).map(move |at| view.piece(piece, at).1));
        let seen =
            View::all().flat_map(|view| moves.iter().map(move |&turn| metric.action(view.turn(turn)) as u32));
        Self {
            turns: turns.collect(),
            sources: views().map(|(view, piece)| view.piece(piece, 0).0 as u32).collect(),
            looks: looks.map(u32::from).collect(),
            seen: seen.collect(),
            stickers: (0..Cube3::PIECES)
                .flat_map(|piece| (0..PLACES).map(move |at| ones(piece, at)))
                .collect(),
        }
    }
}

/// Where a piece at a place makes an encoded state 1.
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
    use crate::cube::{Size, Undo, Walk};
    use vivarium_kernels::rng::Stream;

    /// The places of a cube's pieces.
    fn places(cube: &Cube3) -> Vec<usize> {
        cube.words().iter().flat_map(|word| word.to_be_bytes()).map(usize::from).collect()
    }

    #[test]
    fn by_look_ups_cubes_turn_are_seen_and_are_encoded_as_by_the_rules() {
        let mut random = Stream::new(6, 0);
        for metric in [Metric::Quarter, Metric::Half] {
            let (tables, turns) = (Tables::new(metric), Cube3::turns(metric));
            let mut walk = Walk::new(Size::Three, metric, Undo::Never);
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
                for (at, view) in View::all().enumerate() {
                    let look = |piece: usize| {
                        let row = Cube3::PIECES * at + piece;
                        tables.looks[PLACES * row + now[tables.sources[row] as usize]] as usize
                    };
                    assert_eq!((0..Cube3::PIECES).map(look).collect::<Vec<_>>(), places(&view.cube(&cube)));
                    for (number, &turn) in turns.iter().enumerate() {
                        assert_eq!(turns[tables.seen[at * turns.len() + number] as usize], view.turn(turn));
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
    fn words_are_in_the_order_of_states() {
        let mut random = Stream::new(7, 0);
        for _ in 0..100 {
            let [a, b] = [0, 1].map(|_| Cube3::random(&mut random));
            assert_eq!(a.cmp(&b), a.words().cmp(&b.words()));
        }
        assert_eq!(Cube3::SOLVED.words()[..3], [0x0003_0609, 0x0c0f_1215, 0x0002_0406]);
    }
}
