//! The 48 symmetries of the 3×3×3 cube: 24 rotations, each with and without a reflection.
//!
//! A symmetry maps states, turns and solutions: the image of a solution solves the image of the state. A network that
//! is evaluated only on one representative of each symmetry class has up to 48 times fewer states to learn. Cube
//! solvers commonly use this reduction, see [Kociemba](https://kociemba.org/math/symmetric.htm).

use super::cube3::Cube3;
use super::pieces::{CORNERS, EDGES, PLACES};
use super::turn::{Face, FaceTurn};

/// Rotation or reflection of the whole cube. The default is the identity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Number of symmetries of the 3×3×3 cube.
    pub const COUNT: usize = 48;

    /// Returns an iterator over all symmetries; the first is the identity.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Returns the image of a turn under the symmetry.
    #[inline]
    #[must_use]
    pub fn turn(self, turn: FaceTurn) -> FaceTurn {
        TURNS[usize::from(self.0)][turn.index()]
    }

    /// Returns the image of a state under the symmetry.
    #[inline]
    #[must_use]
    pub fn cube(self, cube: &Cube3) -> Cube3 {
        let (corners, edges) = cube.places();
        Cube3::from_places(
            std::array::from_fn(|piece| CORNER_MAPS[usize::from(self.0)].place(corners, piece)),
            std::array::from_fn(|piece| EDGE_MAPS[usize::from(self.0)].place(edges, piece)),
        )
    }

    /// Traces `piece` of the image of a state under this symmetry back to the original state. Returns the source piece,
    /// and the place of `piece` in the image if the source piece is at `place` in the original state. Pieces are
    /// numbered 0 to 19, corners first. A place is a position and orientation, 0 to 23.
    pub(super) fn piece(self, piece: usize, place: u8) -> (usize, u8) {
        let symmetry = usize::from(self.0);
        match piece.checked_sub(CORNERS.len()) {
            None => {
                let map = &CORNER_MAPS[symmetry];
                (usize::from(map.from[piece] / 3), map.place(&[place; CORNERS.len()], piece))
            }
            Some(edge) => {
                let map = &EDGE_MAPS[symmetry];
                let source = CORNERS.len() + usize::from(map.from[edge] / 2);
                (source, map.place(&[place; EDGES.len()], edge))
            }
        }
    }

    /// Returns the representative of the symmetry class of `cube`, and the symmetry that maps `cube` to this
    /// representative. The representative is the smallest of the 48 images in the order of [`Cube3`].
    #[must_use]
    pub fn representative(cube: &Cube3) -> (Cube3, Self) {
        let (corners, edges) = cube.places();
        let mut symmetries: [u8; Self::COUNT] = std::array::from_fn(|symmetry| symmetry as u8);
        let mut candidates = symmetries.len();
        let mut piece = 0;
        // Compares the images piece by piece. The first few corners nearly always leave one candidate.
        while candidates > 1 && piece < CORNERS.len() {
            let map = |symmetry: u8| CORNER_MAPS[usize::from(symmetry)].place(corners, piece);
            candidates = keep_lowest(&mut symmetries[..candidates], map);
            piece += 1;
        }
        let mut piece = 0;
        while candidates > 1 && piece < EDGES.len() {
            let map = |symmetry: u8| EDGE_MAPS[usize::from(symmetry)].place(edges, piece);
            candidates = keep_lowest(&mut symmetries[..candidates], map);
            piece += 1;
        }
        let symmetry = Self(symmetries[0]);
        (symmetry.cube(cube), symmetry)
    }
}

/// Moves the symmetries with the lowest value of `number` to the front of the list, in stable order. Returns how many
/// symmetries have this value.
#[inline]
fn keep_lowest(symmetries: &mut [u8], number: impl Fn(u8) -> u8) -> usize {
    let (mut lowest, mut kept) = (u8::MAX, 0);
    for at in 0..symmetries.len() {
        let (symmetry, found) = (symmetries[at], number(symmetries[at]));
        if found < lowest {
            (lowest, kept) = (found, 0);
        }
        if found == lowest {
            symmetries[kept] = symmetry;
            kept += 1;
        }
    }
    kept
}

/// Effect of a symmetry on one kind of piece (corners or edges), with `PIECES` positions and `24 / PIECES` stickers
/// each.
#[derive(Clone, Copy)]
struct PieceMap<const PIECES: usize> {
    /// Image under the symmetry of each place (position and orientation of a piece).
    places: [u8; PLACES],
    /// For each piece, the place (position and orientation) whose image under the symmetry is the place of the piece in
    /// the solved cube.
    from: [u8; PIECES],
}

impl<const PIECES: usize> PieceMap<PIECES> {
    /// Returns the place (position and orientation) of `piece` in the image of a state. `now` holds the place of each
    /// piece in the original state.
    ///
    /// The image is the conjugate of the state by the symmetry.
    #[inline(always)]
    fn place(&self, now: &[u8; PIECES], piece: usize) -> u8 {
        let stickers = (PLACES / PIECES) as u8;
        let home = self.from[piece];
        let (piece, sticker) = (home / stickers, home % stickers);
        let first = now[usize::from(piece)];
        let mut twisted = first % stickers + sticker;
        if twisted >= stickers {
            twisted -= stickers;
        }
        self.places[usize::from(first - first % stickers + twisted)]
    }
}

/// Images of the faces U, R, F, D, L and B under each symmetry. A symmetry permutes the three axes and reverses some.
const FACES: [[Face; 6]; Symmetry::COUNT] = {
    const AXES: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];
    let mut all = [Face::ALL; Symmetry::COUNT];
    let mut symmetry = 0;
    while symmetry < all.len() {
        let mut face = 0;
        while face < 6 {
            let (axis, is_back) = (face % 3, face / 3);
            let is_reversed = ((symmetry / 6) >> axis) & 1;
            all[symmetry][face] = Face::ALL[AXES[symmetry % 6][axis] + 3 * (is_back ^ is_reversed)];
            face += 1;
        }
        symmetry += 1;
    }
    all
};

/// Returns whether a symmetry reverses orientation: an odd permutation of the axes, or an odd number of reversed
/// axes, but not both.
const fn is_mirror(symmetry: usize) -> bool {
    (symmetry % 6 >= 3) != ((symmetry / 6).count_ones() % 2 == 1)
}

static TURNS: [[FaceTurn; FaceTurn::COUNT]; Symmetry::COUNT] = {
    let mut all = [[FaceTurn::FIRST; FaceTurn::COUNT]; Symmetry::COUNT];
    let mut symmetry = 0;
    while symmetry < all.len() {
        let mut index = 0;
        while index < FaceTurn::COUNT {
            let (face, quarters) = (FACES[symmetry][index / 3], (index % 3 + 1) as u8);
            let quarters = if is_mirror(symmetry) { 4 - quarters } else { quarters };
            if let Some(turn) = FaceTurn::new(face, quarters) {
                all[symmetry][index] = turn;
            }
            index += 1;
        }
        symmetry += 1;
    }
    all
};

static CORNER_MAPS: [PieceMap<8>; Symmetry::COUNT] = piece_maps(&CORNERS);
static EDGE_MAPS: [PieceMap<12>; Symmetry::COUNT] = piece_maps(&EDGES);

/// Computes the action of all symmetries on one kind of piece (corners or edges), given the faces of each position's
/// stickers.
const fn piece_maps<const PIECES: usize, const STICKERS: usize>(
    pieces: &[[Face; STICKERS]; PIECES],
) -> [PieceMap<PIECES>; Symmetry::COUNT] {
    let mut all = [PieceMap { places: [0; PLACES], from: [0; PIECES] }; Symmetry::COUNT];
    let mut symmetry = 0;
    while symmetry < all.len() {
        let mut place = 0;
        while place < PLACES {
            let image = place_image(pieces, &FACES[symmetry], place);
            all[symmetry].places[place] = image as u8;
            if image.is_multiple_of(STICKERS) {
                all[symmetry].from[image / STICKERS] = place as u8;
            }
            place += 1;
        }
        symmetry += 1;
    }
    all
}

/// Returns the image of `place`, a sticker slot of a corner or edge position, under the symmetry that maps each face as
/// `faces` does. The faces of the image position are the images of the position's faces. The face of the image slot is
/// the image of the slot's face.
const fn place_image<const PIECES: usize, const STICKERS: usize>(
    pieces: &[[Face; STICKERS]; PIECES],
    faces: &[Face; 6],
    place: usize,
) -> usize {
    let (mut all, mut sticker) = (0, 0);
    while sticker < STICKERS {
        all |= 1 << faces[pieces[place / STICKERS][sticker] as usize] as u8;
        sticker += 1;
    }
    let own = faces[pieces[place / STICKERS][place % STICKERS] as usize];
    let mut image = 0;
    while image < PLACES {
        let piece = &pieces[image / STICKERS];
        let (mut set, mut sticker) = (0, 0);
        while sticker < STICKERS {
            set |= 1 << piece[sticker] as u8;
            sticker += 1;
        }
        if set == all && piece[image % STICKERS] as u8 == own as u8 {
            return image;
        }
        image += 1;
    }
    panic!("a symmetry must map the faces of each piece to the faces of a piece")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::TurnMetric;
    use std::collections::HashSet;
    use vivarium_kernels::rng::Stream;

    /// Returns states near the solved state, which many symmetries fix, and random states.
    fn cubes() -> Vec<Cube3> {
        let mut random = Stream::new(1, 0);
        let turns = Cube3::turns(TurnMetric::Half);
        let mut cubes = vec![Cube3::SOLVED];
        for first in turns {
            cubes.push(Cube3::SOLVED.turned(*first));
            cubes.extend(turns.iter().map(|&second| Cube3::SOLVED.turned(*first).turned(second)));
        }
        cubes.extend((0..100).map(|_| Cube3::random(&mut random)));
        cubes
    }

    #[test]
    fn symmetries_commute_with_turns() {
        for cube in cubes() {
            for symmetry in Symmetry::all() {
                assert!(symmetry.cube(&Cube3::SOLVED).is_solved());
                for &turn in Cube3::turns(TurnMetric::Half) {
                    let image = symmetry.cube(&cube).turned(symmetry.turn(turn));
                    assert_eq!(symmetry.cube(&cube.turned(turn)), image, "{symmetry:?} {turn}");
                }
            }
        }
    }

    #[test]
    fn symmetries_are_distinct_and_the_first_is_the_identity() {
        let cube = Cube3::random(&mut Stream::new(5, 0));
        let piece_maps: HashSet<Cube3> = Symmetry::all().map(|symmetry| symmetry.cube(&cube)).collect();
        assert_eq!(piece_maps.len(), Symmetry::COUNT);
        assert_eq!(Symmetry::default().cube(&cube), cube);
    }

    #[test]
    fn representatives_are_the_smallest_images() {
        for cube in cubes() {
            let (representative, symmetry) = Symmetry::representative(&cube);
            assert_eq!(symmetry.cube(&cube), representative);
            let piece_maps: Vec<Cube3> = Symmetry::all().map(|symmetry| symmetry.cube(&cube)).collect();
            assert_eq!(piece_maps.iter().min(), Some(&representative));
            for map in piece_maps {
                assert_eq!(Symmetry::representative(&map).0, representative);
            }
        }
    }
}
