//! Where all checkers are.

use super::outcome::{Outcome, Player, Win};
use super::side::{BAR, CHECKERS, HOME, OFF, PLACES, POINTS, Side};

/// Where all checkers are, seen by the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The checkers of the player on roll.
    pub(crate) mine: Side,
    /// Those of the opponent, seen by the opponent: the opponent's point p is the other's point 25 − p.
    pub(crate) theirs: Side,
}

/// What is left to play for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A player has borne off all checkers.
    Over,
    /// The sides have passed each other, and both have all checkers in their home boards.
    BearOff,
    /// The sides have passed each other: no checker can be hit any more.
    Race,
    /// A checker can still be hit.
    Contact,
}

/// A position that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A player without exactly fifteen checkers.
    #[error("{player} has {got} checkers; each player has {CHECKERS}, those borne off among them")]
    Checkers {
        /// Whose.
        player: Player,
        /// How many there are.
        got: u32,
    },
    /// Checkers of both players on one point.
    #[error(
        "both players have checkers on point {point} of the player on roll; a point holds one player's alone"
    )]
    Shared {
        /// The point, counted by the player on roll.
        point: usize,
    },
    /// Neither player could ever move again.
    #[error("both players have a checker on the bar before six made points; neither could ever move")]
    Deadlock,
    /// Two winners.
    #[error("both players have borne off all checkers; only one can")]
    TwoWinners,
}

/// The checkers of a player before the first roll.
const START: Side = {
    let mut counts = [0; PLACES];
    counts[24] = 2;
    counts[13] = 5;
    counts[8] = 3;
    counts[6] = 5;
    Side::from_counts(&counts)
};

impl Position {
    /// The position in which a game begins.
    pub const START: Self = Self { mine: START, theirs: START };

    /// The position with these checkers, each player's seen by that player: off, points 1 to 24, bar.
    ///
    /// # Errors
    /// [`PositionError`] if no game can reach it: a player without fifteen checkers, a point held by both,
    /// both players closed out, both finished.
    pub fn new(mine: [u8; PLACES], theirs: [u8; PLACES]) -> Result<Self, PositionError> {
        for (player, counts) in [(Player::Mine, &mine), (Player::Theirs, &theirs)] {
            let got = counts.iter().map(|&count| u32::from(count)).sum();
            if got != u32::from(CHECKERS) {
                return Err(PositionError::Checkers { player, got });
            }
        }
        if let Some(point) = (1..=POINTS).find(|&point| mine[point] > 0 && theirs[25 - point] > 0) {
            return Err(PositionError::Shared { point });
        }
        let (mine, theirs) = (Side::from_counts(&mine), Side::from_counts(&theirs));
        if mine.finished() && theirs.finished() {
            return Err(PositionError::TwoWinners);
        }
        let closed_out = |side: Side, by: Side| side.count(BAR) > 0 && by.made() & HOME == HOME;
        if closed_out(mine, theirs) && closed_out(theirs, mine) {
            return Err(PositionError::Deadlock);
        }
        Ok(Self { mine, theirs })
    }

    /// The checkers of the player on roll.
    pub fn mine(&self) -> Side {
        self.mine
    }

    /// The checkers of the opponent, seen by the opponent.
    pub fn theirs(&self) -> Side {
        self.theirs
    }

    /// The same checkers with the other player on roll.
    #[inline]
    pub fn mirrored(&self) -> Self {
        Self { mine: self.theirs, theirs: self.mine }
    }

    /// The position after a legal move of one checker of the player on roll: without the masks of
    /// bits that a [board](super::board) has.
    #[inline]
    pub(crate) fn moved(&self, from: usize, die: usize) -> Self {
        let to = from.saturating_sub(die);
        let hits = to != OFF && self.theirs.count(BAR - to) == 1;
        let theirs = if hits { self.theirs.moved(BAR - to, BAR) } else { self.theirs };
        Self { mine: self.mine.moved(from, to), theirs }
    }

    /// What is left to play for.
    pub fn class(&self) -> Class {
        let (mine, theirs) = (self.mine.highest(), self.theirs.highest());
        if self.mine.finished() || self.theirs.finished() {
            Class::Over
        } else if mine + theirs > POINTS {
            Class::Contact
        } else if mine.max(theirs) <= 6 {
            Class::BearOff
        } else {
            Class::Race
        }
    }

    /// How the game ended, if it has.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        if self.mine.finished() {
            Some(Outcome { winner: Player::Mine, win: lost_by(self.theirs) })
        } else if self.theirs.finished() {
            Some(Outcome { winner: Player::Theirs, win: lost_by(self.mine) })
        } else {
            None
        }
    }

    /// All of it in 128 bits: five for each point, a count of the player on roll or the negative of one of
    /// the opponent's in two's complement, and four for each bar. Checkers that are nowhere are off.
    pub fn pack(&self) -> u128 {
        let mut packed = 0;
        for point in (1..=POINTS).rev() {
            let count = self.mine.count(point) as i8 - self.theirs.count(25 - point) as i8;
            packed = packed << 5 | (count as u128 & 31);
        }
        packed << 8 | u128::from(self.mine.count(BAR)) << 4 | u128::from(self.theirs.count(BAR))
    }

    /// The position that [`pack`](Self::pack) made these bits of.
    ///
    /// # Errors
    /// [`PositionError`] if the bits are those of none.
    pub fn unpack(packed: u128) -> Result<Self, PositionError> {
        let (mut mine, mut theirs) = ([0; PLACES], [0; PLACES]);
        mine[BAR] = (packed >> 4) as u8 & 15;
        theirs[BAR] = packed as u8 & 15;
        for point in 1..=POINTS {
            // The sign is bit 4.
            let count = ((packed >> (8 + 5 * (point - 1))) as i8) << 3 >> 3;
            mine[point] = count.max(0) as u8;
            theirs[25 - point] = count.min(0).unsigned_abs();
        }
        for (player, counts) in [(Player::Mine, &mut mine), (Player::Theirs, &mut theirs)] {
            let got = counts.iter().map(|&count| u32::from(count)).sum();
            let off = u32::from(CHECKERS).checked_sub(got).ok_or(PositionError::Checkers { player, got })?;
            counts[OFF] = off as u8;
        }
        Self::new(mine, theirs)
    }

    /// A hash for tables of positions.
    ///
    /// Multilinear hashing of the four words with 128-bit keys (Lemire and Kaser, "Strongly universal string
    /// hashing is fast", 2014): two positions share their 64 bits no more often than chance has it. As it is
    /// linear, moving a checker adds a constant to the sum; four multiplications anew are no dearer than
    /// keeping the sum along.
    #[inline]
    pub fn hash(&self) -> u64 {
        let ([a, b], [c, d]) = (self.mine.words(), self.theirs.words());
        let mut sum = HASH_KEYS[4];
        for (word, key) in [a, b, c, d].into_iter().zip(HASH_KEYS) {
            sum = sum.wrapping_add(key.wrapping_mul(u128::from(word)));
        }
        (sum >> 64) as u64
    }
}

/// How a player loses with these checkers left.
fn lost_by(loser: Side) -> Win {
    // The winner's home board is the loser's points 19 to 24.
    const FAR: u32 = (HOME << 18) | 1 << BAR;
    if loser.count(OFF) > 0 {
        Win::Single
    } else if loser.occupied() & FAR == 0 {
        Win::Gammon
    } else {
        Win::Backgammon
    }
}

/// Keys of [`Position::hash`]: the binary digits of π after its point, five times 128.
const HASH_KEYS: [u128; 5] = [
    0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344,
    0xa409_3822_299f_31d0_082e_fa98_ec4e_6c89,
    0x4528_21e6_38d0_1377_be54_66cf_34e9_0c6c,
    0xc0ac_29b7_c97c_50dd_3f84_d5b5_b547_0917,
    0x9216_d5d9_8979_fb1b_d131_0ba6_98df_b5ac,
];
