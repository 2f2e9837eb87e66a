//! What a table needs of a cube beside its turns.

use vivarium_agents::dqn::Cubes;
use vivarium_envs::cube::{Cube2, Cube3, Face, Size, StickerError, Turn};
use vivarium_kernels::rng::Stream;

/// A cube that can be put on a table.
pub(crate) trait Puzzle: Copy + PartialEq + Send + Sync + 'static {
    const SIZE: Size;
    const SOLVED: Self;

    fn after(self, turn: Turn) -> Self;

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
    fn solution(self) -> Option<Vec<Turn>> {
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

impl Puzzle for Cube2 {
    const SIZE: Size = Size::Two;
    const SOLVED: Self = Self::SOLVED;

    fn after(self, turn: Turn) -> Self {
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
        Some(Cubes::distances().of(self).into())
    }

    fn solution(self) -> Option<Vec<Turn>> {
        Some(Cubes::distances().solution(self))
    }
}

impl Puzzle for Cube3 {
    const SIZE: Size = Size::Three;
    const SOLVED: Self = Self::SOLVED;

    fn after(self, turn: Turn) -> Self {
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
