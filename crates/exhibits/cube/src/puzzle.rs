//! Cubes of the interactive table.

use vivarium_agents::dqn::CubeProblem;
use vivarium_envs::cube::{Cube2, Cube3, CubePuzzle, Face, FaceTurn};

/// Cube of the interactive table: state, exact solution if its size has one, and text for the page.
pub(crate) trait TableCube: CubePuzzle {
    /// Returns the distance from the solved state in quarter turns; `None` for the 3×3×3 cube.
    fn distance(self) -> Option<u32> {
        None
    }

    /// Returns an optimal solution of the state; `None` for the 3×3×3 cube.
    fn solution(self) -> Option<Vec<FaceTurn>> {
        None
    }

    /// Returns the sticker colors of the cube as letters of `URFDLB`.
    fn letters(self) -> String {
        self.faces().iter().map(Face::to_string).collect()
    }
}

impl TableCube for Cube2 {
    fn distance(self) -> Option<u32> {
        Some(CubeProblem::distances().of(self).into())
    }

    fn solution(self) -> Option<Vec<FaceTurn>> {
        Some(CubeProblem::distances().solution(self))
    }
}

impl TableCube for Cube3 {}
