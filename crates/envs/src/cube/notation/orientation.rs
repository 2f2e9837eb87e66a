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
        let rotations =
            || CubeAxis::ALL.into_iter().flat_map(|axis| (1..4).map(move |quarters| (axis, quarters)));
        let whole = |(axis, quarters)| LayerMove::new(CubeLayers::Whole(axis), quarters);
        if self == Self::STANDARD {
            return Vec::new();
        }
        let is_standard =
            |orientation: Self, (axis, quarters)| orientation.rotated(axis, quarters) == Self::STANDARD;
        if let Some(rotation) = rotations().find(|&rotation| is_standard(self, rotation)) {
            return whole(rotation).into_iter().collect();
        }
        let two = rotations().find_map(|(axis, quarters)| {
            let then = rotations().find(|&then| is_standard(self.rotated(axis, quarters), then))?;
            Some([(axis, quarters), then])
        });
        two.into_iter().flatten().filter_map(whole).collect()
    }
}

impl Default for CubeOrientation {
    fn default() -> Self {
        Self::STANDARD
    }
}
