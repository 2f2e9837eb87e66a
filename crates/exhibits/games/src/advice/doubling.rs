//! Doubling decision before the roll.

use vivarium_envs::backgammon::Position;
use vivarium_envs::backgammon::doubling::{
    DoublingAction, DoublingContext, DoublingDecision, DoublingMethod,
};

/// Doubling decision of the player on roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecidedDoubling {
    /// Equities of the player on roll, who doubles.
    pub decision: DoublingDecision,
    /// Method of the equities.
    pub method: DoublingMethod,
    /// Word for a double: "double" or "redouble".
    pub double: &'static str,
}

impl DecidedDoubling {
    /// Computes the decision in `position` from the cubeless probabilities of the player on roll before the roll.
    pub fn new(position: &Position, probabilities: [f32; 5], context: &DoublingContext) -> Self {
        let (decision, method) = DoublingDecision::of_position(position, probabilities, context);
        let double = if context.is_redouble() { "redouble" } else { "double" };
        Self { decision, method, double }
    }

    /// Returns the best action of both players. If a double has been `offered`: of the opponent.
    pub fn best(&self, offered: bool) -> String {
        let Self { decision, double, .. } = self;
        if offered {
            return if decision.is_take() { "take" } else { "pass" }.to_owned();
        }
        match decision.action() {
            DoublingAction::NoDouble => format!("no {double}, take"),
            DoublingAction::DoubleTake => format!("{double}, take"),
            DoublingAction::DoublePass => format!("{double}, pass"),
            DoublingAction::TooGood => format!("too good to {double}, pass"),
        }
    }
}
