//! Common interface of the 2×2×2 and the 3×3×3 cube.

use vivarium_agents::dqn::CubeProblem;
use vivarium_envs::cube::{Cube2, Cube3, CubeSize, Face, FaceTurn, StickerError};
use vivarium_kernels::rng::Stream;

/// Cube state of either size, 2×2×2 or 3×3×3: turns, distances and sticker colors.
pub(crate) trait CubePuzzle: Copy + PartialEq + Send + Sync + 'static {
    const SIZE: CubeSize;
    const SOLVED: Self;

    fn after(self, turn: FaceTurn) -> Self;

    /// Draws a state of the cube uniformly at random.
    fn random_state(random: &mut Stream) -> Self;

    /// Returns the colors of the stickers, face by face (U, R, F, D, L, B) and row by row within a face.
    fn faces(self) -> Vec<Face>;

    /// Parses a cube from its sticker colors.
    ///
    /// # Errors
    /// [`StickerError`] if the text is malformed or the cube is impossible.
    fn parse(stickers: &str) -> Result<Self, StickerError>;

    /// Returns the distance from the solved state in quarter turns; `None` for the 3×3×3 cube.
    fn distance(self) -> Option<u32> {
        None
    }

    /// Returns an optimal solution of the state; `None` for the 3×3×3 cube.
    fn solution(self) -> Option<Vec<FaceTurn>> {
        None
    }

    fn is_solved(self) -> bool {
        self == Self::SOLVED
    }

    /// Returns the sticker colors of the cube as letters of `URFDLB`.
    fn letters(self) -> String {
        self.faces().iter().map(Face::to_string).collect()
    }
}

macro_rules! puzzle {
    ($cube:ident, $size:expr, { $($own:tt)* }) => {
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

            fn parse(stickers: &str) -> Result<Self, StickerError> {
                Self::from_stickers(stickers)
            }

            $($own)*
        }
    };
}

puzzle!(Cube2, CubeSize::Two, {
    fn distance(self) -> Option<u32> {
        Some(CubeProblem::distances().of(self).into())
    }

    fn solution(self) -> Option<Vec<FaceTurn>> {
        Some(CubeProblem::distances().solution(self))
    }
});

puzzle!(Cube3, CubeSize::Three, {});
