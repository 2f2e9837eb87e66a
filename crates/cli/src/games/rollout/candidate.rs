//! Candidates of a rollout: plays of a roll, or the position before the roll.

use vivarium_envs::backgammon::Position;
use vivarium_envs::backgammon::doubling::EquityContext;

/// Position of a rollout, and whose probabilities are estimated.
#[derive(Clone, Copy, Debug)]
pub struct RolloutCandidate<'a> {
    /// Position before the roll.
    pub position: Position,
    /// Score and doubling cube of the player on roll in the position.
    pub context: EquityContext<'a>,
    /// Whether the probabilities belong to the opponent of the player on roll, as after a play.
    pub is_opponent: bool,
}

impl RolloutCandidate<'_> {
    /// Returns the equity at the score and with the doubling cube, from the estimated probabilities. Before the roll it includes
    /// the best doubling action.
    pub fn equity(&self, probabilities: [f64; 5]) -> f64 {
        let (Self { position, context, .. }, probabilities) = (self, probabilities.map(|p| p as f32));
        if self.is_opponent {
            context.opponent().equity_after_play(position, probabilities)
        } else {
            context.equity(context.value(position, probabilities))
        }
    }
}
