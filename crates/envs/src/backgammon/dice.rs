//! Rolls of two dice, and where they come from.

use vivarium_kernels::rng;

/// Two dice, the higher one first. The order in which they fell does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    high: u8,
    low: u8,
}

/// Dice that do not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a die shows {got}; it can show 1 to 6")]
pub struct DiceError {
    /// What it was said to show.
    pub got: u8,
}

impl Roll {
    /// How many rolls there are.
    pub const COUNT: usize = 21;

    /// All rolls, each at its [`index`](Self::index): 1-1, 2-1, 2-2, 3-1 … 6-6.
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self { high: 1, low: 1 }; Self::COUNT];
        let (mut index, mut high) = (0, 1);
        while high <= 6 {
            let mut low = 1;
            while low <= high {
                all[index] = Self { high, low };
                index += 1;
                low += 1;
            }
            high += 1;
        }
        all
    };

    /// The roll of two dice, in any order.
    ///
    /// # Errors
    /// [`DiceError`] if a die shows anything but 1 to 6.
    pub fn new(first: u8, second: u8) -> Result<Self, DiceError> {
        match [first, second].into_iter().find(|die| !(1..=6).contains(die)) {
            Some(got) => Err(DiceError { got }),
            None => Ok(Self { high: first.max(second), low: first.min(second) }),
        }
    }

    /// The higher die.
    #[inline]
    pub const fn high(self) -> u8 {
        self.high
    }

    /// The lower die, the same as the higher one in a double.
    #[inline]
    pub const fn low(self) -> u8 {
        self.low
    }

    /// Both dice show the same, and count twice each.
    #[inline]
    pub const fn is_double(self) -> bool {
        self.high == self.low
    }

    /// The number of the roll among [`ALL`](Self::ALL).
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.high * (self.high - 1) / 2 + self.low - 1)
    }

    /// In how many of the 36 ways two dice fall this way: 1 for a double, 2 otherwise.
    #[inline]
    pub const fn ways(self) -> u32 {
        if self.is_double() { 1 } else { 2 }
    }

    /// How likely the roll is.
    pub const fn probability(self) -> f32 {
        self.ways() as f32 / 36.0
    }
}

impl std::fmt::Display for Roll {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.high, self.low)
    }
}

/// The dice of one game: every roll is a function of (seed, game, turn), so that two players can be given the
/// same dice with their seats swapped, and a game goes on the same after it was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    /// The seed of all games.
    pub seed: u64,
    /// Which game: the stream of the generator.
    pub game: u32,
}

impl Dice {
    /// The roll of a turn after the first, `turn` counting both players' from 1.
    pub fn roll(self, turn: u32) -> Roll {
        let [first, second] = rng::block(self.seed, self.game, turn);
        let (first, second) = (below(first, 6) as u8 + 1, below(second, 6) as u8 + 1);
        Roll { high: first.max(second), low: first.min(second) }
    }

    /// The first roll, of one die by each player until they differ: whether the first of two players begins,
    /// and what the one who begins has to play.
    pub fn opening(self) -> (bool, Roll) {
        let [order, dice] = rng::block(self.seed, self.game, 0);
        let mut unequal = Roll::ALL.into_iter().filter(|roll| !roll.is_double());
        let roll = unequal.nth(below(dice, 15) as usize).expect("fifteen rolls are no doubles");
        (order >> 31 == 0, roll)
    }
}

/// A word as a number below `count`, biased by less than `count`/2³².
fn below(word: u32, count: u32) -> u32 {
    ((u64::from(word) * u64::from(count)) >> 32) as u32
}
