//! Orientation of the whole cube.

use super::layer_move::{CubeAxis, CubeLayers, LayerMove};
use crate::cube::turn::Face;

/// Orientation of the whole cube: the face of the cube at each position, as the viewer sees the cube. The default is the
/// standard orientation, with U up and F in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CubeOrientation([Face; 6]);

impl CubeOrientation {
    /// Standard orientation.
    pub const STANDARD: Self = Self(Face::ALL);

    /// Returns the face of the cube that lies where the viewer sees the face `position`.
    pub const fn at(self, position: Face) -> Face {
        self.0[position as usize]
    }

    /// Returns the position at which the viewer sees the face `face` of the cube.
    pub fn position_of(self, face: Face) -> Face {
        Face::ALL.into_iter().find(|&position| self.at(position) == face).unwrap_or(face)
    }

    /// Returns the colors of the stickers as the viewer sees them. `stickers` holds the colors of the cube in the standard
    /// orientation. Both lists go face by face (U, R, F, D, L, B) and row by row within a face.
    pub fn seen(self, stickers: &[Face]) -> Vec<Face> {
        let edge = if stickers.len() == 24 { 2 } else { 3 };
        let mut seen = Vec::with_capacity(stickers.len());
        for position in Face::ALL {
            let face = self.at(position);
            let [right, down] = directions(position).map(|side| self.at(side));
            for cell in 0..edge * edge {
                let (row, column) = (cell / edge, cell % edge);
                // Column and row of the sticker in the standard orientation.
                let [standard_column, standard_row] = directions(face).map(|side| match side {
                    _ if side == right => column,
                    _ if side == down => row,
                    _ if side == right.opposite() => edge - 1 - column,
                    _ => edge - 1 - row,
                });
                seen.push(stickers[edge * (edge * face as usize + standard_row) + standard_column]);
            }
        }
        seen
    }

    /// Returns the orientation after a rotation about `axis` by `quarters` quarter turns.
    #[must_use]
    pub fn rotated(self, axis: CubeAxis, quarters: u8) -> Self {
        use Face::{B, D, F, L, R, U};
        // Each face moves to the next position of its cycle.
        let cycle = match axis {
            CubeAxis::X => [F, U, B, D],
            CubeAxis::Y => [F, L, B, R],
            CubeAxis::Z => [U, R, D, L],
        };
        let mut faces = self.0;
        for (step, from) in cycle.into_iter().enumerate() {
            faces[cycle[(step + usize::from(quarters)) % 4] as usize] = self.at(from);
        }
        Self(faces)
    }

    /// Returns the fewest rotations, at most two, that lead from the standard orientation to this orientation.
    pub fn rotations(self) -> Vec<LayerMove> {
        self.to_standard().iter().rev().map(|rotation| rotation.inverse()).collect()
    }

    /// Returns the fewest rotations, at most two, that lead to the standard orientation.
    pub fn to_standard(self) -> Vec<LayerMove> {
        // Index 0 is no rotation, so that one rotation is found before two.
        let rotation = |index: usize| (CubeAxis::ALL[index / 4], (index % 4) as u8);
        for first in 0..12 {
            for second in 0..12 {
                let rotations = [rotation(first), rotation(second)];
                let turned =
                    rotations.iter().fold(self, |now, &(axis, quarters)| now.rotated(axis, quarters));
                if turned == Self::STANDARD {
                    let whole = |(axis, quarters)| LayerMove::new(CubeLayers::Whole(axis), quarters);
                    return rotations.into_iter().filter_map(whole).collect();
                }
            }
        }
        Vec::new()
    }
}

/// Returns the faces towards which the columns and the rows of a face are counted.
const fn directions(face: Face) -> [Face; 2] {
    use Face::{B, D, F, L, R};
    match face {
        Face::U => [R, F],
        Face::R => [B, D],
        Face::F => [R, D],
        Face::D => [R, B],
        Face::L => [F, D],
        Face::B => [L, D],
    }
}

impl Default for CubeOrientation {
    fn default() -> Self {
        Self::STANDARD
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Cube2, Cube3, CubeAlgorithm, CubePuzzle, CubeSize, parse_turns};

    /// Returns the stickers of a cube after an algorithm, as the viewer sees them.
    fn seen<C: CubePuzzle>(text: &str) -> Vec<Face> {
        let framed = CubeAlgorithm::parse(text, C::SIZE).unwrap().framed_turns();
        framed.orientation.seen(&framed.turns.iter().fold(C::SOLVED, |cube, &turn| cube.after(turn)).faces())
    }

    #[test]
    fn a_rotated_cube_is_seen_from_its_new_front() {
        use Face::{B, D, F, L, R, U};
        let centers = |text| (0..6).map(|face| seen::<Cube3>(text)[9 * face + 4]).collect::<Vec<_>>();
        assert_eq!(centers("x"), [F, R, D, B, L, U]);
        assert_eq!(centers("y"), [U, B, R, D, F, L]);
        assert_eq!(centers("M'"), [F, R, D, B, L, U]);
        // Opposite turns of both faces of an axis rotate the 2×2×2 cube.
        for (turns, rotation) in [("R L'", "x"), ("U D'", "y"), ("F B'", "z")] {
            assert_eq!(
                seen::<Cube2>(&format!("F R U' {turns}")),
                seen::<Cube2>(&format!("F R U' {rotation}"))
            );
        }
    }

    #[test]
    fn turns_of_a_rotated_cube_are_turns_of_the_seen_faces() {
        // The parser names the faces of a 3×3×3 cube by their centers, as the viewer sees them.
        for rotation in ["x2 y", "z'", "x y'", "y2 z", "Rw' E"] {
            let rotated = |text: &str| {
                let letters: String = seen::<Cube3>(text).iter().map(Face::to_string).collect();
                Cube3::from_stickers(&letters).unwrap()
            };
            let turns = parse_turns("R U2 F' L D B", CubeSize::Three).unwrap();
            let expected = turns.iter().fold(rotated(rotation), |cube, &turn| cube.turned(turn));
            assert_eq!(rotated(&format!("{rotation} R U2 F' L D B")), expected, "{rotation}");
        }
    }
}
