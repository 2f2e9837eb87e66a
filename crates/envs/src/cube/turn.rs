//! Faces, turns of faces, and which turns count as one move.

use std::fmt;

/// A side of the cube, and the color that it has when solved: written as the side's initial, or as that of its usual
/// color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Face {
    /// Up; white.
    U,
    /// Right; red.
    R,
    /// Front; green.
    F,
    /// Down; yellow.
    D,
    /// Left; orange.
    L,
    /// Back; blue.
    B,
}

impl Face {
    /// All six, in the order in which stickers are listed.
    pub const ALL: [Self; 6] = [Self::U, Self::R, Self::F, Self::D, Self::L, Self::B];

    /// The usual color's name.
    pub const fn color(self) -> &'static str {
        ["white", "red", "green", "yellow", "orange", "blue"][self as usize]
    }

    /// The face across.
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 3) % 6]
    }

    /// The face with this initial, its own or its color's, in either case. No letter means two of them: R is right and
    /// red, B is back and blue.
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

/// How many pieces an edge of the cube has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// 2×2×2.
    Two,
    /// 3×3×3.
    Three,
}

/// A turn of one face: clockwise as seen from outside, half way round, or counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Turn(u8);

impl Turn {
    /// How many there are.
    pub const COUNT: usize = 18;

    /// U, the one with the number 0.
    pub(super) const FIRST: Self = Self(0);

    /// A face turned by so many quarters clockwise, counted modulo 4; `None` where that turns nothing.
    pub const fn new(face: Face, quarters: u8) -> Option<Self> {
        match quarters % 4 {
            0 => None,
            quarters => Some(Self(3 * face as u8 + quarters - 1)),
        }
    }

    /// Its number: U, U2, U', R, R2, R', F …
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Which face turns.
    pub const fn face(self) -> Face {
        Face::ALL[self.0 as usize / 3]
    }

    /// By how many quarters it turns clockwise: 1, 2 or 3.
    pub const fn quarters(self) -> u8 {
        self.0 % 3 + 1
    }

    /// The turn that takes this one back.
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self(3 * (self.0 / 3) + 2 - self.0 % 3)
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.face(), ["", "2", "'"][usize::from(self.quarters() - 1)])
    }
}

vivarium_config::choice! {
    /// Which turns count as one move.
    pub enum Metric {
        /// Quarter turns: U, U', R, R', F, F' … in this order, so that the number of a turn's inverse is its own with the
        /// last bit changed.
        Quarter = "quarter",
        /// Half turns too: U, U2, U', R, R2, R' …
        Half = "half",
    }
}

impl Metric {
    /// The turns that are one move, those of a face next to each other, in the order of [`Face::ALL`]; a turn's place
    /// here is its number as an action. The cube of 2×2×2 has those of the first three faces.
    pub const fn turns(self, size: Size) -> &'static [Turn] {
        const HALF: [Turn; Turn::COUNT] = {
            let mut turns = [Turn(0); Turn::COUNT];
            let mut index = 0;
            while index < turns.len() {
                turns[index] = Turn(index as u8);
                index += 1;
            }
            turns
        };
        const QUARTER: [Turn; 12] = {
            let mut turns = [Turn(0); 12];
            let mut index = 0;
            while index < turns.len() {
                turns[index] = Turn((3 * (index / 2) + 2 * (index % 2)) as u8);
                index += 1;
            }
            turns
        };
        let all: &[Turn] = match self {
            Self::Quarter => &QUARTER,
            Self::Half => &HALF,
        };
        match size {
            Size::Two => all.split_at(all.len() / 2).0,
            Size::Three => all,
        }
    }

    /// The number of a turn as an action; of one that is no single move, that of the first quarter of it.
    pub const fn action(self, turn: Turn) -> usize {
        match self {
            Self::Quarter => 2 * turn.face() as usize + (turn.quarters() == 3) as usize,
            Self::Half => turn.index(),
        }
    }

    /// The number of a move's inverse, among those of either size.
    pub const fn inverse(self, number: usize) -> usize {
        match self {
            Self::Quarter => number ^ 1,
            Self::Half => number / 3 * 3 + 2 - number % 3,
        }
    }

    /// The numbers of the moves that waste the one before, as together they come to no turn or to a single move: counting
    /// quarter turns the inverse, counting half turns any of the same face.
    pub const fn wasteful_after(self, number: usize) -> std::ops::Range<usize> {
        match self {
            Self::Quarter => (number ^ 1)..(number ^ 1) + 1,
            Self::Half => number / 3 * 3..number / 3 * 3 + 3,
        }
    }
}
