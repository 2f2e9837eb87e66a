//! Random-state scrambles, as at competitions of the World Cube Association
//! ([Regulations, article 4](https://www.worldcubeassociation.org/regulations/#article-4-scrambling)): a state is drawn
//! uniformly at random, and the inverse of a solution is the scramble. States that are few moves from the solved state
//! are drawn again. TNoodle, the official scramble program, has the same limits.

use super::cube2::Cube2;
use super::cube3::Cube3;
use super::distances::DistanceTable;
use super::puzzle::CubePuzzle;
use super::turn::{FaceTurn, TurnMetric};
use super::two_phase::TwoPhaseSolver;
use vivarium_kernels::rng::Stream;

/// Number of moves of a scramble of the 2×2×2 cube, also if the state has a shorter solution.
const CUBE2_LENGTH: u8 = 11;
/// Minimum number of moves from a scrambled 2×2×2 cube to the solved state, in the half-turn metric.
const CUBE2_MIN_DISTANCE: u8 = 4;
/// Number of search nodes for a scramble of the 3×3×3 cube.
const CUBE3_NODES: u64 = 20_000;

/// Random-state scramble of a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateScramble<C> {
    /// State of the solved cube after the scramble.
    pub state: C,
    /// Turns of the scramble.
    pub turns: Vec<FaceTurn>,
}

/// Generator of random-state scrambles.
pub trait StateScrambler {
    /// Cube that is scrambled.
    type Cube: CubePuzzle;

    /// Returns whether `state` is far enough from the solved state.
    fn is_far(&self, state: Self::Cube) -> bool;

    /// Returns turns that solve `state`, in the half-turn metric. `random` selects one of several solutions.
    fn solution(&self, state: Self::Cube, random: &mut Stream) -> Vec<FaceTurn>;

    /// Draws a state uniformly from all states that are [far](Self::is_far) enough from the solved state, and returns
    /// its scramble.
    fn scramble(&self, random: &mut Stream) -> StateScramble<Self::Cube> {
        let state = loop {
            let state = Self::Cube::random_state(random);
            if self.is_far(state) {
                break state;
            }
        };
        let solution = self.solution(state, random);
        StateScramble { state, turns: solution.into_iter().rev().map(FaceTurn::inverse).collect() }
    }
}

/// Generator of random-state scrambles of the 2×2×2 cube. A scramble has 11 moves, and the solved state is at least 4
/// moves away.
#[derive(Clone, Debug)]
pub struct Cube2Scrambler {
    distances: DistanceTable,
}

impl Default for Cube2Scrambler {
    /// Computes the distances of all states, which takes less than a second.
    fn default() -> Self {
        Self { distances: DistanceTable::new(TurnMetric::Half) }
    }
}

impl Cube2Scrambler {
    /// Appends `remaining` moves to `solution` that solve `cube`. Returns `false` if there are no such moves.
    fn extend(&self, cube: Cube2, remaining: u8, random: &mut Stream, solution: &mut Vec<FaceTurn>) -> bool {
        if remaining == 0 {
            return cube.is_solved();
        }
        let mut turns: [FaceTurn; 9] = std::array::from_fn(|index| Cube2::turns(TurnMetric::Half)[index]);
        random.shuffle(&mut turns);
        for turn in turns {
            let after = cube.turned(turn);
            if solution.last().is_some_and(|last| last.face() == turn.face())
                || self.distances.of(after) >= remaining
            {
                continue;
            }
            solution.push(turn);
            if self.extend(after, remaining - 1, random, solution) {
                return true;
            }
            solution.pop();
        }
        false
    }
}

impl StateScrambler for Cube2Scrambler {
    type Cube = Cube2;

    fn is_far(&self, state: Cube2) -> bool {
        self.distances.of(state) >= CUBE2_MIN_DISTANCE
    }

    fn solution(&self, state: Cube2, random: &mut Stream) -> Vec<FaceTurn> {
        let mut solution = Vec::new();
        // Every state that is far enough has a solution of 11 moves; a test checks this.
        self.extend(state, CUBE2_LENGTH, random, &mut solution);
        solution
    }
}

/// Generator of random-state scrambles of the 3×3×3 cube: inverses of solutions of the two-phase algorithm. The solved
/// state is at least 2 moves away.
#[derive(Clone, Copy)]
pub struct Cube3Scrambler {
    solver: TwoPhaseSolver,
}

impl Default for Cube3Scrambler {
    /// Computes the tables of the two-phase algorithm if this is their first use, which takes less than a second.
    fn default() -> Self {
        Self { solver: TwoPhaseSolver::new(TurnMetric::Half) }
    }
}

impl StateScrambler for Cube3Scrambler {
    type Cube = Cube3;

    fn is_far(&self, state: Cube3) -> bool {
        let is_near = |&turn: &FaceTurn| state.turned(turn).is_solved();
        !state.is_solved() && !Cube3::turns(TurnMetric::Half).iter().any(is_near)
    }

    fn solution(&self, state: Cube3, _: &mut Stream) -> Vec<FaceTurn> {
        self.solver.solve(&state, CUBE3_NODES).turns
    }
}
