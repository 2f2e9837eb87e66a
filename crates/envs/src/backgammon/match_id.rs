//! Match IDs of GNU Backgammon
//! (<https://www.gnu.org/software/gnubg/manual/html_node/A-technical-description-of-the-Match-ID.html>).
//!
//! An ID is nine bytes in Base64; [`FIELDS`] lists the bit widths of its fields, lowest bit first in each byte. All
//! fields are parsed: a front end can report fields that it ignores, and [`Match::id`] writes all fields back unchanged.

use super::dice::{DiceError, Roll};
use super::id::{IdError, decode, encode, is_xgid};

/// Owner of the doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DoublingCubeOwner {
    /// Player 0 or 1 owns the doubling cube.
    Player(u8),
    /// The doubling cube is in the center: both players may double.
    Centered,
}

/// Fields of a match ID. Players are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Match {
    /// Binary logarithm of the doubling cube value, 0 to 15.
    pub doubling_cube_exponent: u8,
    /// Owner of the doubling cube.
    pub doubling_cube_owner: DoublingCubeOwner,
    /// Player on roll (0 or 1), whether or not the dice have been rolled.
    pub on_roll: u8,
    /// Whether this is the Crawford game, in which doubling is not allowed.
    pub crawford: bool,
    /// Game state: 0 not started, 1 in progress, 2 over, 3 resigned, 4 ended by a refused double.
    pub game: u8,
    /// Player (0 or 1) who has to decide; the opponent of the player on roll if a double or a resignation is offered.
    pub to_decide: u8,
    /// Whether a double is offered.
    pub doubled: bool,
    /// Offered resignation: 0 none, 1 single game, 2 gammon, 3 backgammon.
    pub resigned: u8,
    /// Rolled dice; `None` before the roll.
    pub roll: Option<Roll>,
    /// Match length in points; 0 for money play.
    pub length: u16,
    /// Match score of players 0 and 1, in points.
    pub score: [u16; 2],
    /// Whether the Jacoby rule is off: gammons count in money play even if no player has doubled.
    pub without_jacoby: bool,
}

/// Contradiction between the Crawford flag and the score or the doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CrawfordError {
    /// The score is not the one of a Crawford game.
    #[error(
        "the score {}-{} of a match to {length} points has no Crawford game, in which exactly one player needs 1 point; remove the \
         Crawford flag or correct the score", score[0], score[1]
    )]
    Score {
        /// Match length in points; 0 for money play.
        length: u16,
        /// Score of players 0 and 1.
        score: [u16; 2],
    },
    /// A player has doubled.
    #[error(
        "the doubling cube is used in the Crawford game (value {cube}), in which no player may double; set the cube to 1 in the \
         center, or remove the Crawford flag"
    )]
    Doubled {
        /// Value of the doubling cube.
        cube: u32,
    },
}

/// Parse error of a match ID.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchIdError {
    /// The match ID is not the Base64 encoding of nine bytes.
    #[error("match ID: {0}")]
    Text(#[from] IdError),
    /// A die of the match ID has an invalid value.
    #[error("match ID: {0}, or both dice 0 before the roll")]
    Dice(#[from] DiceError),
    /// A field of the match ID has an invalid value.
    #[error("match ID: {field} is {value}; allowed is {allowed}")]
    Field {
        /// Name of the field.
        field: &'static str,
        /// The invalid value of the field.
        value: u32,
        /// Description of the values that the field allows.
        allowed: &'static str,
    },
    /// The Crawford flag contradicts the score or the doubling cube.
    #[error("match ID: {0}")]
    Crawford(#[from] CrawfordError),
}

/// Largest match length and score that IDs store.
pub(super) const MAX_POINTS: u16 = 32_767;

/// Number of characters of a match ID.
pub(crate) const LENGTH: usize = 12;

/// Bit widths of the fields: doubling cube exponent, doubling cube owner, player on roll, Crawford game, game state, player to decide,
/// double offered, resignation offered, two dice, match length, two scores, Jacoby rule.
const FIELDS: [u32; 14] = [4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1];

impl Match {
    /// Money game with the Jacoby rule, a centered doubling cube of 1 and no score, before the roll of player 0.
    pub const MONEY: Self = Self {
        doubling_cube_exponent: 0,
        doubling_cube_owner: DoublingCubeOwner::Centered,
        on_roll: 0,
        crawford: false,
        game: 1,
        to_decide: 0,
        doubled: false,
        resigned: 0,
        roll: None,
        length: 0,
        score: [0, 0],
        without_jacoby: false,
    };

    /// Checks that the Crawford flag agrees with score and doubling cube. In the Crawford game, exactly one player needs 1
    /// point (both in a match to 1 point), and no player has doubled.
    ///
    /// # Errors
    /// [`CrawfordError`] if they contradict each other.
    pub fn check_crawford(&self) -> Result<(), CrawfordError> {
        let Self { length, score, .. } = *self;
        let one_away = score.iter().filter(|points| points.checked_add(1) == Some(length)).count();
        let centered = self.doubling_cube_owner == DoublingCubeOwner::Centered;
        match self.crawford {
            true if length != 1 && one_away != 1 => Err(CrawfordError::Score { length, score }),
            true if self.doubling_cube() > 1 || !centered || self.doubled => {
                Err(CrawfordError::Doubled { cube: self.doubling_cube() })
            }
            _ => Ok(()),
        }
    }

    /// Parses a match ID, for example `cAkKAAAAAAAA`.
    ///
    /// # Errors
    /// [`MatchIdError`] if the text is not 12 characters of Base64 or a field is invalid.
    pub fn from_id(id: &str) -> Result<Self, MatchIdError> {
        if is_xgid(id) {
            return Err(IdError::Xgid.into());
        }
        let mut bytes = [0; 16];
        decode(id, LENGTH, &mut bytes[..9])?;
        let mut key = u128::from_le_bytes(bytes);
        let [
            cube,
            owner,
            on_roll,
            crawford,
            game,
            to_decide,
            doubled,
            resigned,
            one,
            other,
            length,
            first,
            second,
            rule,
        ] = FIELDS.map(|bits| {
            let value = key as u32 & ((1 << bits) - 1);
            key >>= bits;
            value
        });
        if key != 0 {
            return Err(IdError::Excess.into());
        }
        let doubling_cube_owner = match owner {
            3 => DoublingCubeOwner::Centered,
            2 => {
                let allowed = "0 or 1 for a player, 3 for a doubling cube in the middle";
                return Err(MatchIdError::Field {
                    field: "the owner of the doubling cube",
                    value: owner,
                    allowed,
                });
            }
            player => DoublingCubeOwner::Player(player as u8),
        };
        if game > 4 {
            let allowed = "0 to 4";
            return Err(MatchIdError::Field { field: "the state of the game", value: game, allowed });
        }
        for score in [first, second] {
            if length > 0 && game == 1 && score >= length {
                let allowed = "less than the length of the match while a game is played";
                return Err(MatchIdError::Field { field: "a score", value: score, allowed });
            }
        }
        let roll = if (one, other) == (0, 0) { None } else { Some(Roll::new(one as u8, other as u8)?) };
        let state = Self {
            doubling_cube_exponent: cube as u8,
            doubling_cube_owner,
            on_roll: on_roll as u8,
            crawford: crawford == 1,
            game: game as u8,
            to_decide: to_decide as u8,
            doubled: doubled == 1,
            resigned: resigned as u8,
            roll,
            length: length as u16,
            score: [first as u16, second as u16],
            without_jacoby: rule == 1,
        };
        // After a game, the score already contains its points.
        if game == 1 {
            state.check_crawford()?;
        }
        Ok(state)
    }

    /// Returns the match ID, with the higher die first. Lengths and scores above 32,767, which has 15 bits, are stored as
    /// 32,767.
    pub fn id(&self) -> String {
        let owner = match self.doubling_cube_owner {
            DoublingCubeOwner::Player(player) => player.into(),
            DoublingCubeOwner::Centered => 3,
        };
        let values: [u32; 14] = [
            self.doubling_cube_exponent.into(),
            owner,
            self.on_roll.into(),
            self.crawford.into(),
            self.game.into(),
            self.to_decide.into(),
            self.doubled.into(),
            self.resigned.into(),
            self.roll.map_or(0, Roll::high).into(),
            self.roll.map_or(0, Roll::low).into(),
            self.length.into(),
            self.score[0].into(),
            self.score[1].into(),
            self.without_jacoby.into(),
        ];
        let (mut key, mut at) = (0u128, 0);
        for (value, bits) in values.into_iter().zip(FIELDS) {
            key |= u128::from(value.min((1 << bits) - 1)) << at;
            at += bits;
        }
        encode(&key.to_le_bytes()[..9])
    }
}
