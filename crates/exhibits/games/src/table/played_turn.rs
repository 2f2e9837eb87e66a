//! Turns that were played.

use crate::protocol::GameTurn;

/// What is said of a play in the history.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlayAssessment {
    pub(crate) lost: Option<f32>,
    pub(crate) best: Option<String>,
    /// For the seat that played.
    pub(crate) equity: Option<f32>,
}

/// A turn that was played, with what it takes to go back there.
pub(super) struct PlayedTurn<G> {
    pub(super) state: G,
    pub(super) line: String,
    pub(super) seen: GameTurn,
}
