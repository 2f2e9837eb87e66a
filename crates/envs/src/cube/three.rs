//! The cube of 3×3×3.

use super::pieces::{
    CORNER_STICKERS, CORNER_TURNS, CORNERS, EDGE_STICKERS, EDGE_TURNS, EDGES, PLACES, one_hot,
};
use super::turn::{Face, Metric, Size, Turn};
use vivarium_kernels::rng::Stream;

/// A state of the cube of 3×3×3, seen with the centers in their places.
///
/// It says for each piece at which of 24 places its first sticker is, corners first, so that a turn is a look-up for each
/// piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube3 {
    corners: [u8; CORNERS.len()],
    edges: [u8; EDGES.len()],
}

impl Cube3 {
    /// Pieces that turns move: eight corners and twelve edges.
    pub const PIECES: usize = CORNERS.len() + EDGES.len();
    /// Stickers, nine on each face.
    pub const STICKERS: usize = 54;
    /// Numbers of an encoded state, one for each sticker and color.
    pub const INPUTS: usize = Self::STICKERS * Face::ALL.len();
    /// Each face of one color.
    pub const SOLVED: Self =
        Self { corners: [0, 3, 6, 9, 12, 15, 18, 21], edges: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22] };

    /// Any state that turns lead to, each as likely as the others.
    pub fn random(random: &mut Stream) -> Self {
        let mut cube = Self::SOLVED;
        random.shuffle(&mut cube.corners);
        random.shuffle(&mut cube.edges);
        if is_odd(cube.corners.map(|place| place / 3)) != is_odd(cube.edges.map(|place| place / 2)) {
            cube.edges.swap(0, 1);
        }
        twist_at_random(&mut cube.corners, 3, random);
        twist_at_random(&mut cube.edges, 2, random);
        cube
    }

    /// Whether each face is of one color.
    #[inline]
    pub fn is_solved(&self) -> bool {
        *self == Self::SOLVED
    }

    /// The turns that are one move: actions are their places here.
    pub const fn turns(metric: Metric) -> &'static [Turn] {
        metric.turns(Size::Three)
    }

    /// The state after a turn.
    #[inline]
    #[must_use]
    pub fn turned(&self, turn: Turn) -> Self {
        let (corners, edges) = (&CORNER_TURNS[turn.index()], &EDGE_TURNS[turn.index()]);
        Self {
            corners: self.corners.map(|place| corners[usize::from(place)]),
            edges: self.edges.map(|place| edges[usize::from(place)]),
        }
    }

    /// A hash for tables of states: multilinear, as that of
    /// [`Position::hash`](crate::backgammon::Position::hash).
    #[inline]
    pub fn hash(&self) -> u64 {
        // Five bits a piece.
        let pack =
            |places: &[u8]| places.iter().fold(0u128, |packed, &place| packed << 5 | u128::from(place));
        let sum = pack(&self.corners).wrapping_mul(0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344);
        let sum = sum.wrapping_add(pack(&self.edges).wrapping_mul(0xa409_3822_299f_31d0_082e_fa98_ec4e_6c89));
        (sum >> 64) as u64
    }

    /// The places of the pieces as words for a device, a byte each with the first one highest: compared word by word, they are
    /// in the order of states.
    #[inline]
    pub fn words(&self) -> [u32; Self::PIECES / 4] {
        let (corners, edges) = (self.corners.as_chunks::<4>().0, self.edges.as_chunks::<4>().0);
        let word = |at: usize| if at < corners.len() { corners[at] } else { edges[at - corners.len()] };
        std::array::from_fn(|at| u32::from_be_bytes(word(at)))
    }

    /// The state whose pieces are at these places; whether it can be reached is the caller's to know.
    pub(super) fn from_places(corners: [u8; CORNERS.len()], edges: [u8; EDGES.len()]) -> Self {
        Self { corners, edges }
    }

    /// The places of corners and of edges.
    #[inline]
    pub(super) fn places(&self) -> (&[u8; CORNERS.len()], &[u8; EDGES.len()]) {
        (&self.corners, &self.edges)
    }

    /// The colors of the stickers: nine of U, R, F, D, L and B each, row by row, a face seen from outside with U (for U:
    /// B; for D: F) on top.
    pub fn stickers(&self) -> [Face; Self::STICKERS] {
        let mut stickers = [Face::U; Self::STICKERS];
        for index in self.indices() {
            stickers[usize::from(index / 6)] = Face::ALL[usize::from(index % 6)];
        }
        stickers
    }

    /// Where an encoded state is 1: for each sticker, 6 · sticker + color, corners' first, then edges', then centers.
    #[inline]
    pub fn indices(&self) -> [u16; Self::STICKERS] {
        let mut indices = [0; Self::STICKERS];
        let (corners, others) = indices.split_at_mut(PLACES);
        let (edges, centers) = others.split_at_mut(PLACES);
        for ((indices, &place), table) in
            corners.as_chunks_mut::<3>().0.iter_mut().zip(&self.corners).zip(&CORNER_INDICES)
        {
            *indices = table[usize::from(place)];
        }
        for ((indices, &place), table) in
            edges.as_chunks_mut::<2>().0.iter_mut().zip(&self.edges).zip(&EDGE_INDICES)
        {
            *indices = table[usize::from(place)];
        }
        for (face, index) in (0..).zip(centers) {
            *index = 6 * (9 * face + 4) + face;
        }
        indices
    }

    /// Writes the state down as [`INPUTS`](Self::INPUTS) numbers: for each sticker six, 1 for its color and 0 for the
    /// others.
    ///
    /// # Panics
    /// If the row is shorter.
    #[inline]
    pub fn encode(&self, row: &mut [f32]) {
        let row = &mut row[..Self::INPUTS];
        row.fill(0.0);
        for index in self.indices() {
            row[usize::from(index)] = 1.0;
        }
    }

    /// Writes states into a batch, row by row, as [`encode`](Self::encode).
    ///
    /// # Panics
    /// If there are fewer rows than cubes.
    pub fn encode_all(cubes: &[Self], rows: &mut [f32]) {
        assert!(rows.len() >= cubes.len() * Self::INPUTS, "a row for each cube");
        for (cube, row) in cubes.iter().zip(rows.chunks_exact_mut(Self::INPUTS)) {
            cube.encode(row);
        }
    }
}

impl Default for Cube3 {
    fn default() -> Self {
        Self::SOLVED
    }
}

/// Whether it takes an odd number of swaps to bring these, all different, into order.
pub(super) fn is_odd<const N: usize>(positions: [u8; N]) -> bool {
    let inversions = |at: usize| positions[at + 1..].iter().filter(|&&later| later < positions[at]).count();
    (0..N).map(inversions).sum::<usize>() % 2 == 1
}

/// Twists pieces in their positions, the last so that all twists add up to whole turns.
fn twist_at_random(places: &mut [u8], stickers: u8, random: &mut Stream) {
    let mut sum = 0;
    let last = places.len() - 1;
    for (piece, place) in places.iter_mut().enumerate() {
        let twist = if piece == last {
            (stickers - sum % stickers) % stickers
        } else {
            random.below(stickers.into()) as u8
        };
        sum += twist;
        *place += twist;
    }
}

/// For each corner and each place that it may be at, where its stickers make an encoded state 1.
static CORNER_INDICES: [[[u16; 3]; PLACES]; CORNERS.len()] = {
    let mut tables = [[[0; 3]; PLACES]; CORNERS.len()];
    let mut corner = 0;
    while corner < tables.len() {
        tables[corner] = one_hot(&CORNERS[corner], &CORNER_STICKERS);
        corner += 1;
    }
    tables
};

/// The same for edges.
static EDGE_INDICES: [[[u16; 2]; PLACES]; EDGES.len()] = {
    let mut tables = [[[0; 2]; PLACES]; EDGES.len()];
    let mut edge = 0;
    while edge < tables.len() {
        tables[edge] = one_hot(&EDGES[edge], &EDGE_STICKERS);
        edge += 1;
    }
    tables
};
