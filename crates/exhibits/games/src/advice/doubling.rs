//! Doubling decision before the roll.

use vivarium_envs::backgammon::doubling::{
    DoublingAction, DoublingContext, DoublingDecision, DoublingMethod,
};
use vivarium_envs::backgammon::{Outcome, Position};
use vivarium_lab::text::{fixed, signed};

/// Equity losses of doubling actions: the equity of the best action minus the equity of the action. None is negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoublingLosses {
    /// Loss of the player on roll without a double.
    pub no_double: f64,
    /// Loss of the player on roll by a double, to which the opponent replies best.
    pub double: f64,
    /// Loss of the opponent by a take.
    pub take: f64,
    /// Loss of the opponent by a pass.
    pub pass: f64,
}

impl DoublingLosses {
    /// Computes the losses of the actions of a decision.
    pub fn of(decision: &DoublingDecision) -> Self {
        let DoublingDecision { no_double, double_take, double_pass } = *decision;
        let double = decision.double();
        Self {
            no_double: (double - no_double).max(0.0),
            double: (no_double - double).max(0.0),
            take: (double_take - double_pass).max(0.0),
            pass: (double_pass - double_take).max(0.0),
        }
    }
}

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

    /// Returns the names of the three actions with their equities: no double, double and take, double and pass.
    pub fn actions(&self) -> [(String, f64); 3] {
        let Self { decision, double, .. } = self;
        [
            (format!("no {double}"), decision.no_double),
            (format!("{double}, take"), decision.double_take),
            (format!("{double}, pass"), decision.double_pass),
        ]
    }

    /// Formats the equities of the three actions, one row each.
    pub fn equity_rows(&self) -> [String; 3] {
        self.actions().map(|(action, equity)| format!("{action:<28} {:>7}", signed(equity, 3)))
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
