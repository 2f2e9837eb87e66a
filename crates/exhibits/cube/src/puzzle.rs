//! What a table needs of a cube beside its turns.

use vivarium_agents::dqn::CubeProblem;
use vivarium_envs::cube::{Cube2, Cube3, CubeSize, Face, FaceTurn, StickerError};
use vivarium_kernels::rng::Stream;

/// A cube that can be put on a table.
pub(crate) trait CubePuzzle: Copy + PartialEq + Send + Sync + 'static {
    const SIZE: CubeSize;
    const SOLVED: Self;

    fn after(self, turn: FaceTurn) -> Self;

    /// Any state, each as likely as the others.
    fn any(random: &mut Stream) -> Self;

    /// The colors of the stickers.
    fn faces(self) -> Vec<Face>;

    /// The cube that shows these colors.
    ///
    /// # Errors
    /// [`StickerError`] saying what about it is impossible.
    fn read(stickers: &str) -> Result<Self, StickerError>;

    /// The fewest quarter turns that solve it, where somebody knows.
    fn distance(self) -> Option<u32> {
        None
    }

    /// Turns that solve it in so many, where somebody knows.
    fn solution(self) -> Option<Vec<FaceTurn>> {
        None
    }

    fn is_solved(self) -> bool {
        self == Self::SOLVED
    }

    /// The stickers as people write them.
    fn written(self) -> String {
        self.faces().iter().map(Face::to_string).collect()
    }
}

impl CubePuzzle for Cube2 {
    const SIZE: CubeSize = CubeSize::Two;
    const SOLVED: Self = Self::SOLVED;

    fn after(self, turn: FaceTurn) -> Self {
        self.turned(turn)
    }

    fn any(random: &mut Stream) -> Self {
        Self::random(random)
    }

    fn faces(self) -> Vec<Face> {
        self.stickers().into()
    }

    fn read(stickers: &str) -> Result<Self, StickerError> {
        Self::from_stickers(stickers)
    }

    fn distance(self) -> Option<u32> {
        Some(CubeProblem::distances().of(self).into())
    }

    fn solution(self) -> Option<Vec<FaceTurn>> {
        Some(CubeProblem::distances().solution(self))
    }
}

impl CubePuzzle for Cube3 {
    const SIZE: CubeSize = CubeSize::Three;
    const SOLVED: Self = Self::SOLVED;

    fn after(self, turn: FaceTurn) -> Self {
        self.turned(turn)
    }

    fn any(random: &mut Stream) -> Self {
        Self::random(random)
    }

    fn faces(self) -> Vec<Face> {
        self.stickers().into()
    }

    fn read(stickers: &str) -> Result<Self, StickerError> {
        Self::from_stickers(stickers)
    }
}
