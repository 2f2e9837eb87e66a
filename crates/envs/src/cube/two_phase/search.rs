//! Search of the two-phase algorithm.

use super::super::cube3::Cube3;
use super::super::cube3_symmetry::Symmetry;
use super::super::turn::{FaceTurn, TurnMetric};
use super::coordinates::{PHASE2_TURNS, Phase1, Phase2, TurnTables, is_phase2_turn, phase2_turns};
use super::pruning::PruningTables;

/// Number of rotations of the cube that are searched: the axes of phase 2 are U-D, R-L and F-B.
const ROTATIONS: usize = 3;

/// Solution of the [`TwoPhaseSolver`](super::TwoPhaseSolver).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwoPhaseSolution {
    /// Turns that solve the cube.
    pub turns: Vec<FaceTurn>,
    /// Number of search nodes that were visited.
    pub nodes: u64,
    /// Whether the search has proved that no shorter solution exists. If `false`, a shorter solution may exist.
    pub is_optimal: bool,
}

/// Tables of a search in one turn metric.
#[derive(Clone, Copy)]
pub(super) struct SearchTables {
    pub(super) metric: TurnMetric,
    pub(super) turns: &'static TurnTables,
    pub(super) pruning: &'static PruningTables,
}

/// Cube that the search solves instead of the given cube: its image under a rotation, or the inverse of this image.
struct Variant {
    cube: Cube3,
    symmetry: Symmetry,
    is_inverse: bool,
}

/// Observer of a search: receives improvements, and can stop the search.
pub trait TwoPhaseObserver {
    /// Receives a solution that is shorter than all solutions before, and the number of search nodes so far.
    fn improved(&mut self, turns: &[FaceTurn], nodes: u64);

    /// Receives the number of search nodes so far, and returns whether the search stops. The first solution is completed
    /// nevertheless. Called regularly during the search.
    fn is_stopped(&mut self, nodes: u64) -> bool;
}

/// Observer that ignores improvements and never stops a search.
pub(super) struct Unobserved;

impl TwoPhaseObserver for Unobserved {
    fn improved(&mut self, _turns: &[FaceTurn], _nodes: u64) {}

    fn is_stopped(&mut self, _nodes: u64) -> bool {
        false
    }
}

/// Number of search nodes between two calls of [`TwoPhaseObserver::is_stopped`].
const OBSERVED_NODES: u64 = 1 << 16;

/// Search for short solutions of one cube.
pub(super) struct Search<'a> {
    observer: &'a mut dyn TwoPhaseObserver,
    tables: SearchTables,
    phase2_turns: [FaceTurn; PHASE2_TURNS],
    variants: Vec<Variant>,
    nodes: u64,
    max_nodes: u64,
    /// Turns from the start of the current variant to the current node.
    path: Vec<FaceTurn>,
    best: Option<Vec<FaceTurn>>,
    /// Length in moves of the best solution; `u32::MAX` before the first.
    best_length: u32,
    /// Fewest moves of a first phase whose second phase was limited by [`max_phase2`] instead of by the best solution.
    shortest_limited: u32,
}

/// Maximum number of moves of a second phase. Longer second phases take long, and rarely belong to a short solution.
const fn max_phase2(metric: TurnMetric) -> u32 {
    match metric {
        TurnMetric::Half => 10,
        TurnMetric::Quarter => 16,
    }
}

/// Number of search nodes after which a search without a solution no longer limits second phases. Nearly every first phase
/// has a second phase then, so that the first solution is soon found, but is longer. With the limit, the first solution of the
/// superflip takes 6.4 million nodes in half turns and 89 million in quarter turns; random cubes take far fewer.
const LIMITED_NODES: u64 = 10_000_000;

impl<'a> Search<'a> {
    pub(super) fn new(
        tables: SearchTables,
        cube: &Cube3,
        max_nodes: u64,
        observer: &'a mut dyn TwoPhaseObserver,
    ) -> Self {
        // The first symmetries are the rotations that permute the three axes cyclically.
        let variants = Symmetry::all().take(ROTATIONS).flat_map(|symmetry| {
            let image = symmetry.cube(cube);
            [false, true].map(|is_inverse| Variant {
                cube: if is_inverse { image.inverse() } else { image },
                symmetry,
                is_inverse,
            })
        });
        Self {
            observer,
            tables,
            phase2_turns: phase2_turns(),
            variants: variants.collect(),
            nodes: 0,
            max_nodes,
            path: Vec::new(),
            best: None,
            best_length: u32::MAX,
            shortest_limited: u32::MAX,
        }
    }

    pub(super) fn run(mut self) -> TwoPhaseSolution {
        let mut length = 0;
        while length < self.best_length && !self.is_over() {
            for variant in 0..self.variants.len() {
                let start = Phase1::of(&self.variants[variant].cube);
                if self.tables.pruning.phase1(start) <= length && length < self.best_length {
                    self.phase1(variant, start, length, length);
                }
            }
            length += 1;
        }
        let needed = self.best_length.saturating_sub(1 + max_phase2(self.tables.metric));
        let is_optimal = length >= self.best_length && !self.was_stopped() && self.shortest_limited >= needed;
        TwoPhaseSolution { turns: self.best.unwrap_or_default(), nodes: self.nodes, is_optimal }
    }

    /// Counts a search node. A search that the observer stops has used its budget.
    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(OBSERVED_NODES) && self.observer.is_stopped(self.nodes) {
            self.max_nodes = self.max_nodes.min(self.nodes);
        }
    }

    fn was_stopped(&self) -> bool {
        self.nodes >= self.max_nodes
    }

    /// Returns whether the search ends: the budget is used, and there is a solution.
    fn is_over(&self) -> bool {
        self.was_stopped() && self.best.is_some()
    }

    /// Returns whether second phases are limited by [`max_phase2`].
    fn is_limited(&self) -> bool {
        self.best.is_some() || !self.was_stopped() || self.nodes < LIMITED_NODES
    }

    /// Returns whether a turn of face `turn.face()` is redundant at the current node: the same face turned last, or the
    /// opposite face, and the two turns are in the order that is not searched.
    #[inline]
    fn is_redundant(&self, turn: FaceTurn) -> bool {
        self.path.last().is_some_and(|last| {
            let (face, last) = (turn.face(), last.face());
            face == last || (face == last.opposite() && face < last)
        })
    }

    /// Searches all first phases that have `remaining` more moves, `length` moves in total. `at` holds the coordinates
    /// of the current node.
    fn phase1(&mut self, variant: usize, at: Phase1, remaining: u32, length: u32) {
        self.count_node();
        if remaining == 0 {
            self.start_phase2(variant, length);
            return;
        }
        let SearchTables { turns, pruning, .. } = self.tables;
        for turn in FaceTurn::all() {
            let cost = pruning.costs[turn.index()];
            // A first phase that ends with a turn of phase 2 is also found as a shorter first phase.
            if cost > remaining || (cost == remaining && is_phase2_turn(turn)) || self.is_redundant(turn) {
                continue;
            }
            let after = Phase1 {
                twist: turns.twist[usize::from(at.twist)][turn.index()],
                flip: turns.flip[usize::from(at.flip)][turn.index()],
                slice: turns.slice[usize::from(at.slice)][turn.index()],
            };
            if pruning.phase1(after) > remaining - cost {
                continue;
            }
            self.path.push(turn);
            self.phase1(variant, after, remaining - cost, length);
            self.path.pop();
            if self.is_over() || length >= self.best_length {
                return;
            }
        }
    }

    /// Searches for the shortest second phase after a first phase of `length` moves.
    fn start_phase2(&mut self, variant: usize, length: u32) {
        let metric = self.tables.metric;
        let start = self.variants[variant].cube;
        let cube = self.path.iter().fold(start, |cube, &turn| cube.turned(turn));
        let at = Phase2::of(&cube);
        let allowed = self.best_length - 1 - length;
        let limit = if self.is_limited() { allowed.min(max_phase2(metric)) } else { allowed };
        if limit < allowed {
            self.shortest_limited = self.shortest_limited.min(length);
        }
        let mut remaining = self.tables.pruning.phase2(at);
        while remaining <= limit {
            if self.phase2(variant, at, remaining) {
                self.best_length = length + remaining;
                return;
            }
            if self.is_over() {
                return;
            }
            // Each quarter turn changes the parity of the permutation, so the number of quarter turns is odd or even.
            remaining += if metric == TurnMetric::Quarter { 2 } else { 1 };
        }
    }

    /// Searches second phases with `remaining` more moves. Returns `true` and stores the solution if one is found.
    fn phase2(&mut self, variant: usize, at: Phase2, remaining: u32) -> bool {
        self.count_node();
        let SearchTables { turns, pruning, .. } = self.tables;
        if remaining == 0 {
            let solution = self.solution(variant);
            self.observer.improved(&solution, self.nodes);
            self.best = Some(solution);
            return true;
        }
        for index in 0..PHASE2_TURNS {
            let turn = self.phase2_turns[index];
            let cost = pruning.costs[turn.index()];
            if cost > remaining || self.is_redundant(turn) {
                continue;
            }
            let after = Phase2 {
                corners: turns.corners[usize::from(at.corners)][index],
                edges: turns.edges[usize::from(at.edges)][index],
                slice: turns.slice_permutation[usize::from(at.slice)][index],
            };
            if pruning.phase2(after) > remaining - cost {
                continue;
            }
            self.path.push(turn);
            let is_found = self.phase2(variant, after, remaining - cost);
            self.path.pop();
            if is_found || self.is_over() {
                return is_found;
            }
        }
        false
    }

    /// Returns the solution of the given cube that corresponds to the path, a solution of `variant`.
    fn solution(&self, variant: usize) -> Vec<FaceTurn> {
        let Variant { symmetry, is_inverse, .. } = self.variants[variant];
        let original = |image: &FaceTurn| FaceTurn::all().find(|&turn| symmetry.turn(turn) == *image);
        let turns = self.path.iter().filter_map(original);
        if is_inverse { turns.rev().map(FaceTurn::inverse).collect() } else { turns.collect() }
    }
}
