//! What is written down of a table and of what was search at it, and how it is set up again.

use super::GameSession;
use crate::documents::CANDIDATES;
use crate::player_pool::PlayerPool;
use crate::protocol::{GameAnalysis, GameBoard, GameCandidate, GamePlayer};
use crate::rules::TableGame;
use crate::table::{GameRecord, TableState};
use serde::{Deserialize, Serialize};
use vivarium_lab::error::LabError;

/// The longest that a play can be written.
const LONGEST_TEXT: usize = 80;

/// The table, who looks at it, and what was search of the turns played. A search that was under way begins anew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedState {
    table: GameRecord,
    analyst: GamePlayer,
    speed: Option<f32>,
    history: Vec<Option<GameAnalysis>>,
}

impl<G: TableGame> GameSession<G> {
    pub(crate) fn to_saved(&self) -> SavedState {
        let Self { analyst, speed, .. } = *self;
        SavedState { table: self.table.record(), analyst, speed, history: self.history.clone() }
    }

    /// The table that was saved, with those at it who can sit there.
    ///
    /// # Errors
    /// [`LabError`] saying what of it cannot be.
    pub(crate) fn from_saved(seed: u64, saved: SavedState, pool: &PlayerPool<G>) -> Result<Self, LabError> {
        let table = TableState::of_record(seed, &saved.table)?;
        let seats = table.seats;
        let mut session = Self { table, history: saved.history, ..Self::new(seed) };
        session.set_seats(pool, seats)?;
        session.set_analysis(pool, saved.analyst, saved.speed)?;
        session.check_past()?;
        Ok(session)
    }

    /// Refuses search_version that are not about the turns played, or of plays that no board has.
    fn check_past(&self) -> Result<(), LabError> {
        let (turns, outcome_probabilities) = (self.table.turns() as usize, G::outcomes().len());
        let places = match self.table.state().board(None) {
            GameBoard::Backgammon { .. } => 26,
            GameBoard::ConnectFour { .. } => 7,
        };
        let refuse = |turn: usize| {
            let allowed = "what was search of a turn must be about it";
            Err(LabError::invalid("history", format!("turn {turn} of {turns}"), allowed))
        };
        if self.history.len() > turns {
            return refuse(self.history.len());
        }
        let known = |probabilities_of: &[f32]| {
            probabilities_of.is_empty() || probabilities_of.len() == outcome_probabilities
        };
        let sound = |candidate: &GameCandidate| {
            let on_board = candidate.moves.iter().all(|one| one.from.max(one.to) < places);
            on_board && known(&candidate.outcome_probabilities) && candidate.text.len() <= LONGEST_TEXT
        };
        let about = |(turn, analysis): (usize, &GameAnalysis)| {
            let fits =
                analysis.turn as usize == turn && analysis.seat < 2 && known(&analysis.outcome_probabilities);
            fits && analysis.candidates.len() <= CANDIDATES && analysis.candidates.iter().all(sound)
        };
        let search_version = self.history.iter().enumerate();
        let search_version = search_version.filter_map(|(turn, search)| Some((turn, search.as_ref()?)));
        match { search_version }.find(|&search| !about(search)) {
            Some((turn, _)) => refuse(turn),
            None => Ok(()),
        }
    }
}
