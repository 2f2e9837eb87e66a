//! Ways to look at the cube of 3×3×3: from all sides, and in a mirror.
//!
//! What solves a cube, seen so, solves what it looks like. There are 48 ways, so that a state is one of as many that look
//! alike, or of fewer where it looks the same from several sides.

use super::pieces::{CORNERS, EDGES, PLACES};
use super::three::Cube3;
use super::turn::{Face, Turn};

/// A way to look at the cube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct View(u8);

impl View {
    /// How many there are.
    pub const COUNT: usize = 48;

    /// All of them, first the one that sees everything as it is.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// What a turn is seen as.
    #[inline]
    #[must_use]
    pub fn turn(self, turn: Turn) -> Turn {
        TURNS[usize::from(self.0)][turn.index()]
    }

    /// What a cube is seen as.
    #[inline]
    #[must_use]
    pub fn cube(self, cube: &Cube3) -> Cube3 {
        let (corners, edges) = cube.places();
        Cube3::from_places(
            std::array::from_fn(|piece| CORNER_LOOKS[usize::from(self.0)].place(corners, piece)),
            std::array::from_fn(|piece| EDGE_LOOKS[usize::from(self.0)].place(edges, piece)),
        )
    }

    /// Of a piece that is seen, corners first: which one it is, and where it is seen if that one is at a place.
    pub(super) fn piece(self, piece: usize, place: u8) -> (usize, u8) {
        let view = usize::from(self.0);
        match piece.checked_sub(CORNERS.len()) {
            None => {
                let look = &CORNER_LOOKS[view];
                (usize::from(look.from[piece] / 3), look.place(&[place; CORNERS.len()], piece))
            }
            Some(edge) => {
                let look = &EDGE_LOOKS[view];
                let source = CORNERS.len() + usize::from(look.from[edge] / 2);
                (source, look.place(&[place; EDGES.len()], edge))
            }
        }
    }

    /// What stands for a cube and all that look alike, and the view that sees it so: of all that are seen, the first in the
    /// order of their pieces' places.
    #[must_use]
    pub fn representative(cube: &Cube3) -> (Cube3, Self) {
        let (corners, edges) = cube.places();
        let mut views: [u8; Self::COUNT] = std::array::from_fn(|view| view as u8);
        let mut left = views.len();
        let mut piece = 0;
        // Mostly a few corners decide.
        while left > 1 && piece < CORNERS.len() {
            let look = |view: u8| CORNER_LOOKS[usize::from(view)].place(corners, piece);
            left = keep_lowest(&mut views[..left], look);
            piece += 1;
        }
        let mut piece = 0;
        while left > 1 && piece < EDGES.len() {
            let look = |view: u8| EDGE_LOOKS[usize::from(view)].place(edges, piece);
            left = keep_lowest(&mut views[..left], look);
            piece += 1;
        }
        let view = Self(views[0]);
        (view.cube(cube), view)
    }
}

/// Moves those of the lowest number to the front, in their order; returns how many they are.
#[inline]
fn keep_lowest(views: &mut [u8], number: impl Fn(u8) -> u8) -> usize {
    let (mut lowest, mut kept) = (u8::MAX, 0);
    for at in 0..views.len() {
        let (view, found) = (views[at], number(views[at]));
        if found < lowest {
            (lowest, kept) = (found, 0);
        }
        if found == lowest {
            views[kept] = view;
            kept += 1;
        }
    }
    kept
}

/// How pieces of `PIECES` positions with `24 / PIECES` stickers each are seen.
#[derive(Clone, Copy)]
struct Look<const PIECES: usize> {
    /// The place that each place is seen as.
    places: [u8; PLACES],
    /// For each piece the place that is seen as the one of its first sticker, where it is at home.
    from: [u8; PIECES],
}

impl<const PIECES: usize> Look<PIECES> {
    /// Where a piece is seen, if pieces are at these places.
    ///
    /// A state takes each sticker's place at home to its place now. Seen, it takes the seen one to the seen other.
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

/// For each view the faces that U, R, F, D, L and B are seen as: axes in another order, some of them turned round.
const FACES: [[Face; 6]; View::COUNT] = {
    const AXES: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];
    let mut all = [Face::ALL; View::COUNT];
    let mut view = 0;
    while view < all.len() {
        let mut face = 0;
        while face < 6 {
            let (axis, is_back) = (face % 3, face / 3);
            let is_turned = ((view / 6) >> axis) & 1;
            all[view][face] = Face::ALL[AXES[view % 6][axis] + 3 * (is_back ^ is_turned)];
            face += 1;
        }
        view += 1;
    }
    all
};

/// Whether a view is one in a mirror: it swaps two axes, or turns an odd number of them round.
const fn is_mirror(view: usize) -> bool {
    (view % 6 >= 3) != ((view / 6).count_ones() % 2 == 1)
}

static TURNS: [[Turn; Turn::COUNT]; View::COUNT] = {
    let mut all = [[Turn::FIRST; Turn::COUNT]; View::COUNT];
    let mut view = 0;
    while view < all.len() {
        let mut index = 0;
        while index < Turn::COUNT {
            let (face, quarters) = (FACES[view][index / 3], (index % 3 + 1) as u8);
            let quarters = if is_mirror(view) { 4 - quarters } else { quarters };
            if let Some(turn) = Turn::new(face, quarters) {
                all[view][index] = turn;
            }
            index += 1;
        }
        view += 1;
    }
    all
};

static CORNER_LOOKS: [Look<8>; View::COUNT] = looks(&CORNERS);
static EDGE_LOOKS: [Look<12>; View::COUNT] = looks(&EDGES);

/// How the pieces with these stickers are seen.
const fn looks<const PIECES: usize, const STICKERS: usize>(
    pieces: &[[Face; STICKERS]; PIECES],
) -> [Look<PIECES>; View::COUNT] {
    let mut all = [Look { places: [0; PLACES], from: [0; PIECES] }; View::COUNT];
    let mut view = 0;
    while view < all.len() {
        let mut place = 0;
        while place < PLACES {
            let seen = seen_place(pieces, &FACES[view], place);
            all[view].places[place] = seen as u8;
            if seen.is_multiple_of(STICKERS) {
                all[view].from[seen / STICKERS] = place as u8;
            }
            place += 1;
        }
        view += 1;
    }
    all
}

/// The place that lies on the faces that a place's are seen as, its own face first.
const fn seen_place<const PIECES: usize, const STICKERS: usize>(
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
    let mut seen = 0;
    while seen < PLACES {
        let piece = &pieces[seen / STICKERS];
        let (mut set, mut sticker) = (0, 0);
        while sticker < STICKERS {
            set |= 1 << piece[sticker] as u8;
            sticker += 1;
        }
        if set == all && piece[seen % STICKERS] as u8 == own as u8 {
            return seen;
        }
        seen += 1;
    }
    panic!("every view sees pieces as pieces")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Metric;
    use std::collections::HashSet;
    use vivarium_kernels::rng::Stream;

    /// Cubes near the solved one, which look the same from many sides, and others.
    fn cubes() -> Vec<Cube3> {
        let mut random = Stream::new(1, 0);
        let turns = Cube3::turns(Metric::Half);
        let mut cubes = vec![Cube3::SOLVED];
        for first in turns {
            cubes.push(Cube3::SOLVED.turned(*first));
            cubes.extend(turns.iter().map(|&second| Cube3::SOLVED.turned(*first).turned(second)));
        }
        cubes.extend((0..100).map(|_| Cube3::random(&mut random)));
        cubes
    }

    #[test]
    fn what_is_seen_turns_as_what_is_there() {
        for cube in cubes() {
            for view in View::all() {
                assert!(view.cube(&Cube3::SOLVED).is_solved());
                for &turn in Cube3::turns(Metric::Half) {
                    let seen = view.cube(&cube).turned(view.turn(turn));
                    assert_eq!(view.cube(&cube.turned(turn)), seen, "{view:?} {turn}");
                }
            }
        }
    }

    #[test]
    fn all_views_are_different_and_the_first_sees_what_is_there() {
        let cube = Cube3::random(&mut Stream::new(5, 0));
        let looks: HashSet<Cube3> = View::all().map(|view| view.cube(&cube)).collect();
        assert_eq!(looks.len(), View::COUNT);
        assert_eq!(View::default().cube(&cube), cube);
    }

    #[test]
    fn one_cube_stands_for_all_that_look_alike() {
        for cube in cubes() {
            let (representative, view) = View::representative(&cube);
            assert_eq!(view.cube(&cube), representative);
            let looks: Vec<Cube3> = View::all().map(|view| view.cube(&cube)).collect();
            assert_eq!(looks.iter().min(), Some(&representative));
            for look in looks {
                assert_eq!(View::representative(&look).0, representative);
            }
        }
    }
}
