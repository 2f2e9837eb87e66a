//! Text of a position as players exchange it: an XGID, or a position ID of GNU Backgammon with an optional match ID.

use super::id::{self, IdError};
use super::match_id::{self, Match, MatchIdError};
use super::position::Position;
use super::xgid::{Xgid, XgidError};
use std::borrow::Cow;

/// Label of the position ID in the text that GNU Backgammon copies.
const POSITION_LABEL: &str = "Position ID";
/// Label of the match ID.
const MATCH_LABEL: &str = "Match ID";

/// Position with the state of its match or money game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Checkers, from the view of the player on roll.
    pub position: Position,
    /// Cube, player on roll, dice and score; `None` if the text is a position ID only.
    pub state: Option<Match>,
}

/// Parse error of the text of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The text is a match ID without a position.
    #[error(
        "this is a match ID, which has no position; enter the position ID before it, as in 4HPwATDgc/ABMA:{id}"
    )]
    MatchAlone {
        /// The match ID.
        id: String,
    },
    /// The match ID comes before the position ID.
    #[error("the match ID comes first; enter the position ID first, as in {position}:{id}")]
    Swapped {
        /// The position ID.
        position: String,
        /// The match ID.
        id: String,
    },
    /// A second position ID takes the place of the match ID.
    #[error(
        "{id} is a second position ID; after the colon comes a match ID of 12 characters, such as cAkAAAAAAAAA"
    )]
    TwoPositions {
        /// The second position ID.
        id: String,
    },
    /// The XGID is invalid.
    #[error(transparent)]
    Xgid(#[from] XgidError),
    /// The position ID is invalid.
    #[error(transparent)]
    Position(#[from] IdError),
    /// The match ID is invalid.
    #[error(transparent)]
    Match(#[from] MatchIdError),
}

impl Setup {
    /// Parses an XGID, a position ID, or a position ID and a match ID with a colon between them, or with the labels of GNU
    /// Backgammon: `Position ID: 4HPwATDgc/ABMA Match ID: cAkAAAAAAAAA`.
    ///
    /// # Errors
    /// [`SetupError`] if the text has another format, or describes an impossible position.
    pub fn parse(text: &str) -> Result<Self, SetupError> {
        let unlabeled = without_labels(text);
        let text = unlabeled.trim();
        if id::is_xgid(text) {
            let Xgid { position, state, .. } = Xgid::parse(text)?;
            return Ok(Self { position, state: Some(state) });
        }
        let (first, second) =
            text.split_once(':').map_or((text, ""), |(first, second)| (first.trim(), second.trim()));
        let is_match = |text: &str| text.len() == match_id::LENGTH && Match::from_id(text).is_ok();
        let is_position = |text: &str| text.len() == id::LENGTH && Position::from_id(text).is_ok();
        if is_match(first) {
            return Err(match second {
                "" => SetupError::MatchAlone { id: first.to_owned() },
                second => SetupError::Swapped { position: second.to_owned(), id: first.to_owned() },
            });
        }
        let position = Position::from_id(first)?;
        if is_position(second) {
            return Err(SetupError::TwoPositions { id: second.to_owned() });
        }
        let state = if second.is_empty() { None } else { Some(Match::from_id(second)?) };
        Ok(Self { position, state })
    }
}

/// Replaces the labels of GNU Backgammon, `Position ID: A Match ID: B`, by the form `A:B`. Other text is unchanged.
fn without_labels(text: &str) -> Cow<'_, str> {
    let Some((_, ids)) = text.split_once(POSITION_LABEL) else { return Cow::Borrowed(text) };
    let is_separator = |c: char| c == ':' || c.is_whitespace();
    let parts: Vec<_> = ids.split(MATCH_LABEL).map(|id| id.trim_matches(is_separator)).collect();
    Cow::Owned(parts.join(":"))
}
