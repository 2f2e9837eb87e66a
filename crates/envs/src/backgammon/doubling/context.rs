//! Context of a cube decision: money or match score, value and owner of the cube.

use super::match_equity::MatchEquityTable;
use super::model::{Owner, Stake};
use crate::backgammon::match_id::{CubeOwner, Match};

/// Maximum match length for which cube decisions are computed, in points.
pub const MAX_MATCH_LENGTH: u16 = 64;

/// Context of a cube decision, from the view of the player on roll.
#[derive(Clone, Debug)]
pub struct CubeContext {
    /// Value of the cube.
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

/// Reason why the player on roll has no cube decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CubeError {
    /// The dice have been rolled.
    #[error("no cube decision: the dice have been rolled")]
    Rolled,
    /// The opponent owns the cube.
    #[error("no cube decision: the opponent owns the cube")]
    NotOwned,
    /// The cube is not used in the Crawford game.
    #[error("no cube decision: this is the Crawford game")]
    Crawford,
    /// A win with the present cube is enough for the match.
    #[error("no cube decision: a win with the present cube wins the match")]
    Dead,
    /// The match is too long.
    #[error("no cube decision: the match is longer than {MAX_MATCH_LENGTH} points")]
    Length,
}

impl CubeContext {
    /// Returns the context of the player on roll in a match or money game.
    ///
    /// # Errors
    /// [`CubeError`] if the player may not double, or has no use for a double.
    pub fn new(state: &Match) -> Result<Self, CubeError> {
        let owner = match state.cube_owner {
            CubeOwner::Centered => Owner::Center,
            CubeOwner::Player(player) if player == state.on_roll => Owner::Mine,
            CubeOwner::Player(_) => return Err(CubeError::NotOwned),
        };
        if state.roll.is_some() {
            return Err(CubeError::Rolled);
        }
        let cube = 1 << state.cube_exponent;
        if state.length == 0 {
            return Ok(Self { cube, owner, score: Score::Money { jacoby: !state.without_jacoby } });
        }
        if state.crawford {
            return Err(CubeError::Crawford);
        }
        if state.length > MAX_MATCH_LENGTH {
            return Err(CubeError::Length);
        }
        let length = i32::from(state.length);
        let away = |player: u8| (length - i32::from(state.score[usize::from(player & 1)])).max(1);
        let away = [away(state.on_roll), away(1 - (state.on_roll & 1))];
        if cube >= away[0] {
            return Err(CubeError::Dead);
        }
        let table = MatchEquityTable::new(away[0].max(away[1]) as usize);
        Ok(Self { cube, owner, score: Score::Match { away, post_crawford: away.contains(&1), table } })
    }

    pub(super) fn stake(&self) -> Stake<'_> {
        match &self.score {
            Score::Money { jacoby } => Stake::Money { jacoby: *jacoby },
            Score::Match { away, post_crawford, table } => {
                Stake::Match { away: *away, post_crawford: *post_crawford, table }
            }
        }
    }

    /// Returns whether the cube has been turned, so that a double is a redouble.
    pub fn is_redouble(&self) -> bool {
        self.owner == Owner::Mine
    }
}
