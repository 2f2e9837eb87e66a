//! Session in which a user plays or analyzes a game, as saved in a checkpoint: game record, analyst (the network that
//! analyzes human decisions) and analyses.

use super::GameSession;
use crate::documents::CANDIDATES;
use crate::player_pool::PlayerPool;
use crate::protocol::{GameAnalysis, GameBoard, GameCandidate, GamePlayer};
use crate::rules::TableGame;
use crate::table::{GameRecord, TableState};
use serde::{Deserialize, Serialize};
use vivarium_lab::error::LabError;

/// Maximum length in bytes of a play's notation in a file.
const MAX_TEXT_LEN: usize = 80;

/// Session in which a user plays or analyzes a game, as saved in a checkpoint. A search in progress is not saved; the
/// search restarts when the session is restored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedState {
    table: GameRecord,
    analyst: GamePlayer,
    speed: Option<f32>,
    #[serde(rename = "past")]
    analyses: Vec<Option<GameAnalysis>>,
}

impl<G: TableGame> GameSession<G> {
    pub(crate) fn to_saved(&self) -> SavedState {
        let Self { analyst, speed, .. } = *self;
        SavedState { table: self.table.record(), analyst, speed, analyses: self.analyses.clone() }
    }

    /// Restores a session from its saved state. `seed` is the seed of the run. The pool must contain the players of the
    /// session.
    ///
    /// # Errors
    /// [`LabError`] naming the invalid part.
    pub(crate) fn from_saved(seed: u64, saved: SavedState, pool: &PlayerPool<G>) -> Result<Self, LabError> {
        let table = TableState::of_record(seed, &saved.table)?;
        let seats = table.seats;
        let mut session = Self { table, analyses: saved.analyses, ..Self::new(seed) };
        session.set_seats(pool, seats)?;
        session.set_analysis(pool, saved.analyst, saved.speed)?;
        session.check_analyses()?;
        Ok(session)
    }

    /// Checks the analyses that were read from a checkpoint.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if an analysis does not belong to its turn, or contains a move off the board, an overlong
    /// notation or a wrong number of outcome probabilities.
    fn check_analyses(&self) -> Result<(), LabError> {
        let (turns, outcomes) = (self.table.turns() as usize, G::outcomes().len());
        let places = match self.table.state().board(None) {
            GameBoard::Backgammon { .. } => 26,
            GameBoard::ConnectFour { .. } => 7,
        };
        let refuse = |turn: usize| {
            let allowed = "an analysis must belong to its turn";
            Err(LabError::invalid("past", format!("turn {turn} of {turns}"), allowed))
        };
        if self.analyses.len() > turns {
            return refuse(self.analyses.len());
        }
        let has_valid_len =
            |probabilities: &[f32]| probabilities.is_empty() || probabilities.len() == outcomes;
        let is_legal = |candidate: &GameCandidate| {
            let on_board = candidate.moves.iter().all(|one| one.from.max(one.to) < places);
            on_board
                && has_valid_len(&candidate.outcome_probabilities)
                && candidate.text.len() <= MAX_TEXT_LEN
        };
        let is_valid = |(turn, analysis): (usize, &GameAnalysis)| {
            let fits = analysis.turn as usize == turn
                && analysis.seat < 2
                && has_valid_len(&analysis.outcome_probabilities);
            fits && analysis.candidates.len() <= CANDIDATES && analysis.candidates.iter().all(is_legal)
        };
        let analyses = self.analyses.iter().enumerate();
        let mut analyses = analyses.filter_map(|(turn, analysis)| Some((turn, analysis.as_ref()?)));
        match analyses.find(|&entry| !is_valid(entry)) {
            Some((turn, _)) => refuse(turn),
            None => Ok(()),
        }
    }
}
