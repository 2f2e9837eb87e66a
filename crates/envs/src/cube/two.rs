//! The cube of 2×2×2.

use super::pieces::{CORNER_STICKERS, CORNER_TURNS, CORNERS, one_hot};
use super::turn::{Face, Metric, Size, Turn};
use std::sync::LazyLock;
use vivarium_kernels::rng::Stream;

/// Corners that move.
const MOVING: usize = 7;
/// Ways in which a corner can be at a position, and those of another one beside it.
const PLACED: usize = 3 * MOVING;
const PLACED_BESIDE: usize = PLACED - 3;
/// Turns of the three faces that move them.
const TURNS: usize = 9;
/// Ways to arrange the corners, 7!.
const PERMUTATIONS: usize = 5040;
/// Ways to twist them, 3⁶: six corners are free, the last one makes up for them.
const ORIENTATIONS: usize = 729;

/// A state of the cube of 2×2×2, seen so that the corner at the bottom, back and left is in its place.
///
/// It is two coordinates, which corner is where and how each is twisted. A turn changes each by itself, so that it is
/// two look-ups in tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube2 {
    permutation: u16,
    orientation: u16,
}

/// What coordinates mean, and what turns make of them.
struct Tables {
    /// Which corner is at each position.
    corners: Vec<[u8; MOVING]>,
    /// By how many thirds the corner at each position is twisted clockwise.
    twists: Vec<[u8; MOVING]>,
    permutation_turns: Vec<[u16; TURNS]>,
    orientation_turns: Vec<[u16; TURNS]>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

impl Cube2 {
    /// How many states there are.
    pub const STATES: usize = PERMUTATIONS * ORIENTATIONS;
    /// Stickers, four on each face.
    pub const STICKERS: usize = 24;
    /// Numbers of an encoded state, one for each sticker and color.
    pub const INPUTS: usize = Self::STICKERS * Face::ALL.len();
    /// Pairs of positions.
    pub const PAIRS: usize = MOVING * (MOVING - 1) / 2;
    /// What can be at all pairs of positions: for each two of the seven corners, each twisted one of three ways.
    pub const PAIR_FEATURES: usize = Self::PAIRS * PLACED * PLACED_BESIDE;
    /// Each face of one color.
    pub const SOLVED: Self = Self { permutation: 0, orientation: 0 };

    /// The state of this rank; `None` from [`STATES`](Self::STATES) on.
    #[inline]
    pub const fn from_rank(rank: u32) -> Option<Self> {
        let (permutation, orientation) = (rank as usize / ORIENTATIONS, rank as usize % ORIENTATIONS);
        if permutation >= PERMUTATIONS {
            return None;
        }
        Some(Self { permutation: permutation as u16, orientation: orientation as u16 })
    }

    /// The state's number among all, from 0, the solved one, to [`STATES`](Self::STATES) − 1.
    #[inline]
    pub const fn rank(self) -> u32 {
        self.permutation as u32 * ORIENTATIONS as u32 + self.orientation as u32
    }

    /// All states in the order of their ranks.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..Self::STATES as u32)
            .map(|rank| Self { permutation: (rank / 729) as u16, orientation: (rank % 729) as u16 })
    }

    /// Any state, each as likely as the others.
    pub fn random(random: &mut Stream) -> Self {
        let rank = random.below(Self::STATES as u32);
        Self::from_rank(rank).unwrap_or_default()
    }

    /// Whether each face is of one color.
    #[inline]
    pub const fn is_solved(self) -> bool {
        self.permutation == 0 && self.orientation == 0
    }

    /// The turns that are one move: actions are their places here.
    pub const fn turns(metric: Metric) -> &'static [Turn] {
        metric.turns(Size::Two)
    }

    /// The state after a turn. As one corner stays in its place, turning a face and turning the one across lead to the
    /// same state.
    #[inline]
    #[must_use]
    pub fn turned(self, turn: Turn) -> Self {
        TABLES.turned(self, turn)
    }

    /// All states that turns lead to, in the turns' order: `after[i]` is the state after `turns[i]`.
    #[inline]
    pub fn after_each(self, turns: &[Turn], after: &mut [Self]) {
        let tables = &*TABLES;
        for (after, &turn) in after.iter_mut().zip(turns) {
            *after = tables.turned(self, turn);
        }
    }

    /// Where each corner is, as a place among those of corners' stickers; the last one in its own.
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

    /// The state whose corners are at these places, the last one in its own. The twists must add up to whole turns, and
    /// no two corners share a position.
    pub(super) fn from_places(places: &[u8; MOVING + 1]) -> Self {
        let (mut corners, mut twists) = ([0; MOVING], [0; MOVING]);
        for (corner, &place) in (0..).zip(&places[..MOVING]) {
            let position = usize::from(place / 3);
            (corners[position], twists[position]) = (corner, place % 3);
        }
        Self { permutation: permutation_rank(&corners), orientation: orientation_rank(&twists) }
    }

    /// The colors of the stickers: four of each face, row by row, faces in the order of [`Face::ALL`] and seen as in
    /// [`Cube3::stickers`](super::Cube3::stickers).
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

    /// Where an encoded state is 1: for each sticker, 6 · sticker + color.
    #[inline]
    pub fn indices(self) -> [u16; Self::STICKERS] {
        TABLES.indices(self)
    }

    /// The corners at each pair of positions, as numbers below [`PAIR_FEATURES`](Self::PAIR_FEATURES) distinct for each pair.
    #[inline]
    pub fn pairs(self) -> [u16; Self::PAIRS] {
        TABLES.pairs(self)
    }

    /// Writes the state down as [`INPUTS`](Self::INPUTS) numbers: for each sticker six, 1 for its color and 0 for the
    /// others.
    ///
    /// # Panics
    /// If the row is shorter.
    #[inline]
    pub fn encode(self, row: &mut [f32]) {
        TABLES.encode(self, row);
    }

    /// Writes states into a batch, row by row, as [`encode`](Self::encode).
    ///
    /// # Panics
    /// If there are fewer rows than cubes.
    pub fn encode_all(cubes: &[Self], rows: &mut [f32]) {
        let tables = &*TABLES;
        assert!(rows.len() >= cubes.len() * Self::INPUTS, "a row for each cube");
        for (cube, row) in cubes.iter().zip(rows.chunks_exact_mut(Self::INPUTS)) {
            tables.encode(*cube, row);
        }
    }
}

/// For each sticker of a corner, its number among the 24.
pub(super) const STICKERS: [u8; Cube2::STICKERS] = {
    let mut stickers = [0; Cube2::STICKERS];
    let mut place = 0;
    while place < stickers.len() {
        let (face, cell) = (CORNER_STICKERS[place] / 9, CORNER_STICKERS[place] % 9);
        // Of nine cells in rows of three the corners are 0, 2, 6 and 8.
        stickers[place] = 4 * face + cell / 6 * 2 + cell % 3 / 2;
        place += 1;
    }
    stickers
};

/// For each corner and each place that it may be at, where its stickers make an encoded state 1.
static INDICES: [[[u16; 3]; Cube2::STICKERS]; MOVING + 1] = {
    let mut tables = [[[0; 3]; Cube2::STICKERS]; MOVING + 1];
    let mut corner = 0;
    while corner < tables.len() {
        tables[corner] = one_hot(&CORNERS[corner], &STICKERS);
        corner += 1;
    }
    tables
};

impl Tables {
    fn new() -> Self {
        let corners: Vec<_> = (0..PERMUTATIONS as u16).map(permutation).collect();
        let twists: Vec<_> = (0..ORIENTATIONS as u16).map(orientation).collect();
        let permutation_turns = corners.iter().map(|corners| {
            std::array::from_fn(|turn| {
                permutation_rank(&moved(turn, |from| corners[from], |corner, _| corner))
            })
        });
        let orientation_turns = twists.iter().map(|twists| {
            std::array::from_fn(|turn| {
                orientation_rank(&moved(turn, |from| twists[from], |twist, more| (twist + more) % 3))
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
    fn turned(&self, cube: Cube2, turn: Turn) -> Cube2 {
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
                // The first one's corner cannot be here, too.
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

/// Moves what is at each position where a turn moves it, twisted further by so many thirds.
fn moved(turn: usize, at: impl Fn(usize) -> u8, twisted: impl Fn(u8, u8) -> u8) -> [u8; MOVING] {
    let mut after = [0; MOVING];
    for from in 0..MOVING {
        let to = CORNER_TURNS[turn][3 * from];
        after[usize::from(to / 3)] = twisted(at(from), to % 3);
    }
    after
}

/// Rank of an arrangement in alphabetical order (Lehmer's code).
fn permutation_rank(corners: &[u8; MOVING]) -> u16 {
    corners.iter().enumerate().fold(0, |rank, (position, corner)| {
        let smaller = corners[position + 1..].iter().filter(|&other| other < corner).count();
        rank * (MOVING - position) as u16 + smaller as u16
    })
}

fn permutation(mut rank: u16) -> [u8; MOVING] {
    let mut corners = [0; MOVING];
    for position in (0..MOVING).rev() {
        let choices = (MOVING - position) as u16;
        let corner = (rank % choices) as u8;
        rank /= choices;
        // Those behind that are not smaller make room.
        for other in &mut corners[position + 1..] {
            *other += u8::from(*other >= corner);
        }
        corners[position] = corner;
    }
    corners
}

/// Rank of the twists: those of all but the last corner as digits of a number.
fn orientation_rank(twists: &[u8; MOVING]) -> u16 {
    twists[..MOVING - 1].iter().fold(0, |rank, &twist| 3 * rank + u16::from(twist))
}

fn orientation(mut rank: u16) -> [u8; MOVING] {
    let mut twists = [0; MOVING];
    let mut sum = 0;
    for twist in twists[..MOVING - 1].iter_mut().rev() {
        *twist = (rank % 3) as u8;
        sum += *twist;
        rank /= 3;
    }
    twists[MOVING - 1] = (3 - sum % 3) % 3;
    twists
}
