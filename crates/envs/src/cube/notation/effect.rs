//! Effect of an algorithm: cycles of pieces, order and rotation.

use super::algorithm::CubeAlgorithm;
use super::orientation::CubeOrientation;
use crate::cube::cube2::Cube2;
use crate::cube::cube3::Cube3;
use crate::cube::piece_cycles::{PieceCycle, order};
use crate::cube::puzzle::CubePuzzle;
use crate::cube::turn::{CubeSize, Face, FaceTurn};

/// Effect of an algorithm on the solved cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlgorithmEffect {
    /// Orientation of the whole cube after the algorithm.
    pub orientation: CubeOrientation,
    /// Cycles of the pieces, relative to the frame of [`CubeAlgorithm::framed_turns`].
    pub cycles: Vec<PieceCycle>,
    /// Number of repetitions, at least 1, after which the solved cube is solved in its first orientation.
    pub order: u32,
    /// Colors of the stickers after the algorithm, in the standard orientation and the order of [`CubePuzzle::faces`].
    pub stickers: Vec<Face>,
}

impl CubeAlgorithm {
    /// Computes the effect of the algorithm on the solved cube.
    pub fn effect(&self) -> AlgorithmEffect {
        match self.size {
            CubeSize::Two => self.effect_on::<Cube2>(),
            CubeSize::Three => self.effect_on::<Cube3>(),
        }
    }

    fn effect_on<C: CubePuzzle>(&self) -> AlgorithmEffect {
        let after = |turns: &[FaceTurn]| turns.iter().fold(C::SOLVED, |cube, &turn| cube.after(turn));
        let moves = self.moves();
        let mut framed = self.framed_turns();
        let (orientation, cube) = (framed.orientation, after(&framed.turns));
        // The power with the standard orientation is an element of the group of states.
        let mut power = 1;
        while framed.orientation != CubeOrientation::STANDARD {
            framed.extend(&moves, self.size);
            power += 1;
        }
        let order = power * order(&after(&framed.turns).piece_cycles());
        AlgorithmEffect { orientation, cycles: cube.piece_cycles(), order, stickers: cube.faces() }
    }
}
