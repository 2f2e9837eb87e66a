//! Positions: the checkers of both players.

use super::outcome::{Outcome, RelativePlayer, Win};
use super::side::{BAR, CHECKERS, HOME, OFF, PLACES, POINTS, Side};

/// A position from the view of the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Checkers of the player on roll.
    pub(crate) mine: Side,
    /// Checkers of the opponent, in the opponent's numbering: the opponent's point p is point 25 − p of the player on
    /// roll.
    pub(crate) theirs: Side,
}

/// Class of a position: game over, bear-off, race or contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PositionClass {
    /// A player has borne off all checkers.
    Over,
    /// No contact, and all checkers of both players are in their home boards.
    BearOff,
    /// No contact: no checker can be hit.
    Race,
    /// Contact: a checker can still be hit.
    Contact,
}

/// Error of an impossible backgammon position, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A player does not have exactly 15 checkers.
    #[error("{player} has {got} checkers; each player has {CHECKERS}, those borne off among them")]
    Checkers {
        /// Player with the wrong number of checkers.
        player: RelativePlayer,
        /// Actual number of checkers of that player.
        got: u32,
    },
    /// Both players have checkers on the same point.
    #[error(
        "both players have checkers on point {point} of the player on roll; a point holds checkers of one player only"
    )]
    Shared {
        /// The shared point, in the numbering of the player on roll.
        point: usize,
    },
    /// Both players have a checker on the bar and face a closed board (six made points).
    #[error("both players have a checker on the bar against six made points; neither could ever move")]
    Deadlock,
    /// Both players have borne off all checkers.
    #[error("both players have borne off all checkers; only one can")]
    TwoWinners,
}

/// Checkers of either player in the starting position, in that player's numbering.
const START: Side = {
    let mut counts = [0; PLACES];
    counts[24] = 2;
    counts[13] = 5;
    counts[8] = 3;
    counts[6] = 5;
    Side::from_counts(&counts)
};

impl Position {
    /// Starting position.
    pub const START: Self = Self { mine: START, theirs: START };

    /// Creates a position from the number of checkers of each player, indexed in that player's numbering: 0 off, 1 to
    /// 24 points, 25 bar.
    ///
    /// # Errors
    /// [`PositionError`] if the position is impossible: wrong number of checkers, a shared point, both players closed
    /// out, or two winners.
    pub fn new(mine: [u8; PLACES], theirs: [u8; PLACES]) -> Result<Self, PositionError> {
        for (player, counts) in [(RelativePlayer::Mine, &mine), (RelativePlayer::Theirs, &theirs)] {
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

    /// Returns the checkers of the player on roll.
    pub fn mine(&self) -> Side {
        self.mine
    }

    /// Returns the checkers of the opponent, in the opponent's numbering.
    pub fn theirs(&self) -> Side {
        self.theirs
    }

    /// Returns this position from the view of the opponent, who is then the player on roll.
    #[inline]
    pub fn mirrored(&self) -> Self {
        Self { mine: self.theirs, theirs: self.mine }
    }

    /// Returns the position after a legal move of the player on roll: a checker moves `die` pips from point `from` (25:
    /// the bar).
    #[inline]
    pub(crate) fn moved(&self, from: usize, die: usize) -> Self {
        let to = from.saturating_sub(die);
        let hits = to != OFF && self.theirs.count(BAR - to) == 1;
        let theirs = if hits { self.theirs.moved(BAR - to, BAR) } else { self.theirs };
        Self { mine: self.mine.moved(from, to), theirs }
    }

    /// Returns the class of the position: game over, bear-off, race or contact.
    pub fn class(&self) -> PositionClass {
        let (mine, theirs) = (self.mine.highest(), self.theirs.highest());
        if self.mine.finished() || self.theirs.finished() {
            PositionClass::Over
        } else if mine + theirs > POINTS {
            PositionClass::Contact
        } else if mine.max(theirs) <= 6 {
            PositionClass::BearOff
        } else {
            PositionClass::Race
        }
    }

    /// Returns whether a player has another checker outside the home board, in contact, after bearing off a checker: a checker was
    /// hit during the bear-off.
    pub fn is_bear_off_hit(&self) -> bool {
        const HOME_POINTS: usize = 6;
        let is_hit = |side: Side| side.count(OFF) > 0 && side.highest() > HOME_POINTS;
        self.class() == PositionClass::Contact && (is_hit(self.mine) || is_hit(self.theirs))
    }

    /// Returns the outcome; `None` if the game is not over.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        if self.mine.finished() {
            Some(Outcome { winner: RelativePlayer::Mine, win: win_kind(self.theirs) })
        } else if self.theirs.finished() {
            Some(Outcome { winner: RelativePlayer::Theirs, win: win_kind(self.mine) })
        } else {
            None
        }
    }

    /// Returns the greatest win of the opponent that is possible from this position. A player who has borne off a checker loses
    /// no gammon; a player without contact, without a checker on the bar and in the opponent's home board loses no backgammon.
    #[inline]
    pub fn worst_loss(&self) -> Win {
        let (mine, theirs) = (self.mine.highest(), self.theirs.highest());
        if self.mine.count(OFF) > 0 {
            Win::Single
        } else if mine + theirs > POINTS || mine > WINNERS_HOME {
            Win::Backgammon
        } else {
            Win::Gammon
        }
    }

    /// Sets the probabilities of impossible gammons and backgammons to 0. `probabilities`: outcome probabilities of the player on
    /// roll, such as the outputs of a network, in the order of [`Outcome::probabilities`].
    #[inline]
    pub fn remove_impossible_outcomes(&self, probabilities: &mut [f32; 5]) {
        let possible = [self.mirrored(), *self].map(|position| position.worst_loss().points());
        for (gammon, points) in [1, 3].into_iter().zip(possible) {
            probabilities[gammon] *= f32::from(points > 1);
            probabilities[gammon + 1] *= f32::from(points > 2);
        }
    }

    /// Packs the position into 128 bits: five bits per point (the count of the player on roll, or the negated count of
    /// the opponent, in two's complement) and four bits per bar. The remaining checkers are off.
    pub fn pack(&self) -> u128 {
        let mut packed = 0;
        for point in (1..=POINTS).rev() {
            let count = self.mine.count(point) as i8 - self.theirs.count(25 - point) as i8;
            packed = packed << 5 | (count as u128 & 31);
        }
        packed << 8 | u128::from(self.mine.count(BAR)) << 4 | u128::from(self.theirs.count(BAR))
    }

    /// Returns the position that [`pack`](Self::pack) has encoded as the 128 bits `packed`.
    ///
    /// # Errors
    /// [`PositionError`] if the bits do not encode a legal position.
    pub fn unpack(packed: u128) -> Result<Self, PositionError> {
        let (mut mine, mut theirs) = ([0; PLACES], [0; PLACES]);
        mine[BAR] = (packed >> 4) as u8 & 15;
        theirs[BAR] = packed as u8 & 15;
        for point in 1..=POINTS {
            // Bit 4 of the five-bit count is the sign.
            let count = ((packed >> (8 + 5 * (point - 1))) as i8) << 3 >> 3;
            mine[point] = count.max(0) as u8;
            theirs[25 - point] = count.min(0).unsigned_abs();
        }
        for (player, counts) in [(RelativePlayer::Mine, &mut mine), (RelativePlayer::Theirs, &mut theirs)] {
            let got = counts.iter().map(|&count| u32::from(count)).sum();
            let off = u32::from(CHECKERS).checked_sub(got).ok_or(PositionError::Checkers { player, got })?;
            counts[OFF] = off as u8;
        }
        Self::new(mine, theirs)
    }

    /// Returns a hash of the position.
    ///
    /// Multilinear hashing, with 128-bit keys, of the four 64-bit words that store the checkers of both players (Lemire
    /// and Kaser 2014, <https://arxiv.org/abs/1202.4961>): two positions collide with a probability of about 2⁻⁶⁴.
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

/// Highest point of the loser outside the winner's home board, which is points 19 to 24 of the loser.
const WINNERS_HOME: usize = 18;

/// Returns the kind of win, given the checkers of the loser at the end of the game.
fn win_kind(loser: Side) -> Win {
    const FAR: u32 = (HOME << WINNERS_HOME) | 1 << BAR;
    if loser.count(OFF) > 0 {
        Win::Single
    } else if loser.occupied() & FAR == 0 {
        Win::Gammon
    } else {
        Win::Backgammon
    }
}

/// Keys of [`Position::hash`]: the binary digits of the fractional part of π.
const HASH_KEYS: [u128; 5] = [
    0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344,
    0xa409_3822_299f_31d0_082e_fa98_ec4e_6c89,
    0x4528_21e6_38d0_1377_be54_66cf_34e9_0c6c,
    0xc0ac_29b7_c97c_50dd_3f84_d5b5_b547_0917,
    0x9216_d5d9_8979_fb1b_d131_0ba6_98df_b5ac,
];
