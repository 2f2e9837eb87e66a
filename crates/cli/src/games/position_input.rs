//! Positions that a user types: an XGID, or a position ID with an optional match ID, and a roll.

use super::board_text::board_text;
use super::doubling_text::match_text;
use super::roll::parse_roll;
use crate::error::CliError;
use vivarium_envs::backgammon::{Match, Roll, Setup, Xgid};

/// Maximum length of a part of a roll, such as `6-4`; a longer part is a match ID.
const LONGEST_ROLL: usize = 3;

/// Position to evaluate, of the command line or of a line of standard input.
pub struct PositionInput {
    pub xgid: Xgid,
    /// Whether the text contains the doubling cube; a position ID alone does not.
    pub has_state: bool,
}

impl PositionInput {
    /// Parses an XGID, or a position ID with an optional match ID. `dice` replaces the roll of the ID.
    ///
    /// # Errors
    /// [`CliError::Usage`] if the ID is invalid, or the game is over.
    pub fn parse(text: &str, dice: Option<Roll>) -> Result<Self, CliError> {
        let Setup { position, state } =
            Setup::parse(text).map_err(|error| CliError::usage(format!("position {text}: {error}")))?;
        if position.outcome().is_some() {
            return Err(CliError::usage(
                "position: the game is over; both players need checkers on the board",
            ));
        }
        let has_state = state.is_some();
        let mut state = state.unwrap_or(Match::MONEY);
        state.roll = dice.or(state.roll);
        // An XGID keeps its limit of the doubling cube.
        let xgid = Xgid::parse(text).unwrap_or_else(|_| Xgid::new(position, state));
        Ok(Self { xgid: Xgid { state, ..xgid }, has_state })
    }

    /// Parses a line of a batch: position, optional match ID and optional roll. `dice` is the roll of lines without a roll.
    ///
    /// # Errors
    /// [`CliError::Usage`] if position or roll are invalid, or the game is over.
    pub fn parse_line(line: &str, dice: Option<Roll>) -> Result<Self, CliError> {
        Self::parse_parts(&line.split_whitespace().collect::<Vec<_>>(), dice)
    }

    /// Parses a position, an optional match ID and an optional roll. `dice` is the roll without a roll in the parts.
    ///
    /// # Errors
    /// [`CliError::Usage`] if position or roll are invalid, or the game is over.
    pub fn parse_parts(parts: &[&str], dice: Option<Roll>) -> Result<Self, CliError> {
        let (position, roll) = match *parts {
            [position, id, ref roll @ ..] if id.len() > LONGEST_ROLL => (format!("{position}:{id}"), roll),
            [position, ref roll @ ..] => (position.to_owned(), roll),
            [] => (String::new(), parts),
        };
        match roll {
            [] => Self::parse(&position, dice),
            [_] | [_, _] => {
                let roll = roll.join(" ");
                let roll =
                    parse_roll(&roll).map_err(|error| CliError::usage(format!("roll {roll}: {error}")))?;
                Self::parse(&position, Some(roll))
            }
            _ => Err(CliError::usage(
                "a line has a position and optionally a match ID and a roll, such as 4HPwATDgc/ABMA 64",
            )),
        }
    }

    /// Formats the lines above a result: XGID, IDs, pips, score and doubling cube, and the board if `has_board`.
    pub fn header(&self, has_board: bool) -> String {
        let xgid = &self.xgid;
        let Xgid { position, state, .. } = xgid;
        let [mine, theirs] = [position.mine(), position.theirs()].map(|side| side.pips());
        let assumption = if self.has_state { "" } else { " Assumed: the position ID has no match ID." };
        // The player on roll comes first.
        let from_view = if state.on_roll == 0 { *state } else { state.swapped() };
        let board = if has_board { format!("\n\n{}", board_text(xgid)) } else { String::new() };
        format!(
            "{}\nPlayer on roll: {mine} pips, opponent: {theirs} pips. {}{assumption}{board}",
            ids_text(xgid, true),
            match_text(&from_view, ["player on roll", "opponent"]),
        )
    }
}

/// Formats the IDs of a position in two lines: XGID, and position ID with the match ID. `has_match_id`: whether the match ID is
/// written; without it, the position ID stands for a game without the doubling cube.
pub fn ids_text(xgid: &Xgid, has_match_id: bool) -> String {
    let match_id = if has_match_id { format!(":{}", xgid.state.id()) } else { String::new() };
    format!("{xgid}\n{}{match_id}", xgid.position.id())
}
