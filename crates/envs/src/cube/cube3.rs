//! 3×3×3 cube: states, turns and encodings.

use super::pieces::{
    CORNER_STICKERS, CORNER_TURNS, CORNERS, EDGE_STICKERS, EDGE_TURNS, EDGES, PLACES, one_hot,
};
use super::turn::{CubeSize, Face, FaceTurn, TurnMetric};
use vivarium_kernels::rng::Stream;

/// State of the 3×3×3 cube, with the centers fixed.
///
/// Stores the place of each piece: its position and orientation as one number below 24. A turn is one table look-up per
/// piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube3 {
    corners: [u8; CORNERS.len()],
    edges: [u8; EDGES.len()],
}

impl Cube3 {
    /// Number of pieces that move: eight corners and twelve edges.
    pub const PIECES: usize = CORNERS.len() + EDGES.len();
    /// Number of stickers: nine on each of six faces.
    pub const STICKERS: usize = 54;
    /// Length of the one-hot encoding: one input for each sticker and color.
    pub const INPUTS: usize = Self::STICKERS * Face::ALL.len();
    /// Solved state.
    pub const SOLVED: Self =
        Self { corners: [0, 3, 6, 9, 12, 15, 18, 21], edges: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22] };

    /// Draws a reachable state uniformly at random.
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

    /// Returns whether the cube is solved.
    #[inline]
    pub fn is_solved(&self) -> bool {
        *self == Self::SOLVED
    }

    /// Returns the turns that count as one move in `metric`; an action is an index into this slice.
    pub const fn turns(metric: TurnMetric) -> &'static [FaceTurn] {
        metric.turns(CubeSize::Three)
    }

    /// Returns the state after `turn`.
    #[inline]
    #[must_use]
    pub fn turned(&self, turn: FaceTurn) -> Self {
        let (corners, edges) = (&CORNER_TURNS[turn.index()], &EDGE_TURNS[turn.index()]);
        Self {
            corners: self.corners.map(|place| corners[usize::from(place)]),
            edges: self.edges.map(|place| edges[usize::from(place)]),
        }
    }

    /// Returns the inverse state: the result of applying the inverse of any turn sequence that leads from the solved
    /// state to this state.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut inverse = Self::SOLVED;
        for (corner, &place) in (0..).zip(&self.corners) {
            inverse.corners[usize::from(place / 3)] = 3 * corner + (3 - place % 3) % 3;
        }
        for (edge, &place) in (0..).zip(&self.edges) {
            inverse.edges[usize::from(place / 2)] = 2 * edge + place % 2;
        }
        inverse
    }

    /// Returns a multilinear hash of the state, like [`Position::hash`](crate::backgammon::Position::hash).
    #[inline]
    pub fn hash(&self) -> u64 {
        // Five bits for each piece.
        let pack =
            |places: &[u8]| places.iter().fold(0u128, |packed, &place| packed << 5 | u128::from(place));
        let sum = pack(&self.corners).wrapping_mul(0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344);
        let sum = sum.wrapping_add(pack(&self.edges).wrapping_mul(0xa409_3822_299f_31d0_082e_fa98_ec4e_6c89));
        (sum >> 64) as u64
    }

    /// Packs the place (position and orientation) of each piece into 32-bit words for GPU kernels. A word holds four
    /// pieces, one byte each, the first piece in the highest byte. The lexicographic order of the words is the order of
    /// states.
    #[inline]
    pub fn words(&self) -> [u32; Self::PIECES / 4] {
        let (corners, edges) = (self.corners.as_chunks::<4>().0, self.edges.as_chunks::<4>().0);
        let word = |at: usize| if at < corners.len() { corners[at] } else { edges[at - corners.len()] };
        std::array::from_fn(|at| u32::from_be_bytes(word(at)))
    }

    /// Returns the state with the given place (position and orientation) of each corner and edge. The caller must
    /// ensure that the state is reachable.
    pub(super) fn from_places(corners: [u8; CORNERS.len()], edges: [u8; EDGES.len()]) -> Self {
        Self { corners, edges }
    }

    /// Returns the place (position and orientation as one number below 24) of each corner and of each edge.
    #[inline]
    pub(super) fn places(&self) -> (&[u8; CORNERS.len()], &[u8; EDGES.len()]) {
        (&self.corners, &self.edges)
    }

    /// Returns the colors of the stickers: nine of U, R, F, D, L and B each, row by row. Each face is viewed from
    /// outside with U on top (B on top for U, F on top for D).
    pub fn stickers(&self) -> [Face; Self::STICKERS] {
        let mut stickers = [Face::U; Self::STICKERS];
        for index in self.indices() {
            stickers[usize::from(index / 6)] = Face::ALL[usize::from(index % 6)];
        }
        stickers
    }

    /// Returns the indices of the inputs that are 1 in the one-hot encoding: 6 · sticker + color. The stickers of
    /// corners come first, then the stickers of edges, then the centers.
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

    /// Writes the one-hot encoding to the first [`INPUTS`](Self::INPUTS) elements of `row`: six for each sticker, one
    /// for each color.
    ///
    /// # Panics
    /// If `row` is shorter than [`INPUTS`](Self::INPUTS).
    #[inline]
    pub fn encode(&self, row: &mut [f32]) {
        let row = &mut row[..Self::INPUTS];
        row.fill(0.0);
        for index in self.indices() {
            row[usize::from(index)] = 1.0;
        }
    }

    /// Encodes states as rows of a batch `[cubes, INPUTS]`, as [`encode`](Self::encode) does.
    ///
    /// # Panics
    /// If `rows` has fewer rows than `cubes`.
    pub fn encode_all(cubes: &[Self], rows: &mut [f32]) {
        assert!(rows.len() >= cubes.len() * Self::INPUTS, "there are fewer rows than cubes");
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

/// Returns whether a permutation is odd; `positions[i]` is the position of piece i.
pub(super) fn is_odd<const N: usize>(positions: [u8; N]) -> bool {
    let inversions = |at: usize| positions[at + 1..].iter().filter(|&&later| later < positions[at]).count();
    (0..N).map(inversions).sum::<usize>() % 2 == 1
}

/// Changes the orientation of each piece at random. The last piece's twist makes the sum of all twists 0 modulo
/// `stickers`, the number of stickers per piece.
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

/// Indices of the one-hot inputs that a corner sets to 1: `[corner][place][sticker]`. The place is the corner's
/// position and orientation.
static CORNER_INDICES: [[[u16; 3]; PLACES]; CORNERS.len()] = {
    let mut tables = [[[0; 3]; PLACES]; CORNERS.len()];
    let mut corner = 0;
    while corner < tables.len() {
        tables[corner] = one_hot(&CORNERS[corner], &CORNER_STICKERS);
        corner += 1;
    }
    tables
};

/// Indices of the one-hot inputs that an edge sets to 1: `[edge][place][sticker]`. The place is the edge's position and
/// orientation.
static EDGE_INDICES: [[[u16; 2]; PLACES]; EDGES.len()] = {
    let mut tables = [[[0; 2]; PLACES]; EDGES.len()];
    let mut edge = 0;
    while edge < tables.len() {
        tables[edge] = one_hot(&EDGES[edge], &EDGE_STICKERS);
        edge += 1;
    }
    tables
};
