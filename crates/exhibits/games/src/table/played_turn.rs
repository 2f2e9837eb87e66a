//! Finished turns of the game at the table, with their assessments.

use super::match_play::Cube;
use crate::protocol::GameTurn;

/// Assessment of a play by the analysis: equity loss, best play and equity, as in [`GameTurn`].
#[derive(Clone, Debug, Default)]
pub(crate) struct PlayAssessment {
    pub(crate) lost: Option<f32>,
    pub(crate) best: Option<String>,
    /// Equity in points after the play, for the seat that played.
    pub(crate) equity: Option<f32>,
}

/// Finished turn of the history, with the state before the turn, which is restored when the turn is taken back.
pub(super) struct PlayedTurn<G> {
    pub(super) state: G,
    pub(super) move_list: String,
    /// Doubling cube in the turn; `None` in cubeless games.
    pub(super) cube: Option<Cube>,
    pub(super) seen: GameTurn,
}
