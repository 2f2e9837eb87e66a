//! Evaluation of a doubling decision at the table.

use crate::protocol::GamePlayer;
use vivarium_envs::backgammon::Match;
use vivarium_envs::backgammon::doubling::DoublingDecision;

/// Subject of an evaluation: game, turn, player on roll, doubling cube and score before the double, and the network.
pub(super) type DoublingSubject = (u32, u32, Match, GamePlayer);

/// Evaluation of a doubling decision.
pub(super) struct DoublingEvaluation {
    pub(super) about: DoublingSubject,
    /// Cubeless outcome probabilities of the player on roll, before the roll.
    pub(super) probabilities: [f32; 5],
    pub(super) decision: DoublingDecision,
}
