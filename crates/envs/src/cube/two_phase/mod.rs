//! Two-phase algorithm for the 3×3×3 cube: Herbert Kociemba, 1992, <http://kociemba.org/cube.htm>.
//!
//! Phase 1 orients all pieces and moves the edges of the middle layer into this layer. The result is a state of the
//! subgroup ⟨U, D, R2, F2, L2, B2⟩. Phase 2 solves the cube with turns of this subgroup. Both phases are iterative
//! deepening searches (IDA*) with pruning tables. The search continues with longer first phases, which often have much
//! shorter second phases, until its budget is used.
//!
//! As in Kociemba's Cube Explorer, the search alternates between the cube, two rotations of the cube and the inverses
//! of these three: a short solution of any of the six is a short solution of the cube.

mod coordinates;
mod pruning;
mod search;

use super::cube3::Cube3;
use super::turn::TurnMetric;
use coordinates::TurnTables;
use pruning::PruningTables;
use search::{Search, SearchTables, Unobserved};
use std::sync::LazyLock;

pub use search::{TwoPhaseObserver, TwoPhaseSolution};

/// Solver of the 3×3×3 cube by the two-phase algorithm.
///
/// The tables of a metric (6 MB) are computed when its first solver is created, and shared by all solvers.
///
/// ```
/// use vivarium_envs::cube::{Cube3, CubeSize, TurnMetric, TwoPhaseSolver, parse_turns};
///
/// let scramble = parse_turns("R U2 F' L D B", CubeSize::Three)?;
/// let cube = scramble.iter().fold(Cube3::SOLVED, |cube, &turn| cube.turned(turn));
/// let solution = TwoPhaseSolver::new(TurnMetric::Half).solve(&cube, 100_000);
/// assert_eq!((solution.turns.len(), solution.is_optimal), (6, true));
/// # Ok::<(), vivarium_envs::cube::CubeNotationError>(())
/// ```
#[derive(Clone, Copy)]
pub struct TwoPhaseSolver {
    tables: SearchTables,
}

static TURN_TABLES: LazyLock<TurnTables> = LazyLock::new(TurnTables::new);
static HALF_TURNS: LazyLock<PruningTables> =
    LazyLock::new(|| PruningTables::new(TurnMetric::Half, &TURN_TABLES));
static QUARTER_TURNS: LazyLock<PruningTables> =
    LazyLock::new(|| PruningTables::new(TurnMetric::Quarter, &TURN_TABLES));

impl TwoPhaseSolver {
    /// Default number of search nodes, which take about half a second on one core.
    pub const DEFAULT_NODES: u64 = 2_000_000;

    /// Creates a solver that minimizes the number of moves in `metric`. The first call for a metric computes its
    /// tables, which takes less than a second.
    #[must_use]
    pub fn new(metric: TurnMetric) -> Self {
        let pruning: &'static PruningTables = match metric {
            TurnMetric::Half => &HALF_TURNS,
            TurnMetric::Quarter => &QUARTER_TURNS,
        };
        Self { tables: SearchTables { metric, turns: &TURN_TABLES, pruning } }
    }

    /// Solves `cube`, and then searches for shorter solutions until the solution is proved optimal or `max_nodes` search
    /// nodes are visited. The first solution is always completed, which takes at most about
    /// 11 million nodes. The result depends on the arguments only.
    #[must_use]
    pub fn solve(&self, cube: &Cube3, max_nodes: u64) -> TwoPhaseSolution {
        self.solve_observed(cube, max_nodes, &mut Unobserved)
    }

    /// Solves `cube` as [`solve`](Self::solve). `observer` receives improvements, and can stop the search.
    #[must_use]
    pub fn solve_observed(
        &self,
        cube: &Cube3,
        max_nodes: u64,
        observer: &mut dyn TwoPhaseObserver,
    ) -> TwoPhaseSolution {
        let solution = Search::new(self.tables, cube, max_nodes, observer).run();
        debug_assert!(solution.turns.iter().fold(*cube, |cube, &turn| cube.turned(turn)).is_solved());
        solution
    }

    /// Returns the turn metric in which the solver minimizes the number of moves.
    #[must_use]
    pub fn metric(&self) -> TurnMetric {
        self.tables.metric
    }
}
