//! 2×2×2 cube (Pocket Cube): states, turns and encodings.

use super::permutation::{orientation, orientation_rank, permutation, permutation_rank};
use super::pieces::{CORNER_STICKERS, CORNER_TURNS, CORNERS, one_hot};
use super::turn::{CubeSize, Face, FaceTurn, TurnMetric};
use std::sync::LazyLock;
use vivarium_kernels::rng::Stream;

/// Number of corners that turns move. The eighth corner, down-back-left, is fixed.
const MOVING: usize = 7;
/// Number of possible contents of a corner position: 7 corners × 3 orientations (twists).
const PLACED: usize = 3 * MOVING;
/// Number of possible contents of a second corner position, if the corner at the first is given: 6 remaining corners ×
/// 3 twists.
const PLACED_BESIDE: usize = PLACED - 3;
/// Number of turns of the faces U, R and F: 3 faces × 3 amounts (quarter, half, counter-clockwise quarter).
const TURNS: usize = 9;
/// Number of corner permutations: 7!.
const PERMUTATIONS: usize = 5040;
/// Number of corner orientations: 3⁶, as the twists of seven corners sum to 0 modulo 3.
const ORIENTATIONS: usize = 729;

/// State of the 2×2×2 cube, with the down-back-left corner fixed.
///
/// Stored as two coordinates, corner permutation and corner orientation. A turn changes each coordinate
/// independently, by one table look-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube2 {
    permutation: u16,
    orientation: u16,
}

/// Look-up tables for the two coordinates of a state (corner permutation and orientation): decoded corners and twists,
/// and the coordinate after each turn.
struct CoordinateTables {
    /// Corner at each position, indexed by corner permutation.
    corners: Vec<[u8; MOVING]>,
    /// Clockwise twist of the corner at each position in thirds of a turn, indexed by corner orientation.
    twists: Vec<[u8; MOVING]>,
    permutation_turns: Vec<[u16; TURNS]>,
    orientation_turns: Vec<[u16; TURNS]>,
}

static TABLES: LazyLock<CoordinateTables> = LazyLock::new(CoordinateTables::new);

impl Cube2 {
    /// Number of states: 3,674,160.
    pub const STATES: usize = PERMUTATIONS * ORIENTATIONS;
    /// Number of stickers: four on each of six faces.
    pub const STICKERS: usize = 24;
    /// Length of the one-hot encoding: one input for each sticker and color.
    pub const INPUTS: usize = Self::STICKERS * Face::ALL.len();
    /// Number of pairs of corner positions, the fixed corner's position excluded.
    pub const PAIRS: usize = MOVING * (MOVING - 1) / 2;
    /// Number of pair features: one for each pair of positions and each placement (with twists) of two of the seven
    /// corners at these positions.
    pub const PAIR_FEATURES: usize = Self::PAIRS * PLACED * PLACED_BESIDE;
    /// Solved state.
    pub const SOLVED: Self = Self { permutation: 0, orientation: 0 };

    /// Returns the state with rank `rank` (its index among all states), or `None` if `rank` is not below
    /// [`STATES`](Self::STATES).
    #[inline]
    pub const fn from_rank(rank: u32) -> Option<Self> {
        let (permutation, orientation) = (rank as usize / ORIENTATIONS, rank as usize % ORIENTATIONS);
        if permutation >= PERMUTATIONS {
            return None;
        }
        Some(Self { permutation: permutation as u16, orientation: orientation as u16 })
    }

    /// Returns the rank of the state: 0 for the solved state, below [`STATES`](Self::STATES).
    #[inline]
    pub const fn rank(self) -> u32 {
        self.permutation as u32 * ORIENTATIONS as u32 + self.orientation as u32
    }

    /// Returns an iterator over all states in order of rank.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..Self::STATES as u32)
            .map(|rank| Self { permutation: (rank / 729) as u16, orientation: (rank % 729) as u16 })
    }

    /// Draws a state uniformly at random.
    pub fn random(random: &mut Stream) -> Self {
        let rank = random.below(Self::STATES as u32);
        Self::from_rank(rank).unwrap_or_default()
    }

    /// Returns whether the cube is solved.
    #[inline]
    pub const fn is_solved(self) -> bool {
        self.permutation == 0 && self.orientation == 0
    }

    /// Returns the turns that count as one move in `metric`; an action is an index into this slice.
    pub const fn turns(metric: TurnMetric) -> &'static [FaceTurn] {
        metric.turns(CubeSize::Two)
    }

    /// Returns the state after `turn`. As one corner is fixed, a turn of a face and the same turn of the opposite
    /// face lead to the same state.
    #[inline]
    #[must_use]
    pub fn turned(self, turn: FaceTurn) -> Self {
        TABLES.turned(self, turn)
    }

    /// Computes the successor states: `after[i]` is the state after `turns[i]`.
    #[inline]
    pub fn after_each(self, turns: &[FaceTurn], after: &mut [Self]) {
        let tables = &*TABLES;
        for (after, &turn) in after.iter_mut().zip(turns) {
            *after = tables.turned(self, turn);
        }
    }

    /// Returns the place of each corner: its position and orientation as one number below 24 (see
    /// [`pieces`](super::pieces)). The eighth corner is always placed as in the solved cube.
    pub(super) fn places(self) -> [u8; MOVING + 1] {
        let tables = &*TABLES;
        let mut places = [3 * MOVING as u8; MOVING + 1];
        let corners = &tables.corners[usize::from(self.permutation)];
        let twists = &tables.twists[usize::from(self.orientation)];
        for (position, (&corner, &twist)) in corners.iter().zip(twists).enumerate() {
            places[usize::from(corner)] = 3 * position as u8 + twist;
        }
        places
    }

    /// Returns the state with the given place of each corner: its position and orientation as one number below 24 (see
    /// [`pieces`](super::pieces)). The eighth corner must be placed as in the solved cube, positions must be distinct,
    /// and twists must sum to 0 modulo 3.
    pub(super) fn from_places(places: &[u8; MOVING + 1]) -> Self {
        let (mut corners, mut twists) = ([0; MOVING], [0; MOVING]);
        for (corner, &place) in (0..).zip(&places[..MOVING]) {
            let position = usize::from(place / 3);
            (corners[position], twists[position]) = (corner, place % 3);
        }
        Self { permutation: permutation_rank(&corners), orientation: orientation_rank(3, &twists) }
    }

    /// Returns the colors of the stickers: four of each face, row by row, in the order of [`Face::ALL`]. Each
    /// face has the orientation of [`Cube3::stickers`](super::Cube3::stickers).
    pub fn stickers(self) -> [Face; Self::STICKERS] {
        let mut stickers = [Face::U; Self::STICKERS];
        for (corner, place) in self.places().into_iter().enumerate() {
            let position = usize::from(place / 3);
            for (sticker, &color) in (usize::from(place)..).zip(&CORNERS[corner]) {
                stickers[usize::from(STICKERS[3 * position + sticker % 3])] = color;
            }
        }
        stickers
    }

    /// Returns the indices of the inputs that are 1 in the one-hot encoding: 6 · sticker + color for each sticker.
    #[inline]
    pub fn indices(self) -> [u16; Self::STICKERS] {
        TABLES.indices(self)
    }

    /// Returns, for each pair of positions, the index of the feature that describes the two corners at these positions.
    /// Indices are below [`PAIR_FEATURES`](Self::PAIR_FEATURES); each pair of positions has its own range of indices.
    #[inline]
    pub fn pairs(self) -> [u16; Self::PAIRS] {
        TABLES.pairs(self)
    }

    /// Writes the one-hot encoding to the first [`INPUTS`](Self::INPUTS) elements of `row`: six for each sticker, one
    /// for each color.
    ///
    /// # Panics
    /// If `row` is shorter than [`INPUTS`](Self::INPUTS).
    #[inline]
    pub fn encode(self, row: &mut [f32]) {
        TABLES.encode(self, row);
    }

    /// Encodes states as rows of a batch `[cubes, INPUTS]`, as [`encode`](Self::encode) does.
    ///
    /// # Panics
    /// If `rows` has fewer rows than `cubes`.
    pub fn encode_all(cubes: &[Self], rows: &mut [f32]) {
        let tables = &*TABLES;
        assert!(rows.len() >= cubes.len() * Self::INPUTS, "there are fewer rows than cubes");
        for (cube, row) in cubes.iter().zip(rows.chunks_exact_mut(Self::INPUTS)) {
            tables.encode(*cube, row);
        }
    }
}

/// Index of each corner sticker among the 24 stickers of the cube. Entry 3p + k is sticker k (0 to 2) of corner
/// position p; see [`pieces`](super::pieces).
pub(super) const STICKERS: [u8; Cube2::STICKERS] = {
    let mut stickers = [0; Cube2::STICKERS];
    let mut place = 0;
    while place < stickers.len() {
        let (face, cell) = (CORNER_STICKERS[place] / 9, CORNER_STICKERS[place] % 9);
        // The corners of a 3×3 face are the cells 0, 2, 6 and 8.
        stickers[place] = 4 * face + cell / 6 * 2 + cell % 3 / 2;
        place += 1;
    }
    stickers
};

/// Indices of the one-hot inputs that a corner sets to 1: `[corner][place][sticker]`. The place is the corner's
/// position and orientation.
static INDICES: [[[u16; 3]; Cube2::STICKERS]; MOVING + 1] = {
    let mut tables = [[[0; 3]; Cube2::STICKERS]; MOVING + 1];
    let mut corner = 0;
    while corner < tables.len() {
        tables[corner] = one_hot(&CORNERS[corner], &STICKERS);
        corner += 1;
    }
    tables
};

impl CoordinateTables {
    fn new() -> Self {
        let corners: Vec<_> = (0..PERMUTATIONS as u16).map(permutation).collect();
        let twists: Vec<_> = (0..ORIENTATIONS as u16).map(|rank| orientation(3, rank)).collect();
        let permutation_turns = corners.iter().map(|corners| {
            std::array::from_fn(|turn| {
                permutation_rank(&moved(turn, |from| corners[from], |corner, _| corner))
            })
        });
        let orientation_turns = twists.iter().map(|twists| {
            std::array::from_fn(|turn| {
                orientation_rank(3, &moved(turn, |from| twists[from], |twist, more| (twist + more) % 3))
            })
        });
        Self {
            permutation_turns: permutation_turns.collect(),
            orientation_turns: orientation_turns.collect(),
            corners,
            twists,
        }
    }

    #[inline]
    fn turned(&self, cube: Cube2, turn: FaceTurn) -> Cube2 {
        let turn = turn.index() % TURNS;
        Cube2 {
            permutation: self.permutation_turns[usize::from(cube.permutation)][turn],
            orientation: self.orientation_turns[usize::from(cube.orientation)][turn],
        }
    }

    #[inline]
    fn indices(&self, cube: Cube2) -> [u16; Cube2::STICKERS] {
        let corners = &self.corners[usize::from(cube.permutation)];
        let twists = &self.twists[usize::from(cube.orientation)];
        let mut indices = [0; Cube2::STICKERS];
        let (moving, fixed) = indices.split_at_mut(3 * MOVING);
        for (position, indices) in moving.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            let place = 3 * position + usize::from(twists[position]);
            *indices = INDICES[usize::from(corners[position])][place];
        }
        fixed.copy_from_slice(&INDICES[MOVING][3 * MOVING]);
        indices
    }

    #[inline]
    fn pairs(&self, cube: Cube2) -> [u16; Cube2::PAIRS] {
        let corners = &self.corners[usize::from(cube.permutation)];
        let twists = &self.twists[usize::from(cube.orientation)];
        let mut pairs = [0; Cube2::PAIRS];
        let mut pair = 0;
        for first in 0..MOVING {
            for second in first + 1..MOVING {
                let placed = 3 * corners[first] + twists[first];
                // Index of the second corner among the six corners that differ from the first.
                let other = corners[second] - u8::from(corners[second] > corners[first]);
                let beside = 3 * other + twists[second];
                let block = (pair * PLACED + usize::from(placed)) * PLACED_BESIDE;
                pairs[pair] = (block + usize::from(beside)) as u16;
                pair += 1;
            }
        }
        pairs
    }

    #[inline]
    fn encode(&self, cube: Cube2, row: &mut [f32]) {
        let row = &mut row[..Cube2::INPUTS];
        row.fill(0.0);
        for index in self.indices(cube) {
            row[usize::from(index)] = 1.0;
        }
    }
}

/// Applies a turn to an array with one value per corner position, and returns the array after the turn. `at` returns
/// the value at a position before the turn. `twisted` adds the twist of a corner by the turn, in thirds of a turn, to a
/// value.
fn moved(turn: usize, at: impl Fn(usize) -> u8, twisted: impl Fn(u8, u8) -> u8) -> [u8; MOVING] {
    let mut after = [0; MOVING];
    for from in 0..MOVING {
        let to = CORNER_TURNS[turn][3 * from];
        after[usize::from(to / 3)] = twisted(at(from), to % 3);
    }
    after
}
