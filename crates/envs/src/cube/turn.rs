//! Faces, face turns and turn metrics.

use std::fmt;

/// Face of the cube and, equivalently, the color of that face when solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Face {
    /// Up face, white in the standard color scheme.
    U,
    /// Right face, red in the standard color scheme.
    R,
    /// Front face, green in the standard color scheme.
    F,
    /// Down face, yellow in the standard color scheme.
    D,
    /// Left face, orange in the standard color scheme.
    L,
    /// Back face, blue in the standard color scheme.
    B,
}

impl Face {
    /// All faces, in the order in which the stickers of a cube are listed.
    pub const ALL: [Self; 6] = [Self::U, Self::R, Self::F, Self::D, Self::L, Self::B];

    /// Returns the name of the color in the standard color scheme.
    pub const fn color(self) -> &'static str {
        ["white", "red", "green", "yellow", "orange", "blue"][self as usize]
    }

    /// Returns the opposite face.
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 3) % 6]
    }

    /// Parses the initial of a face or of a color, in upper or lower case. R means right and red, B means back and
    /// blue: the same face in both readings.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            'U' | 'W' => Self::U,
            'R' => Self::R,
            'F' | 'G' => Self::F,
            'D' | 'Y' => Self::D,
            'L' | 'O' => Self::L,
            'B' => Self::B,
            _ => return None,
        })
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["U", "R", "F", "D", "L", "B"][*self as usize])
    }
}

/// Size of a cube: number of pieces along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CubeSize {
    /// 2×2×2 cube (Pocket Cube).
    Two,
    /// 3×3×3 cube (Rubik's Cube).
    Three,
}

/// Turn of one face: a clockwise quarter turn as viewed from outside, a half turn, or a counter-clockwise quarter
/// turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FaceTurn(u8);

impl FaceTurn {
    /// Number of face turns: 6 faces × 3 amounts (quarter, half, counter-clockwise quarter).
    pub const COUNT: usize = 18;

    /// The turn U, whose index is 0.
    pub(super) const FIRST: Self = Self(0);

    /// Returns a turn of `face` by `quarters` clockwise quarter turns modulo 4, or `None` if `quarters` is a multiple
    /// of 4.
    pub const fn new(face: Face, quarters: u8) -> Option<Self> {
        match quarters % 4 {
            0 => None,
            quarters => Some(Self(3 * face as u8 + quarters - 1)),
        }
    }

    /// Returns an iterator over all face turns in the order of [`index`](Self::index).
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Returns the index of the turn in the order U, U2, U', R, R2, R', F …
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the face that the turn rotates.
    pub const fn face(self) -> Face {
        Face::ALL[self.0 as usize / 3]
    }

    /// Returns the number of clockwise quarter turns: 1, 2 or 3.
    pub const fn quarters(self) -> u8 {
        self.0 % 3 + 1
    }

    /// Returns the inverse turn.
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self(3 * (self.0 / 3) + 2 - self.0 % 3)
    }
}

impl fmt::Display for FaceTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.face(), ["", "2", "'"][usize::from(self.quarters() - 1)])
    }
}

vivarium_config::choice! {
    /// Turn metric: the turns that count as one move.
    pub enum TurnMetric {
        /// Quarter-turn metric: U, U', R, R', F, F' … A move's inverse is its action index XOR 1.
        Quarter = "quarter",
        /// Half-turn metric: U, U2, U', R, R2, R' …
        Half = "half",
    }
}

impl TurnMetric {
    /// Returns the turns that count as one move, ordered by face as in [`Face::ALL`]; an action is an index into this
    /// slice. On the 2×2×2 cube only U, R and F turn.
    pub const fn turns(self, size: CubeSize) -> &'static [FaceTurn] {
        const HALF: [FaceTurn; FaceTurn::COUNT] = {
            let mut turns = [FaceTurn(0); FaceTurn::COUNT];
            let mut index = 0;
            while index < turns.len() {
                turns[index] = FaceTurn(index as u8);
                index += 1;
            }
            turns
        };
        const QUARTER: [FaceTurn; 12] = {
            let mut turns = [FaceTurn(0); 12];
            let mut index = 0;
            while index < turns.len() {
                turns[index] = FaceTurn((3 * (index / 2) + 2 * (index % 2)) as u8);
                index += 1;
            }
            turns
        };
        let all: &[FaceTurn] = match self {
            Self::Quarter => &QUARTER,
            Self::Half => &HALF,
        };
        match size {
            CubeSize::Two => all.split_at(all.len() / 2).0,
            CubeSize::Three => all,
        }
    }

    /// Returns the number of moves that a turn counts as: 2 for a half turn in the quarter-turn metric, else 1.
    pub const fn cost(self, turn: FaceTurn) -> u32 {
        match self {
            Self::Quarter if turn.quarters() == 2 => 2,
            Self::Quarter | Self::Half => 1,
        }
    }

    /// Returns the length of a turn sequence in moves.
    pub fn length(self, turns: &[FaceTurn]) -> u32 {
        turns.iter().map(|&turn| self.cost(turn)).sum()
    }

    /// Returns the action index of a turn. A half turn in the quarter-turn metric yields the action of a quarter turn
    /// of the same face.
    pub const fn action(self, turn: FaceTurn) -> usize {
        match self {
            Self::Quarter => 2 * turn.face() as usize + (turn.quarters() == 3) as usize,
            Self::Half => turn.index(),
        }
    }

    /// Returns the action index of the inverse of action `number`.
    pub const fn inverse(self, number: usize) -> usize {
        match self {
            Self::Quarter => number ^ 1,
            Self::Half => number / 3 * 3 + 2 - number % 3,
        }
    }

    /// Returns the range of action indices that are redundant after action `number`, because the two moves cancel or
    /// equal a single move. In the quarter-turn metric this is the inverse, in the half-turn metric every turn of the
    /// same face.
    pub const fn redundant_after(self, number: usize) -> std::ops::Range<usize> {
        match self {
            Self::Quarter => (number ^ 1)..(number ^ 1) + 1,
            Self::Half => number / 3 * 3..number / 3 * 3 + 3,
        }
    }
}
