//! Cubes of the interactive table.

use std::sync::LazyLock;
use vivarium_agents::dqn::CubeProblem;
use vivarium_envs::cube::{Cube2, Cube3, CubePuzzle, DistanceTable, Face, FaceTurn, TurnMetric};

/// Cube of the interactive table: state, exact solution if its size has one, and text for the page.
pub(crate) trait TableCube: CubePuzzle {
    /// Returns the distance from the solved state in quarter turns; `None` for the 3×3×3 cube.
    fn distance(self) -> Option<u32> {
        None
    }

    /// Returns a solution with the fewest moves in `metric`; `None` for the 3×3×3 cube.
    fn solution(self, _metric: TurnMetric) -> Option<Vec<FaceTurn>> {
        None
    }

    /// Returns the sticker colors of the cube as letters of `URFDLB`.
    fn letters(self) -> String {
        self.faces().iter().map(Face::to_string).collect()
    }
}

/// Distances of all states of the 2×2×2 cube in half turns, which are computed for the first solution in this metric.
static HALF_TURNS: LazyLock<DistanceTable> = LazyLock::new(|| DistanceTable::new(TurnMetric::Half));

impl TableCube for Cube2 {
    fn distance(self) -> Option<u32> {
        Some(CubeProblem::distances().of(self).into())
    }

    fn solution(self, metric: TurnMetric) -> Option<Vec<FaceTurn>> {
        Some(match metric {
            TurnMetric::Half => HALF_TURNS.solution(self),
            TurnMetric::Quarter => CubeProblem::distances().solution(self),
        })
    }
}

impl TableCube for Cube3 {}
