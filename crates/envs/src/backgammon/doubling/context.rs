//! Context of a doubling decision: money or match score, value and owner of the doubling cube.

use super::match_equity::{MAX_MATCH_LENGTH, MatchEquityTable};
use super::model::{Owner, Stake};
use crate::backgammon::match_id::{DoublingCubeOwner, Match};

/// Context of a doubling decision, from the view of the player on roll.
#[derive(Clone, Debug)]
pub struct DoublingContext {
    /// Value of the doubling cube.
    pub(super) cube: i32,
    pub(super) owner: Owner,
    pub(super) score: Score,
}

/// Money play, or the score of a match.
#[derive(Clone, Debug)]
pub(super) enum Score {
    Money { jacoby: bool },
    Match { away: [i32; 2], post_crawford: bool, table: MatchEquityTable },
}

/// Reason why the player on roll has no doubling decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DoublingError {
    /// The dice have been rolled.
    #[error("no doubling decision: the dice have been rolled")]
    Rolled,
    /// The opponent owns the doubling cube.
    #[error("no doubling decision: the opponent owns the doubling cube")]
    NotOwned,
    /// The doubling cube is not used in the Crawford game.
    #[error("no doubling decision: this is the Crawford game")]
    Crawford,
    /// A win with the present doubling cube is enough for the match.
    #[error("no doubling decision: a win with the present doubling cube wins the match")]
    Dead,
    /// The match is too long.
    #[error("no doubling decision: the match is longer than {MAX_MATCH_LENGTH} points")]
    Length,
    /// A player needs more points than the match equity table has.
    #[error(
        "no doubling decision: a player needs {away} points, but the match equity table has only {length}"
    )]
    Table {
        /// Points that the player needs.
        away: u16,
        /// Length of the table in points.
        length: u16,
    },
}

impl DoublingContext {
    /// Returns the context of the player on roll in a match or money game.
    ///
    /// # Errors
    /// [`DoublingError`] if the player may not double, or has no use for a double.
    pub fn new(state: &Match) -> Result<Self, DoublingError> {
        Self::check(state)?;
        let longest = if state.length == 0 { 1 } else { away(state).into_iter().max().unwrap_or(1) };
        Self::with_table(state, &MatchEquityTable::new(longest as usize))
    }

    /// Returns the context of the player on roll, with another match equity table than the computed one of [`new`](Self::new).
    ///
    /// # Errors
    /// [`DoublingError`] if the player may not double, has no use for a double, or the table is too short.
    pub fn with_table(state: &Match, table: &MatchEquityTable) -> Result<Self, DoublingError> {
        Self::check(state)?;
        let cube = 1 << state.doubling_cube_exponent;
        let owner = match state.doubling_cube_owner {
            DoublingCubeOwner::Centered => Owner::Center,
            DoublingCubeOwner::Player(_) => Owner::Mine,
        };
        if state.length == 0 {
            return Ok(Self { cube, owner, score: Score::Money { jacoby: !state.without_jacoby } });
        }
        let away = away(state);
        if let Some(&away) = away.iter().find(|&&away| away > table.length().into()) {
            return Err(DoublingError::Table { away: away as u16, length: table.length() });
        }
        let score = Score::Match { away, post_crawford: away.contains(&1), table: table.clone() };
        Ok(Self { cube, owner, score })
    }

    /// Checks that the player on roll has a doubling decision, without the match equity table that
    /// [`new`](Self::new) computes.
    ///
    /// # Errors
    /// [`DoublingError`] if the player may not double, or has no use for a double.
    pub fn check(state: &Match) -> Result<(), DoublingError> {
        if matches!(state.doubling_cube_owner, DoublingCubeOwner::Player(player) if player != state.on_roll) {
            return Err(DoublingError::NotOwned);
        }
        match state {
            Match { roll: Some(_), .. } => Err(DoublingError::Rolled),
            Match { length: 0, .. } => Ok(()),
            Match { crawford: true, .. } => Err(DoublingError::Crawford),
            Match { length, .. } if *length > MAX_MATCH_LENGTH => Err(DoublingError::Length),
            _ if 1 << state.doubling_cube_exponent >= away(state)[0] => Err(DoublingError::Dead),
            _ => Ok(()),
        }
    }

    pub(super) fn stake(&self) -> Stake<'_> {
        match &self.score {
            Score::Money { jacoby } => Stake::Money { jacoby: *jacoby },
            Score::Match { away, post_crawford, table } => {
                Stake::Match { away: *away, post_crawford: *post_crawford, table }
            }
        }
    }

    /// Returns whether the doubling cube has been turned, so that a double is a redouble.
    pub fn is_redouble(&self) -> bool {
        self.owner == Owner::Mine
    }
}

/// Returns the points that the player on roll and the opponent need to win the match.
fn away(state: &Match) -> [i32; 2] {
    let away =
        |player: u8| (i32::from(state.length) - i32::from(state.score[usize::from(player & 1)])).max(1);
    [away(state.on_roll), away(1 - (state.on_roll & 1))]
}
