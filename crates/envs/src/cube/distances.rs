//! Table of the distance (minimum number of turns to the solved state) of every state of the 2×2×2 cube. The largest
//! entry is God's number.

use super::cube2::Cube2;
use super::turn::{FaceTurn, TurnMetric};

/// Table of the exact distance of every state of the 2×2×2 cube from the solved state in moves, computed by
/// breadth-first search.
#[derive(Clone, Debug)]
pub struct DistanceTable {
    metric: TurnMetric,
    /// Distance of each state from the solved state in moves, indexed by [`Cube2::rank`].
    of: Vec<u8>,
    counts: Vec<u32>,
}

impl DistanceTable {
    /// Computes the distances of all 3,674,160 states of the 2×2×2 cube in the turn metric `metric`, which takes less
    /// than a second.
    pub fn new(metric: TurnMetric) -> Self {
        const UNKNOWN: u8 = u8::MAX;
        let turns = Cube2::turns(metric);
        let mut of = vec![UNKNOWN; Cube2::STATES];
        of[Cube2::SOLVED.rank() as usize] = 0;
        let (mut layer, mut next) = (vec![Cube2::SOLVED], Vec::new());
        let mut counts = Vec::new();
        let mut after = [Cube2::SOLVED; FaceTurn::COUNT];
        while !layer.is_empty() {
            counts.push(layer.len() as u32);
            for cube in layer.drain(..) {
                cube.after_each(turns, &mut after);
                for &cube in &after[..turns.len()] {
                    let distance = &mut of[cube.rank() as usize];
                    if *distance == UNKNOWN {
                        *distance = counts.len() as u8;
                        next.push(cube);
                    }
                }
            }
            std::mem::swap(&mut layer, &mut next);
        }
        Self { metric, of, counts }
    }

    /// Returns the turn metric in which distances are counted.
    pub fn metric(&self) -> TurnMetric {
        self.metric
    }

    /// Returns the distance in moves of every state from the solved state, indexed by [`Cube2::rank`].
    pub fn all(&self) -> &[u8] {
        &self.of
    }

    /// Returns the number of states at each distance, starting with distance 0.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Returns the distance of the state `cube` from the solved state in moves: the length of its shortest solution.
    #[inline]
    pub fn of(&self, cube: Cube2) -> u8 {
        self.of[cube.rank() as usize]
    }

    /// Returns the optimal moves of a state as a bit mask: bit i is set if the i-th of [`Cube2::turns`] reduces the
    /// distance. 0 for the solved state.
    #[inline]
    pub fn optimal(&self, cube: Cube2) -> u16 {
        let turns = Cube2::turns(self.metric);
        let mut after = [Cube2::SOLVED; FaceTurn::COUNT];
        cube.after_each(turns, &mut after);
        let nearer = |after: &Cube2| self.of(*after) < self.of(cube);
        (0..turns.len()).filter(|&turn| nearer(&after[turn])).fold(0, |mask, turn| mask | 1 << turn)
    }

    /// Returns a shortest solution of a state. If several moves are optimal, the move with the lowest action index is
    /// chosen.
    pub fn solution(&self, mut cube: Cube2) -> Vec<FaceTurn> {
        let mut solution = Vec::with_capacity(self.of(cube).into());
        while !cube.is_solved() {
            let turn = Cube2::turns(self.metric)[self.optimal(cube).trailing_zeros() as usize];
            cube = cube.turned(turn);
            solution.push(turn);
        }
        solution
    }
}
