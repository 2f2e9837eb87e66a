//! Pruning tables: lower bounds of the number of moves that a phase needs.

use super::super::turn::{FaceTurn, TurnMetric};
use super::coordinates::{
    FLIPS, PERMUTATIONS, PHASE2_TURNS, Phase1, Phase2, SLICE_PERMUTATIONS, SLICES, TWISTS, TurnTables,
    phase2_turns,
};

/// Distances from the solved state in two coordinates at a time, in one turn metric. The lower bound of a phase is the
/// maximum of two distances. About 4 MB.
pub(super) struct PruningTables {
    /// Number of moves that each turn counts as, by [`FaceTurn::index`].
    pub(super) costs: [u32; FaceTurn::COUNT],
    /// `[TWISTS, SLICES]`
    twist_slice: Vec<u8>,
    /// `[FLIPS, SLICES]`
    flip_slice: Vec<u8>,
    /// `[PERMUTATIONS, SLICE_PERMUTATIONS]`
    corners_slice: Vec<u8>,
    /// `[PERMUTATIONS, SLICE_PERMUTATIONS]`
    edges_slice: Vec<u8>,
}

impl PruningTables {
    pub(super) fn new(metric: TurnMetric, turns: &TurnTables) -> Self {
        let mut costs = [0; FaceTurn::COUNT];
        for turn in FaceTurn::all() {
            costs[turn.index()] = metric.cost(turn);
        }
        let phase2_costs: [u32; PHASE2_TURNS] = phase2_turns().map(|turn| costs[turn.index()]);
        Self {
            costs,
            twist_slice: distances(&turns.twist, &turns.slice, &costs),
            flip_slice: distances(&turns.flip, &turns.slice, &costs),
            corners_slice: distances(&turns.corners, &turns.slice_permutation, &phase2_costs),
            edges_slice: distances(&turns.edges, &turns.slice_permutation, &phase2_costs),
        }
    }

    /// Returns a lower bound of the number of moves of phase 1. 0 if and only if phase 1 is complete.
    #[inline]
    pub(super) fn phase1(&self, at: Phase1) -> u32 {
        let slice = usize::from(at.slice);
        debug_assert!(usize::from(at.twist) < TWISTS && usize::from(at.flip) < FLIPS);
        let twist = self.twist_slice[usize::from(at.twist) * SLICES + slice];
        let flip = self.flip_slice[usize::from(at.flip) * SLICES + slice];
        u32::from(twist.max(flip))
    }

    /// Returns a lower bound of the number of moves of phase 2. 0 if and only if the cube is solved.
    #[inline]
    pub(super) fn phase2(&self, at: Phase2) -> u32 {
        let slice = usize::from(at.slice);
        debug_assert!(usize::from(at.corners.max(at.edges)) < PERMUTATIONS);
        let corners = self.corners_slice[usize::from(at.corners) * SLICE_PERMUTATIONS + slice];
        let edges = self.edges_slice[usize::from(at.edges) * SLICE_PERMUTATIONS + slice];
        u32::from(corners.max(edges))
    }
}

/// Computes the distance of each pair of coordinates from the pair (0, 0): `[first.len(), second.len()]`. Turn i counts
/// as `costs[i]` moves. Dijkstra's algorithm, with the table as its queue.
fn distances<const N: usize>(first: &[[u16; N]], second: &[[u16; N]], costs: &[u32; N]) -> Vec<u8> {
    let mut distances = vec![u8::MAX; first.len() * second.len()];
    distances[0] = 0;
    let (mut distance, mut largest) = (0, 0);
    while distance <= largest {
        for (at, first_turns) in first.iter().enumerate() {
            for (beside, second_turns) in second.iter().enumerate() {
                if distances[at * second.len() + beside] != distance {
                    continue;
                }
                for turn in 0..N {
                    let after =
                        usize::from(first_turns[turn]) * second.len() + usize::from(second_turns[turn]);
                    let candidate = distance + costs[turn] as u8;
                    if distances[after] > candidate {
                        distances[after] = candidate;
                        largest = largest.max(candidate);
                    }
                }
            }
        }
        distance += 1;
    }
    distances
}
