//! Rawboards: position, doubling cube, dice and match score in the text format of the First Internet Backgammon Server, FIBS
//! (board style 3, <http://www.fibs.com/fibs_interface.html#board_state>).
//!
//! A rawboard has 53 fields, separated by colons: `board`, both names, match length, both scores, 26 places, color of the
//! player on roll, the dice of both players, doubling cube, who may double, color and direction of the player, bars,
//! checkers borne off and others. Positive numbers of checkers belong to O, negative numbers to X.
//!
//! In [`Match`], the player whose name comes first is player 0 and the opponent is player 1.

use super::dice::{DiceError, Roll};
use super::match_id::{DoublingCubeOwner, Match};
use super::position::{Position, PositionError};
use super::side::{BAR, CHECKERS, OFF, PLACES};

/// First field of a rawboard.
const PREFIX: &str = "board";
/// Number of fields up to the last field that is read.
const FIELDS: usize = 52;
/// Match length of an unlimited match.
const UNLIMITED: i32 = 9999;
/// Maximum match length and score.
const MAX_POINTS: i32 = 32_767;

/// Indices of the fields.
mod at {
    pub const LENGTH: usize = 3;
    pub const SCORES: [usize; 2] = [4, 5];
    pub const PLACES: usize = 6;
    pub const TURN: usize = 32;
    pub const DICE: [usize; 2] = [33, 35];
    pub const CUBE: usize = 37;
    pub const MAY_DOUBLE: [usize; 2] = [38, 39];
    pub const WAS_DOUBLED: usize = 40;
    pub const COLOR: usize = 41;
    pub const DIRECTION: usize = 42;
    pub const BORNE_OFF: [usize; 2] = [45, 46];
    pub const ON_BAR: [usize; 2] = [47, 48];
    pub const AFTER_CRAWFORD: usize = 51;
}

/// Contents of a rawboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rawboard {
    /// Checkers, from the view of the player on roll. After a double, the player who doubled is on roll.
    pub position: Position,
    /// Cube, player on roll, dice and score. Player 0 is the player whose name comes first. An unlimited match is a money
    /// session without the Jacoby rule, which FIBS does not have.
    pub state: Match,
}

/// Parse error of a rawboard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RawboardError {
    /// The text does not begin with `board:`.
    #[error("a rawboard of FIBS begins with board: and the names of both players")]
    Prefix,
    /// The rawboard has too few fields.
    #[error("the rawboard has {got} fields; at least {FIELDS} fields, separated by colons, are needed")]
    Fields {
        /// Number of fields of the parsed rawboard.
        got: usize,
    },
    /// A field has an invalid value.
    #[error("field {number} of the rawboard, {field}, is {value:?}; allowed is {allowed}")]
    Field {
        /// Number of the field, counted from 1.
        number: usize,
        /// Name of the field.
        field: &'static str,
        /// The invalid value of the field.
        value: String,
        /// Description of the values that the field allows.
        allowed: &'static str,
    },
    /// A die of the rawboard has an invalid value.
    #[error("dice of the rawboard: {0}; 0 and 0 stand for no roll")]
    Dice(#[from] DiceError),
    /// The rawboard contains an impossible position.
    #[error("the rawboard does not describe a legal position: {0}")]
    Position(#[from] PositionError),
}

/// Fields of a rawboard as text.
struct Fields<'a>(Vec<&'a str>);

impl Fields<'_> {
    /// Returns the number in the field with the index `at`.
    fn number(
        &self,
        at: usize,
        field: &'static str,
        range: std::ops::RangeInclusive<i32>,
        allowed: &'static str,
    ) -> Result<i32, RawboardError> {
        let value = self.0[at].trim().parse().ok().filter(|value| range.contains(value));
        value.ok_or_else(|| self.invalid(at, field, allowed))
    }

    /// Returns the value of a field that is −1 or 1.
    fn sign(&self, at: usize, field: &'static str, allowed: &'static str) -> Result<i32, RawboardError> {
        match self.number(at, field, -1..=1, allowed)? {
            0 => Err(self.invalid(at, field, allowed)),
            sign => Ok(sign),
        }
    }

    /// Returns the value of a field that is 0 or 1.
    fn flag(&self, at: usize, field: &'static str) -> Result<bool, RawboardError> {
        Ok(self.number(at, field, 0..=1, "0 or 1")? == 1)
    }

    /// Returns the roll of two fields; `None` before the roll.
    fn roll(&self, at: usize) -> Result<Option<Roll>, RawboardError> {
        let die = |at| self.number(at, "a die", 0..=6, "0 (before the roll) to 6");
        match [die(at)?, die(at + 1)?] {
            [0, 0] => Ok(None),
            [first, second] => Ok(Some(Roll::new(first as u8, second as u8)?)),
        }
    }

    /// Returns the checkers from the view of the player whose name comes first. `color`: 1 if that player is O, −1 for X.
    fn position(&self, color: i32) -> Result<Position, RawboardError> {
        let allowed = "-1 (from point 24 to point 1) or 1";
        let descends = self.sign(at::DIRECTION, "the direction", allowed)? < 0;
        let mut sides = [[0; PLACES]; 2];
        for place in 0..PLACES {
            let allowed = "-15 to 15";
            let count = color * self.number(at::PLACES + place, "a number of checkers", -15..=15, allowed)?;
            // Place in the numbering of the player; the bar of the player is place 25, of the opponent place 0.
            let place = if descends { place } else { BAR - place };
            let (side, place) = if count > 0 { (0, place) } else { (1, BAR - place) };
            sides[side][place] += count.unsigned_abs() as u8;
        }
        for (side, counts) in sides.iter_mut().enumerate() {
            let allowed = "0 to 15";
            let range = 0..=CHECKERS.into();
            counts[OFF] +=
                self.number(at::BORNE_OFF[side], "checkers borne off", range.clone(), allowed)? as u8;
            let bar = self.number(at::ON_BAR[side], "checkers on the bar", range, allowed)?;
            if bar != i32::from(counts[BAR]) {
                let allowed = "the number at the place of the bar";
                return Err(self.invalid(at::ON_BAR[side], "checkers on the bar", allowed));
            }
        }
        let [mine, theirs] = sides;
        Ok(Position::new(mine, theirs)?)
    }

    /// Returns exponent and owner of the doubling cube.
    fn doubling_cube(&self) -> Result<(u8, DoublingCubeOwner), RawboardError> {
        let allowed = "a power of two up to 32768";
        let cube = self.number(at::CUBE, "the doubling cube", 1..=1 << 15, allowed)?;
        if cube.count_ones() != 1 {
            return Err(self.invalid(at::CUBE, "the doubling cube", allowed));
        }
        let [mine, theirs] = at::MAY_DOUBLE;
        let may_double = [self.flag(mine, "may double")?, self.flag(theirs, "may double")?];
        let owner = match may_double {
            // A doubling cube of 1 has no owner; in the Crawford game, no player may double.
            _ if cube == 1 => DoublingCubeOwner::Centered,
            [true, true] => DoublingCubeOwner::Centered,
            [true, false] => DoublingCubeOwner::Player(0),
            [false, true] => DoublingCubeOwner::Player(1),
            [false, false] => {
                let allowed = "1 for the owner of the doubling cube";
                return Err(self.invalid(mine, "may double", allowed));
            }
        };
        Ok((cube.trailing_zeros() as u8, owner))
    }

    fn invalid(&self, at: usize, field: &'static str, allowed: &'static str) -> RawboardError {
        RawboardError::Field { number: at + 1, field, value: self.0[at].trim().to_owned(), allowed }
    }
}

impl Rawboard {
    /// Returns whether a text is a rawboard by its first field.
    pub fn has_prefix(text: &str) -> bool {
        text.trim().split(':').next() == Some(PREFIX) && text.contains(':')
    }

    /// Parses a rawboard. Further fields at its end are ignored.
    ///
    /// # Errors
    /// [`RawboardError`] if the text has another format or describes an impossible position.
    pub fn parse(text: &str) -> Result<Self, RawboardError> {
        if !Self::has_prefix(text) {
            return Err(RawboardError::Prefix);
        }
        let fields = Fields(text.trim().split(':').collect());
        if fields.0.len() < FIELDS {
            return Err(RawboardError::Fields { got: fields.0.len() });
        }
        let allowed = "1 to 32767 points, 0 or 9999 for an unlimited match";
        let length = match fields.number(at::LENGTH, "the match length", 0..=MAX_POINTS, allowed)? {
            UNLIMITED => 0,
            length => length,
        };
        let most = if length > 0 { length - 1 } else { MAX_POINTS };
        let allowed = "0 up to less than the match length";
        let score = |player: usize| fields.number(at::SCORES[player], "a score", 0..=most, allowed);
        let score = [score(0)?, score(1)?];
        let color = fields.sign(at::COLOR, "the color of the player", "-1 (X) or 1 (O)")?;
        let doubled = fields.flag(at::WAS_DOUBLED, "was doubled")?;
        let allowed = "-1 for X or 1 for O; 0, the end of a game, has no decision";
        let turn = fields.sign(at::TURN, "the player on roll", allowed)?;
        // A double is offered to the player by the opponent.
        let on_roll = if doubled || turn != color { 1 } else { 0 };
        let (doubling_cube_exponent, doubling_cube_owner) = fields.doubling_cube()?;
        let after_crawford = fields.flag(at::AFTER_CRAWFORD, "after the Crawford game")?;
        let one_away = score.contains(&(length - 1));
        let state = Match {
            doubling_cube_exponent,
            doubling_cube_owner,
            on_roll,
            crawford: length > 0 && one_away && !after_crawford,
            to_decide: if doubled { 0 } else { on_roll },
            doubled,
            roll: if doubled { None } else { fields.roll(at::DICE[usize::from(on_roll)])? },
            length: length as u16,
            score: score.map(|points| points as u16),
            without_jacoby: length == 0,
            ..Match::MONEY
        };
        let position = fields.position(color)?;
        Ok(Self { position: if on_roll == 0 { position } else { position.mirrored() }, state })
    }
}
