//! Moves of layers: face turns, wide turns, slice turns and rotations.

use crate::cube::turn::{Face, FaceTurn};
use std::fmt;

/// Axis of rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CubeAxis {
    /// From L to R; rotates in the direction of R.
    X,
    /// From D to U; rotates in the direction of U.
    Y,
    /// From B to F; rotates in the direction of F.
    Z,
}

/// Layers that move together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CubeLayers {
    /// One outer layer, such as `R`.
    Face(Face),
    /// An outer layer and the middle layer beside it, such as `Rw`.
    Wide(Face),
    /// The middle layer: M (axis x, direction of L), E (y, direction of D) or S (z, direction of F).
    Slice(CubeAxis),
    /// The whole cube: `x`, `y` or `z`.
    Whole(CubeAxis),
}

/// Move of layers by a clockwise quarter turn, a half turn, or a counter-clockwise quarter turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LayerMove {
    layers: CubeLayers,
    quarters: u8,
}

impl CubeAxis {
    /// All axes.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// Returns the axis of a face.
    pub const fn of(face: Face) -> Self {
        match face {
            Face::R | Face::L => Self::X,
            Face::U | Face::D => Self::Y,
            Face::F | Face::B => Self::Z,
        }
    }

    /// Returns the face whose clockwise turns have the direction of rotation of the axis.
    pub const fn face(self) -> Face {
        [Face::R, Face::U, Face::F][self as usize]
    }

    /// Returns the face whose clockwise turns have the direction of the slice turn: M, E or S.
    pub const fn slice_face(self) -> Face {
        [Face::L, Face::D, Face::F][self as usize]
    }
}

impl LayerMove {
    /// Returns a move of `layers` by `quarters` clockwise quarter turns modulo 4, or `None` if `quarters` is a multiple
    /// of 4.
    pub const fn new(layers: CubeLayers, quarters: u8) -> Option<Self> {
        match quarters % 4 {
            0 => None,
            quarters => Some(Self { layers, quarters }),
        }
    }

    /// Returns the layers that move.
    pub const fn layers(self) -> CubeLayers {
        self.layers
    }

    /// Returns the number of clockwise quarter turns: 1, 2 or 3.
    pub const fn quarters(self) -> u8 {
        self.quarters
    }

    /// Returns the inverse move.
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self { layers: self.layers, quarters: 4 - self.quarters }
    }

    /// Returns the move of the cube in a mirror between left and right, in the plane of the slice M: `L'` of `R`, `U'` of `U`,
    /// `M` of `M`.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        // A rotation about the axis x has the same direction in the mirror, but R and L are clockwise from opposite sides.
        match self.layers {
            CubeLayers::Face(face) => Self { layers: CubeLayers::Face(mirrored(face)), ..self.inverse() },
            CubeLayers::Wide(face) => Self { layers: CubeLayers::Wide(mirrored(face)), ..self.inverse() },
            CubeLayers::Slice(CubeAxis::X) | CubeLayers::Whole(CubeAxis::X) => self,
            CubeLayers::Slice(_) | CubeLayers::Whole(_) => self.inverse(),
        }
    }

    /// Returns the axis of the move.
    pub const fn axis(self) -> CubeAxis {
        match self.layers {
            CubeLayers::Face(face) | CubeLayers::Wide(face) => CubeAxis::of(face),
            CubeLayers::Slice(axis) | CubeLayers::Whole(axis) => axis,
        }
    }

    /// Returns the number of quarter turns, modulo 4 and in the axis's direction of rotation, of the three layers along
    /// the axis: the layer at L, D or B, the middle layer, and the layer at R, U or F.
    pub(super) fn layer_quarters(self) -> [u8; 3] {
        let (along, against) = (self.quarters, 4 - self.quarters);
        let is_positive = |face: Face| face < Face::D;
        match self.layers {
            CubeLayers::Face(face) if is_positive(face) => [0, 0, along],
            CubeLayers::Face(_) => [against, 0, 0],
            CubeLayers::Wide(face) if is_positive(face) => [0, along, along],
            CubeLayers::Wide(_) => [against, against, 0],
            CubeLayers::Slice(CubeAxis::Z) => [0, along, 0],
            CubeLayers::Slice(_) => [0, against, 0],
            CubeLayers::Whole(_) => [along; 3],
        }
    }
}

/// Exchanges R and L.
const fn mirrored(face: Face) -> Face {
    match face {
        Face::R | Face::L => face.opposite(),
        Face::U | Face::D | Face::F | Face::B => face,
    }
}

impl From<FaceTurn> for LayerMove {
    fn from(turn: FaceTurn) -> Self {
        Self { layers: CubeLayers::Face(turn.face()), quarters: turn.quarters() }
    }
}

impl fmt::Display for LayerMove {
    /// Writes the move in the notation of the WCA.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.layers {
            CubeLayers::Face(face) => write!(f, "{face}")?,
            CubeLayers::Wide(face) => write!(f, "{face}w")?,
            CubeLayers::Slice(axis) => f.write_str(["M", "E", "S"][axis as usize])?,
            CubeLayers::Whole(axis) => f.write_str(["x", "y", "z"][axis as usize])?,
        }
        f.write_str(["", "2", "'"][usize::from(self.quarters - 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirror_exchanges_the_layers_of_one_axis_and_reverses_the_others() {
        let faces = [Face::U, Face::R, Face::F, Face::D, Face::L, Face::B];
        let layers = faces.into_iter().flat_map(|face| [CubeLayers::Face(face), CubeLayers::Wide(face)]);
        let slices =
            CubeAxis::ALL.into_iter().flat_map(|axis| [CubeLayers::Slice(axis), CubeLayers::Whole(axis)]);
        for layers in layers.chain(slices) {
            for quarters in 1..4 {
                let made = LayerMove::new(layers, quarters).unwrap();
                let [left, middle, right] = made.layer_quarters();
                let expected = match made.axis() {
                    CubeAxis::X => [right, middle, left],
                    CubeAxis::Y | CubeAxis::Z => [left, middle, right].map(|quarters| (4 - quarters) % 4),
                };
                assert_eq!(
                    made.mirrored().layer_quarters().map(|quarters| quarters % 4),
                    expected.map(|quarters| quarters % 4),
                    "{made}"
                );
                assert_eq!(made.mirrored().mirrored(), made);
            }
        }
    }
}
