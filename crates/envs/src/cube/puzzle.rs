//! Common interface of the 2×2×2 and the 3×3×3 cube.

use super::cube2::Cube2;
use super::cube3::Cube3;
use super::piece_cycles::{PieceCycle, corner_cycles, edge_cycles};
use super::sticker_error::StickerError;
use super::turn::{CubeSize, Face, FaceTurn};
use vivarium_kernels::rng::Stream;

/// Cube state of either size, 2×2×2 or 3×3×3: turns and sticker colors.
pub trait CubePuzzle: Copy + PartialEq + Send + Sync + 'static {
    /// Size of the cube.
    const SIZE: CubeSize;
    /// Solved state.
    const SOLVED: Self;

    /// Returns the state after `turn`.
    #[must_use]
    fn after(self, turn: FaceTurn) -> Self;

    /// Draws a state of the cube uniformly at random.
    fn random_state(random: &mut Stream) -> Self;

    /// Returns the colors of the stickers, face by face (U, R, F, D, L, B) and row by row within a face.
    fn faces(self) -> Vec<Face>;

    /// Returns the cycles of the pieces from the solved state to this state, corners first.
    fn piece_cycles(self) -> Vec<PieceCycle>;

    /// Parses a cube from its sticker colors.
    ///
    /// # Errors
    /// [`StickerError`] if the text is malformed or the cube is impossible.
    fn parse(stickers: &str) -> Result<Self, StickerError>;

    /// Returns whether the cube is solved.
    fn is_solved(self) -> bool {
        self == Self::SOLVED
    }
}

macro_rules! puzzle {
    ($cube:ident, $size:expr, $cycles:expr) => {
        impl CubePuzzle for $cube {
            const SIZE: CubeSize = $size;
            const SOLVED: Self = Self::SOLVED;

            fn after(self, turn: FaceTurn) -> Self {
                self.turned(turn)
            }

            fn random_state(random: &mut Stream) -> Self {
                Self::random(random)
            }

            fn faces(self) -> Vec<Face> {
                self.stickers().into()
            }

            fn piece_cycles(self) -> Vec<PieceCycle> {
                $cycles(&self)
            }

            fn parse(stickers: &str) -> Result<Self, StickerError> {
                Self::from_stickers(stickers)
            }
        }
    };
}

puzzle!(Cube2, CubeSize::Two, |cube: &Cube2| corner_cycles(&cube.places()));
puzzle!(Cube3, CubeSize::Three, |cube: &Cube3| {
    let (corners, edges) = cube.places();
    [corner_cycles(corners), edge_cycles(edges)].concat()
});
