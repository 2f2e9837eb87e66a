//! Finished turns.

use crate::protocol::GameTurn;

/// Assessment of a play by the analysis.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlayAssessment {
    pub(crate) lost: Option<f32>,
    pub(crate) best: Option<String>,
    /// Equity for the seat that played.
    pub(crate) equity: Option<f32>,
}

/// A finished turn, with the state to return to when it is taken back.
pub(super) struct PlayedTurn<G> {
    pub(super) state: G,
    pub(super) line: String,
    pub(super) seen: GameTurn,
}
