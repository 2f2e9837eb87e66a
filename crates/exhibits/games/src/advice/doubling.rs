//! Doubling decision before the roll.

use vivarium_envs::backgammon::doubling::{
    DoublingAction, DoublingContext, DoublingDecision, DoublingMethod,
};
use vivarium_envs::backgammon::{Outcome, Position};
use vivarium_lab::text::{fixed, signed};

/// Doubling decision of the player on roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecidedDoubling {
    /// Cubeless outcome probabilities of the player on roll, before the roll.
    pub probabilities: [f32; 5],
    /// Equities of the player on roll, who may double.
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
        Self { probabilities, decision, method, double }
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

    /// Formats the equities of the three actions, one row each.
    pub fn equity_rows(&self) -> [String; 3] {
        let Self { decision, double, .. } = self;
        [
            (format!("no {double}"), decision.no_double),
            (format!("{double}, take"), decision.double_take),
            (format!("{double}, pass"), decision.double_pass),
        ]
        .map(|(action, equity)| format!("{action:<28} {:>7}", signed(equity, 3)))
    }
}

/// Formats the cubeless equity and the outcome probabilities of the player on roll.
pub fn probabilities_text(probabilities: [f32; 5]) -> String {
    let percent = |probability: f32| fixed(100.0 * f64::from(probability), 1);
    let [win, gammon, backgammon, lost_gammon, lost_backgammon] = probabilities.map(percent);
    format!(
        "cubeless equity {}; win {win} %, gammon {gammon} %, backgammon {backgammon} %; loss {} %, gammon {lost_gammon} %, \
         backgammon {lost_backgammon} %",
        signed(Outcome::equity(probabilities).into(), 3),
        percent(1.0 - probabilities[0])
    )
}
