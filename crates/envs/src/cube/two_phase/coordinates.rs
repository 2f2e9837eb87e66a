//! Coordinates of the two-phase algorithm: numbers that describe parts of a state. The solved state has coordinate 0.

use super::super::cube3::Cube3;
use super::super::permutation::{orientation, orientation_rank, permutation, permutation_rank};
use super::super::pieces::{CORNER_TURNS, CORNERS, EDGE_TURNS, EDGES, PLACES};
use super::super::turn::{Face, FaceTurn};

/// Number of corner orientations: 3⁷.
pub(super) const TWISTS: usize = 2187;
/// Number of edge orientations: 2¹¹.
pub(super) const FLIPS: usize = 2048;
/// Number of sets of four edge positions that the edges of the middle layer between U and D can take: 12 choose 4.
pub(super) const SLICES: usize = 495;
/// Number of permutations of the eight corners, and of the eight edges of the layers U and D: 8!.
pub(super) const PERMUTATIONS: usize = 40_320;
/// Number of permutations of the four edges of the middle layer: 4!.
pub(super) const SLICE_PERMUTATIONS: usize = 24;
/// Number of turns that preserve the phase-1 coordinates of the solved state.
pub(super) const PHASE2_TURNS: usize = 10;

/// Number of edges of the layers U and D. These edges precede the edges of the middle layer.
const OUTER_EDGES: usize = 8;

/// Coordinates of phase 1. All are 0 if and only if the turns of phase 2 can solve the cube.
#[derive(Clone, Copy)]
pub(super) struct Phase1 {
    /// Corner orientation.
    pub(super) twist: u16,
    /// Edge orientation.
    pub(super) flip: u16,
    /// Positions of the edges of the middle layer.
    pub(super) slice: u16,
}

/// Coordinates of phase 2. All are 0 if and only if the cube is solved.
#[derive(Clone, Copy)]
pub(super) struct Phase2 {
    /// Corner permutation.
    pub(super) corners: u16,
    /// Permutation of the edges of the layers U and D.
    pub(super) edges: u16,
    /// Permutation of the edges of the middle layer.
    pub(super) slice: u16,
}

impl Phase1 {
    pub(super) fn of(cube: &Cube3) -> Self {
        let (corners, edges) = cube.places();
        let (mut twists, mut flips, mut slice) = ([0; CORNERS.len()], [0; EDGES.len()], 0);
        for &place in corners {
            twists[usize::from(place / 3)] = place % 3;
        }
        for (edge, &place) in edges.iter().enumerate() {
            flips[usize::from(place / 2)] = place % 2;
            slice |= u16::from(edge >= OUTER_EDGES) << (place / 2);
        }
        Self {
            twist: orientation_rank(3, &twists),
            flip: orientation_rank(2, &flips),
            slice: slice_rank(&slice_sets(), slice),
        }
    }
}

impl Phase2 {
    /// Returns the coordinates of a state whose phase-1 coordinates are 0.
    #[inline]
    pub(super) fn of(cube: &Cube3) -> Self {
        let (corners, edges) = cube.places();
        let (mut at_corner, mut at_edge) = ([0; CORNERS.len()], [0; EDGES.len()]);
        for (corner, &place) in (0..).zip(corners) {
            at_corner[usize::from(place / 3)] = corner;
        }
        for (edge, &place) in (0..).zip(edges) {
            at_edge[usize::from(place / 2)] = edge;
        }
        let (outer, slice) = at_edge.split_at(OUTER_EDGES);
        let outer: [u8; OUTER_EDGES] = std::array::from_fn(|at| outer[at]);
        let slice: [u8; 4] = std::array::from_fn(|at| slice[at]);
        Self {
            corners: permutation_rank(&at_corner),
            edges: permutation_rank(&outer),
            slice: permutation_rank(&slice),
        }
    }
}

/// Coordinates after each turn. Turns of phase 1 are indexed by [`FaceTurn::index`], turns of phase 2 by their index in
/// [`phase2_turns`].
pub(super) struct TurnTables {
    pub(super) twist: Vec<[u16; FaceTurn::COUNT]>,
    pub(super) flip: Vec<[u16; FaceTurn::COUNT]>,
    pub(super) slice: Vec<[u16; FaceTurn::COUNT]>,
    pub(super) corners: Vec<[u16; PHASE2_TURNS]>,
    pub(super) edges: Vec<[u16; PHASE2_TURNS]>,
    pub(super) slice_permutation: Vec<[u16; PHASE2_TURNS]>,
}

impl TurnTables {
    pub(super) fn new() -> Self {
        let turns: [FaceTurn; PHASE2_TURNS] = phase2_turns();
        let corner_table = |turn: usize| &CORNER_TURNS[turns[turn].index()];
        let edge_table = |turn: usize| &EDGE_TURNS[turns[turn].index()];
        let sets = slice_sets();
        let twist = |rank| {
            let twists: [u8; CORNERS.len()] = orientation(3, rank);
            std::array::from_fn(|turn| {
                orientation_rank(3, &moved(&CORNER_TURNS[turn], &twists, |twist, more| (twist + more) % 3))
            })
        };
        let flip = |rank| {
            let flips: [u8; EDGES.len()] = orientation(2, rank);
            std::array::from_fn(|turn| {
                orientation_rank(2, &moved(&EDGE_TURNS[turn], &flips, |flip, more| flip ^ more))
            })
        };
        let slice = |&set: &u16| {
            std::array::from_fn(|turn| {
                let after = |at: usize| u16::from(EDGE_TURNS[turn][2 * at] / 2);
                let occupied = (0..EDGES.len()).filter(|at| set >> at & 1 == 1);
                slice_rank(&sets, occupied.fold(0, |set, at| set | 1 << after(at)))
            })
        };
        let corners = |rank| {
            let corners: [u8; CORNERS.len()] = permutation(rank);
            std::array::from_fn(|turn| {
                permutation_rank(&moved(corner_table(turn), &corners, |corner, _| corner))
            })
        };
        let edges = |rank| {
            let outer: [u8; OUTER_EDGES] = permutation(rank);
            let edges: [u8; EDGES.len()] = std::array::from_fn(|at| *outer.get(at).unwrap_or(&(at as u8)));
            std::array::from_fn(|turn| {
                let after = moved(edge_table(turn), &edges, |edge, _| edge);
                permutation_rank::<OUTER_EDGES>(&std::array::from_fn(|at| after[at]))
            })
        };
        let slice_permutation = |rank| {
            let slice: [u8; 4] = permutation(rank);
            let edges: [u8; EDGES.len()] =
                std::array::from_fn(|at| at.checked_sub(OUTER_EDGES).map_or(0, |at| slice[at]));
            std::array::from_fn(|turn| {
                let after = moved(edge_table(turn), &edges, |edge, _| edge);
                permutation_rank::<4>(&std::array::from_fn(|at| after[OUTER_EDGES + at]))
            })
        };
        Self {
            twist: (0..TWISTS as u16).map(twist).collect(),
            flip: (0..FLIPS as u16).map(flip).collect(),
            slice: sets.iter().map(slice).collect(),
            corners: (0..PERMUTATIONS as u16).map(corners).collect(),
            edges: (0..PERMUTATIONS as u16).map(edges).collect(),
            slice_permutation: (0..SLICE_PERMUTATIONS as u16).map(slice_permutation).collect(),
        }
    }
}

/// Returns whether phase 2 may use a turn: turns of U and D, and half turns of the other faces.
pub(super) fn is_phase2_turn(turn: FaceTurn) -> bool {
    matches!(turn.face(), Face::U | Face::D) || turn.quarters() == 2
}

/// Returns the turns of phase 2 in the order of [`FaceTurn::index`].
pub(super) fn phase2_turns() -> [FaceTurn; PHASE2_TURNS] {
    let mut turns = FaceTurn::all().filter(|&turn| is_phase2_turn(turn));
    std::array::from_fn(|_| turns.next().unwrap_or(FaceTurn::FIRST))
}

/// Applies a turn to an array with one value per position. `table` is the move table of places; `twisted` adds the
/// twist of a piece by the turn to a value.
fn moved<const N: usize>(table: &[u8; PLACES], before: &[u8; N], twisted: impl Fn(u8, u8) -> u8) -> [u8; N] {
    let stickers = PLACES / N;
    let mut after = [0; N];
    for (from, &value) in before.iter().enumerate() {
        let to = usize::from(table[stickers * from]);
        after[to / stickers] = twisted(value, (to % stickers) as u8);
    }
    after
}

/// Returns all sets of four edge positions as bit masks in descending order. The set of the solved state is the first.
fn slice_sets() -> Vec<u16> {
    (0..1u16 << EDGES.len()).rev().filter(|set| set.count_ones() == 4).collect()
}

/// Returns the index of a set of four edge positions in `sets`, the list of [`slice_sets`].
fn slice_rank(sets: &[u16], set: u16) -> u16 {
    sets.partition_point(|&other| other > set) as u16
}
