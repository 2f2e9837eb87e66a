//! XGIDs: position, doubling cube, dice and match score in the text format of eXtreme Gammon
//! (<https://www.extremegammon.com/xgid.aspx>).
//!
//! An XGID has ten fields, separated by colons: 26 characters for the places, doubling cube exponent, doubling cube owner, player on roll,
//! dice, score of the bottom player, score of the top player, Crawford or Jacoby rule, match length, maximum doubling cube
//! exponent. The places are the top player's bar, points 1 to 24 in the numbering of the bottom player, and the bottom
//! player's bar. A capital letter is a number of checkers of the bottom player, a small letter of the top player.
//!
//! In [`Match`], the bottom player is player 0 and the top player is player 1.

use super::dice::{DiceError, Roll};
use super::id::{XGID_PREFIX, without_xgid_prefix};
use super::match_id::{CrawfordError, DoublingCubeOwner, MAX_POINTS, Match};
use super::position::{Position, PositionError};
use super::side::{BAR, CHECKERS, OFF, PLACES};

/// Number of fields, separated by colons.
const FIELDS: usize = 10;
/// Maximum doubling cube exponent of a money game or match that sets no limit.
const DEFAULT_MAX_CUBE: u8 = 10;

/// Contents of an XGID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Xgid {
    /// Checkers, from the view of the player on roll.
    pub position: Position,
    /// Cube, player on roll, dice and score. Player 0 is the bottom player.
    pub state: Match,
    /// Whether beavers are allowed; money play only.
    pub beavers: bool,
    /// Binary logarithm of the maximum doubling cube value.
    pub max_doubling_cube_exponent: u8,
}

/// Parse error of an XGID.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum XgidError {
    /// The XGID has the wrong number of fields.
    #[error(
        "the XGID has {got} field{}; {FIELDS} fields, separated by colons, are needed, as in \
         XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", if *got == 1 { "" } else { "s" }
    )]
    Fields {
        /// Number of fields of the parsed XGID.
        got: usize,
    },
    /// The first field does not have 26 characters.
    #[error("the XGID lists {got} places; 26 are needed: a bar, points 1 to 24, a bar")]
    Places {
        /// Number of characters of the first field.
        got: usize,
    },
    /// A character of the first field is invalid.
    #[error(
        "place {at} of the XGID is {character:?}; allowed are - for an empty place, A to O for checkers of the bottom \
         player and a to o for checkers of the top player"
    )]
    Character {
        /// Index of the place, 0 to 25.
        at: usize,
        /// The invalid character.
        character: char,
    },
    /// A field has an invalid value.
    #[error("{field} of the XGID is {value:?}; allowed is {allowed}")]
    Field {
        /// Name of the field.
        field: &'static str,
        /// The invalid value of the field.
        value: String,
        /// Description of the values that the field allows.
        allowed: &'static str,
    },
    /// A die of the XGID has an invalid value.
    #[error("dice of the XGID: {0}; 00 stands for no roll")]
    Dice(#[from] DiceError),
    /// A beaver or a raccoon is offered.
    #[error(
        "the roll of the XGID is {letter}, a beaver or a raccoon, which is not supported; enter the doubling cube after it, and 00 \
         as the roll"
    )]
    Beaver {
        /// The letter in the field of the roll.
        letter: char,
    },
    /// The Crawford flag contradicts the score or the doubling cube.
    #[error("XGID: {0}")]
    Crawford(#[from] CrawfordError),
    /// The XGID encodes an impossible position.
    #[error("the XGID does not describe a legal position: {0}")]
    Position(#[from] PositionError),
}

impl Xgid {
    /// Returns the XGID of a position and a match state, with the default maximum of the doubling cube and without beavers.
    pub fn new(position: Position, state: Match) -> Self {
        Self { position, state, beavers: false, max_doubling_cube_exponent: DEFAULT_MAX_CUBE }
    }

    /// Parses an XGID, with or without the prefix `XGID=`.
    ///
    /// # Errors
    /// [`XgidError`] if the text has another format or describes an impossible position.
    pub fn parse(text: &str) -> Result<Self, XgidError> {
        let text = text.trim();
        let fields: Vec<_> = without_xgid_prefix(text).split(':').collect();
        let [places, cube, owner, turn, dice, bottom, top, rule, length, max_cube] = fields[..] else {
            return Err(XgidError::Fields { got: fields.len() });
        };
        let on_roll = match turn {
            "1" => 0,
            "-1" => 1,
            _ => {
                return Err(invalid(
                    "the player on roll",
                    turn,
                    "1 for the bottom player, -1 for the top player",
                ));
            }
        };
        let doubling_cube_owner = match owner {
            "1" => DoublingCubeOwner::Player(0),
            "-1" => DoublingCubeOwner::Player(1),
            "0" => DoublingCubeOwner::Centered,
            _ => return Err(invalid("the doubling cube owner", owner, "1 (bottom), -1 (top) or 0 (center)")),
        };
        let length: u16 = number("the match length", length, MAX_POINTS.into(), "0 (money) to 32767")?;
        let rule: u8 = number("the rule", rule, 3, "0 or 1 in a match (Crawford); 0 to 3 in money play")?;
        if length > 0 && rule > 1 {
            return Err(invalid("the rule", &rule.to_string(), "0 or 1 (Crawford game) in a match"));
        }
        let points = |text| number::<u16>("a score", text, MAX_POINTS.into(), "0 to 32767");
        let score = [points(bottom)?, points(top)?];
        if length > 0 && score.iter().any(|&points| points >= length) {
            return Err(invalid(
                "a score",
                &score.map(|points| points.to_string()).join("-"),
                "less than the match length",
            ));
        }
        if length > 0 && doubling_cube_owner == DoublingCubeOwner::Centered && cube != "0" {
            return Err(invalid("the doubling cube exponent", cube, "0 in the center, in a match"));
        }
        let doubled = dice == "D";
        let roll = match dice.as_bytes() {
            b"00" | b"D" => None,
            &[letter @ (b'B' | b'R')] => return Err(XgidError::Beaver { letter: letter.into() }),
            &[first @ b'0'..=b'9', second @ b'0'..=b'9'] => Some(Roll::new(first - b'0', second - b'0')?),
            _ => {
                return Err(invalid(
                    "the roll",
                    dice,
                    "00 before the roll, two dice such as 63, or D for a double",
                ));
            }
        };
        let state = Match {
            doubling_cube_exponent: number(
                "the doubling cube exponent",
                cube,
                15,
                "0 to 15; 2 stands for a doubling cube of 4",
            )?,
            doubling_cube_owner,
            on_roll,
            crawford: length > 0 && rule == 1,
            game: 1,
            to_decide: if doubled { 1 - on_roll } else { on_roll },
            doubled,
            resigned: 0,
            roll,
            length,
            score,
            without_jacoby: length == 0 && rule & 1 == 0,
        };
        state.check_crawford()?;
        let bottom = parse_places(places)?;
        Ok(Self {
            position: if on_roll == 0 { bottom } else { bottom.mirrored() },
            state,
            beavers: length == 0 && rule & 2 != 0,
            max_doubling_cube_exponent: number(
                "the maximum doubling cube exponent",
                max_cube,
                15,
                "0 to 15",
            )?,
        })
    }
}

impl std::fmt::Display for Xgid {
    /// Writes the XGID with its prefix.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = &self.state;
        let bottom = if state.on_roll == 0 { self.position } else { self.position.mirrored() };
        f.write_str(XGID_PREFIX)?;
        for place in 0..PLACES {
            let top = bottom.theirs().count(BAR - place);
            let character = match (bottom.mine().count(place), top) {
                // Index 0 of a side is its borne-off checkers, which an XGID omits.
                (count @ 1.., _) if place != OFF => b'A' + count - 1,
                (_, count @ 1..) if place != BAR => b'a' + count - 1,
                _ => b'-',
            };
            write!(f, "{}", char::from(character))?;
        }
        let owner = match state.doubling_cube_owner {
            DoublingCubeOwner::Centered => "0",
            DoublingCubeOwner::Player(0) => "1",
            DoublingCubeOwner::Player(_) => "-1",
        };
        let turn = if state.on_roll == 0 { "1" } else { "-1" };
        let dice = match state.roll {
            Some(roll) => format!("{}{}", roll.high(), roll.low()),
            None if state.doubled => "D".to_owned(),
            None => "00".to_owned(),
        };
        let rule = match state.length {
            0 => u8::from(!state.without_jacoby) + 2 * u8::from(self.beavers),
            _ => u8::from(state.crawford),
        };
        let [bottom, top] = state.score.map(|points| points.min(MAX_POINTS));
        write!(
            f,
            ":{}:{owner}:{turn}:{dice}:{bottom}:{top}:{rule}:{}:{}",
            state.doubling_cube_exponent, state.length, self.max_doubling_cube_exponent
        )
    }
}

/// Parses the first field of an XGID, from the view of the bottom player.
fn parse_places(text: &str) -> Result<Position, XgidError> {
    let got = text.chars().count();
    if got != PLACES {
        return Err(XgidError::Places { got });
    }
    let (mut bottom, mut top) = ([0; PLACES], [0; PLACES]);
    for (at, character) in text.chars().enumerate() {
        match character {
            '-' => {}
            'A'..='O' if at != 0 => bottom[at] = character as u8 - b'A' + 1,
            'a'..='o' if at != BAR => top[BAR - at] = character as u8 - b'a' + 1,
            _ => return Err(XgidError::Character { at, character }),
        }
    }
    for side in [&mut bottom, &mut top] {
        // With more than 15 checkers, `Position::new` returns the error.
        let on_board = side.iter().fold(0u8, |sum, &count| sum.saturating_add(count));
        side[OFF] = CHECKERS.saturating_sub(on_board);
    }
    Ok(Position::new(bottom, top)?)
}

fn number<T: TryFrom<u32>>(
    field: &'static str,
    text: &str,
    most: u32,
    allowed: &'static str,
) -> Result<T, XgidError> {
    let digits = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let value = text.parse().ok().filter(|&value| digits && value <= most);
    value.and_then(|value| T::try_from(value).ok()).ok_or_else(|| invalid(field, text, allowed))
}

fn invalid(field: &'static str, value: &str, allowed: &'static str) -> XgidError {
    XgidError::Field { field, value: value.to_owned(), allowed }
}
