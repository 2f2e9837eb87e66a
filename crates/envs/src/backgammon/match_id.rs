//! The state of a match as GNU Backgammon's match IDs.
//!
//! An ID is nine bytes in Base64. The bytes are bits, the lowest of each byte first, of which [`FIELDS`] says
//! how many mean what. Here the game is cubeless and played for money; an ID is read whole nevertheless, so
//! that nobody is told of a position without being told what is left out, and written back as it was.

use super::dice::{DiceError, Roll};
use super::id::{IdError, decode, encode};

/// Who may double next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CubeOwner {
    /// One of the players.
    Player(u8),
    /// Both.
    Centered,
}

/// What a match ID holds. Players are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Match {
    /// The exponent of the cube's value, 0 to 15: the cube shows 2 to the power of it.
    pub cube_exponent: u8,
    /// Who may double next.
    pub cube_owner: CubeOwner,
    /// Who is on roll or has rolled.
    pub on_roll: u8,
    /// This is the Crawford game, in which nobody doubles.
    pub crawford: bool,
    /// 0 before a game, 1 during it, 2 when it is over, 3 when it was resigned, 4 when a double was refused.
    pub game: u8,
    /// Who has to decide: not the player on roll when a double or a resignation is offered.
    pub to_decide: u8,
    /// A double is offered.
    pub doubled: bool,
    /// What is offered in resignation: 0 nothing, 1 a single game, 2 a gammon, 3 a backgammon.
    pub resigned: u8,
    /// The dice, if they have been rolled.
    pub roll: Option<Roll>,
    /// The points that win the match; 0 for money play.
    pub length: u16,
    /// The points of the two players.
    pub score: [u16; 2],
    /// The last bit: gammons count in money play though nobody has doubled (the Jacoby rule is off).
    pub without_jacoby: bool,
}

/// A text that is no match ID.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchIdError {
    /// Not the text of an ID.
    #[error("match ID: {0}")]
    Text(#[from] IdError),
    /// Dice that do not exist.
    #[error("match ID: {0}, or both dice 0 before the roll")]
    Dice(#[from] DiceError),
    /// A number that its field cannot have.
    #[error("match ID: {field} is {value}; allowed is {allowed}")]
    Field {
        /// What it is the number of.
        field: &'static str,
        /// The number.
        value: u32,
        /// What it can be.
        allowed: &'static str,
    },
}

/// Characters of a match ID.
const LENGTH: usize = 12;

/// The bits of each field, in their order: the cube's exponent, its owner, player on roll, Crawford game,
/// state of the game, player to decide, double offered, resignation offered, the two dice, length of the
/// match, the two scores, the Jacoby rule.
const FIELDS: [u32; 14] = [4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1];

impl Match {
    /// The match of a match ID, such as `cAkKAAAAAAAA`.
    ///
    /// # Errors
    /// [`MatchIdError`] if it is not twelve characters of Base64, or a number in it cannot be.
    pub fn from_id(id: &str) -> Result<Self, MatchIdError> {
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
        let cube_owner = match owner {
            3 => CubeOwner::Centered,
            2 => {
                let allowed = "0 or 1 for a player, 3 for a cube in the middle";
                return Err(MatchIdError::Field { field: "the owner of the cube", value: owner, allowed });
            }
            player => CubeOwner::Player(player as u8),
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
        Ok(Self {
            cube_exponent: cube as u8,
            cube_owner,
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
        })
    }

    /// Its match ID, with the higher die first.
    pub fn id(&self) -> String {
        let owner = match self.cube_owner {
            CubeOwner::Player(player) => player.into(),
            CubeOwner::Centered => 3,
        };
        let values: [u32; 14] = [
            self.cube_exponent.into(),
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
            key |= u128::from(value & ((1 << bits) - 1)) << at;
            at += bits;
        }
        encode(&key.to_le_bytes()[..9])
    }
}
