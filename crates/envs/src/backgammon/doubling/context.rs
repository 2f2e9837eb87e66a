//! Context of a doubling decision: a match or money game in which the player on roll may double.

use super::equity::{EquityContext, ScoreError, away};
use super::match_equity::{MAX_MATCH_LENGTH, MatchEquityTable};
use crate::backgammon::match_id::{DoublingCubeOwner, Match};

/// Context of a doubling decision of the player on roll.
#[derive(Clone, Debug)]
pub struct DoublingContext {
    state: Match,
    table: MatchEquityTable,
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
    /// The score has no match equity.
    #[error("no doubling decision: {0}")]
    Score(#[from] ScoreError),
}

impl DoublingContext {
    /// Returns the context of the player on roll in a match or money game.
    ///
    /// # Errors
    /// [`DoublingError`] if the player may not double, or has no use for a double.
    pub fn new(state: &Match) -> Result<Self, DoublingError> {
        Self::with_table(state, MatchEquityTable::computed())
    }

    /// Returns the context of the player on roll, with another match equity table than the computed one of [`new`](Self::new).
    ///
    /// # Errors
    /// [`DoublingError`] if the player may not double, has no use for a double, or the table is too short.
    pub fn with_table(state: &Match, table: &MatchEquityTable) -> Result<Self, DoublingError> {
        Self::check(state)?;
        EquityContext::new(state, table)?;
        Ok(Self { state: *state, table: table.clone() })
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
            Match { length, .. } if *length > MAX_MATCH_LENGTH => Err(ScoreError::Length.into()),
            _ if 1 << state.doubling_cube_exponent >= away(state)[0] => Err(DoublingError::Dead),
            _ => Ok(()),
        }
    }

    /// Returns the score and the doubling cube of the player on roll.
    pub fn equity_context(&self) -> EquityContext<'_> {
        EquityContext::of_known_score(&self.state, &self.table)
    }

    /// Returns whether the doubling cube has been turned, so that a double is a redouble.
    pub fn is_redouble(&self) -> bool {
        self.state.doubling_cube_owner != DoublingCubeOwner::Centered
    }
}
