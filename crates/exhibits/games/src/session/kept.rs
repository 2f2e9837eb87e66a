//! What is written down of a table and of what was thought at it, and how it is set up again.

use super::GameSession;
use crate::documents::CANDIDATES;
use crate::player_pool::PlayerPool;
use crate::protocol::{GameAnalysis, GameBoard, GameCandidate, GamePlayer};
use crate::rules::Playable;
use crate::table::{Record, Table};
use serde::{Deserialize, Serialize};
use vivarium_lab::error::LabError;

/// The longest that a play can be written.
const LONGEST_TEXT: usize = 80;

/// The table, who looks at it, and what was thought of the turns played. A search that was under way begins anew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedState {
    table: Record,
    analyst: GamePlayer,
    speed: Option<f32>,
    past: Vec<Option<GameAnalysis>>,
}

impl<G: Playable> GameSession<G> {
    pub(crate) fn kept(&self) -> SavedState {
        let Self { analyst, speed, .. } = *self;
        SavedState { table: self.table.record(), analyst, speed, past: self.past.clone() }
    }

    /// The table that was kept, with those at it who can sit there.
    ///
    /// # Errors
    /// [`LabError`] saying what of it cannot be.
    pub(crate) fn of_kept(seed: u64, kept: SavedState, pool: &PlayerPool<G>) -> Result<Self, LabError> {
        let table = Table::of_record(seed, &kept.table)?;
        let seats = table.seats;
        let mut session = Self { table, past: kept.past, ..Self::new(seed) };
        session.set_seats(pool, seats)?;
        session.set_analysis(pool, kept.analyst, kept.speed)?;
        session.check_past()?;
        Ok(session)
    }

    /// Refuses thoughts that are not about the turns played, or of plays that no board has.
    fn check_past(&self) -> Result<(), LabError> {
        let (turns, chances) = (self.table.turns() as usize, G::chances().len());
        let places = match self.table.state().board(None) {
            GameBoard::Backgammon { .. } => 26,
            GameBoard::ConnectFour { .. } => 7,
        };
        let refuse = |turn: usize| {
            let allowed = "what was thought of a turn must be about it";
            Err(LabError::invalid("past", format!("turn {turn} of {turns}"), allowed))
        };
        if self.past.len() > turns {
            return refuse(self.past.len());
        }
        let known = |chances_of: &[f32]| chances_of.is_empty() || chances_of.len() == chances;
        let sound = |candidate: &GameCandidate| {
            let on_board = candidate.moves.iter().all(|one| one.from.max(one.to) < places);
            on_board && known(&candidate.chances) && candidate.text.len() <= LONGEST_TEXT
        };
        let about = |(turn, analysis): (usize, &GameAnalysis)| {
            let fits = analysis.turn as usize == turn && analysis.seat < 2 && known(&analysis.chances);
            fits && analysis.candidates.len() <= CANDIDATES && analysis.candidates.iter().all(sound)
        };
        let thoughts = self.past.iter().enumerate();
        let thoughts = thoughts.filter_map(|(turn, thought)| Some((turn, thought.as_ref()?)));
        match { thoughts }.find(|&thought| !about(thought)) {
            Some((turn, _)) => refuse(turn),
            None => Ok(()),
        }
    }
}
