//! Rolls of two dice, and reproducible dice of a game.

use vivarium_kernels::rng;

/// A roll of two dice, unordered; the higher die first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    high: u8,
    low: u8,
}

/// Error: a die shows a number that is not from 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a die shows {got}; it can show 1 to 6")]
pub struct DiceError {
    /// The invalid number that the die shows.
    pub got: u8,
}

impl Roll {
    /// Number of distinct rolls.
    pub const COUNT: usize = 21;

    /// All rolls, ordered by [`index`](Self::index): 1-1, 2-1, 2-2, 3-1 … 6-6.
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

    /// Returns the roll of two dice in any order.
    ///
    /// # Errors
    /// [`DiceError`] if a die is not from 1 to 6.
    pub fn new(first: u8, second: u8) -> Result<Self, DiceError> {
        match [first, second].into_iter().find(|die| !(1..=6).contains(die)) {
            Some(got) => Err(DiceError { got }),
            None => Ok(Self { high: first.max(second), low: first.min(second) }),
        }
    }

    /// Returns the number that the higher die shows.
    #[inline]
    pub const fn high(self) -> u8 {
        self.high
    }

    /// Returns the number that the lower die shows; equal to the higher number in a double.
    #[inline]
    pub const fn low(self) -> u8 {
        self.low
    }

    /// Returns whether both dice are equal, so that each die is played twice.
    #[inline]
    pub const fn is_double(self) -> bool {
        self.high == self.low
    }

    /// Returns the index of the roll in [`ALL`](Self::ALL).
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.high * (self.high - 1) / 2 + self.low - 1)
    }

    /// Returns the number of ordered outcomes of two dice, out of 36, that make this roll: 1 for a double, 2 otherwise.
    #[inline]
    pub const fn permutations(self) -> u32 {
        if self.is_double() { 1 } else { 2 }
    }

    /// Returns the probability of the roll: 1/36 for a double, 2/36 otherwise.
    pub const fn probability(self) -> f32 {
        self.permutations() as f32 / 36.0
    }
}

impl std::fmt::Display for Roll {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.high, self.low)
    }
}

/// Generator of the rolls of one game. Each roll is a function of (seed, game, turn): a saved game continues
/// identically, and two games with the same seed and index have the same rolls, also if the players are swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    /// Seed of the dice, common to all games.
    pub seed: u64,
    /// Index of the game, used as the stream index of the random generator.
    pub game: u32,
}

impl Dice {
    /// Returns the roll of a turn after the opening; `turn` counts the turns of both players from 1.
    pub fn roll(self, turn: u32) -> Roll {
        let [first, second] = rng::block(self.seed, self.game, turn);
        let (first, second) = (below(first, 6) as u8 + 1, below(second, 6) as u8 + 1);
        Roll { high: first.max(second), low: first.min(second) }
    }

    /// Returns whether the first player starts, and the opening roll. Each player rolls one die; equal dice are rolled
    /// again.
    pub fn opening(self) -> (bool, Roll) {
        let [order, dice] = rng::block(self.seed, self.game, 0);
        let mut unequal = Roll::ALL.into_iter().filter(|roll| !roll.is_double());
        let roll = unequal.nth(below(dice, 15) as usize).expect("fifteen rolls are no doubles");
        (order >> 31 == 0, roll)
    }
}

/// Maps a random word to a number below `count`, with a bias below `count`/2³².
fn below(word: u32, count: u32) -> u32 {
    ((u64::from(word) * u64::from(count)) >> 32) as u32
}
