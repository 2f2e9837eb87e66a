//! Doubling decision: equities of no double, double and take, double and pass.

use super::CUBE_LIFE;
use super::bearoff::{self, DoublingMethod};
use super::context::DoublingContext;
use super::equity::EquityContext;
use crate::backgammon::position::Position;

/// Best doubling action of both players before a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DoublingAction {
    /// The player on roll does not double; the opponent would take.
    NoDouble,
    /// The player on roll doubles and the opponent takes.
    DoubleTake,
    /// The player on roll doubles and the opponent passes.
    DoublePass,
    /// The player on roll does not double, because playing for a gammon is worth more than the pass of the opponent.
    TooGood,
}

/// Equities of the player on roll for each doubling action, normalized to the present doubling cube: 1 is the value of a single game
/// won. In a match, 1 and −1 are the match winning probabilities after winning and losing the present doubling cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoublingDecision {
    /// Equity if the player on roll does not double.
    pub no_double: f64,
    /// Equity if the player on roll doubles and the opponent takes.
    pub double_take: f64,
    /// Equity if the player on roll doubles and the opponent passes: 1.
    pub double_pass: f64,
}

impl DoublingDecision {
    /// Computes the equities from cubeless probabilities before the roll, in the order of
    /// [`Outcome::probabilities`](crate::backgammon::Outcome::probabilities). `cube_life` is Janowski's x, from 0 for a
    /// dead cube to 1 for a live cube.
    pub fn new(probabilities: [f32; 5], context: &DoublingContext, cube_life: f64) -> Self {
        Self::in_context(probabilities, context.equity_context(), cube_life)
    }

    /// Computes the equities as [`new`](Self::new) does, for a player who may double.
    pub fn in_context(probabilities: [f32; 5], context: EquityContext<'_>, cube_life: f64) -> Self {
        let equity = |doubled: EquityContext<'_>| {
            context.equity(doubled.value_without_double(probabilities, cube_life))
        };
        Self { no_double: equity(context), double_take: equity(context.doubled()), double_pass: 1.0 }
    }

    /// Computes the equities of a position before the roll, and returns how. Bear-offs do not use the cubeless
    /// `probabilities` of the network; see [`DoublingMethod`].
    pub fn of_position(
        position: &Position,
        probabilities: [f32; 5],
        context: &DoublingContext,
    ) -> (Self, DoublingMethod) {
        match bearoff::decision(position, context) {
            Some(([no_double, double_take], method)) => {
                (Self { no_double, double_take, double_pass: 1.0 }, method)
            }
            None => (Self::new(probabilities, context, CUBE_LIFE), DoublingMethod::Janowski),
        }
    }

    /// Returns whether a take costs the opponent no more than a pass.
    pub fn is_take(&self) -> bool {
        self.double_take <= self.double_pass
    }

    /// Returns the equity of a double to which the opponent replies best.
    pub fn double(&self) -> f64 {
        self.double_take.min(self.double_pass)
    }

    /// Returns the best action of both players.
    pub fn action(&self) -> DoublingAction {
        match (self.double() > self.no_double, self.is_take()) {
            (true, true) => DoublingAction::DoubleTake,
            (true, false) => DoublingAction::DoublePass,
            (false, true) => DoublingAction::NoDouble,
            (false, false) if self.no_double > self.double_pass => DoublingAction::TooGood,
            (false, false) => DoublingAction::DoublePass,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CUBE_LIFE, DoublingError, ScoreError};
    use super::*;
    use crate::backgammon::{DoublingCubeOwner, Match};

    fn decision(win: f32, state: Match) -> DoublingDecision {
        DoublingDecision::new([win, 0.0, 0.0, 0.0, 0.0], &DoublingContext::new(&state).unwrap(), CUBE_LIFE)
    }

    fn at_score(length: u16, score: [u16; 2]) -> Match {
        Match { length, score, ..Match::MONEY }
    }

    #[test]
    fn money_decisions_depend_on_the_winning_probability() {
        for (win, action) in [
            (0.5, DoublingAction::NoDouble),
            (0.65, DoublingAction::NoDouble),
            (0.75, DoublingAction::DoubleTake),
            (0.78, DoublingAction::DoubleTake),
            (0.80, DoublingAction::DoublePass),
            (0.95, DoublingAction::DoublePass),
        ] {
            assert_eq!(decision(win, Match::MONEY).action(), action, "{win}");
        }
        let gammonish = [0.9, 0.7, 0.1, 0.0, 0.0];
        let decision = |without_jacoby| {
            let context = DoublingContext::new(&Match { without_jacoby, ..Match::MONEY }).unwrap();
            DoublingDecision::new(gammonish, &context, CUBE_LIFE)
        };
        assert_eq!(decision(true).action(), DoublingAction::TooGood);
        // With the Jacoby rule, gammons do not count before a double.
        assert_eq!(decision(false).action(), DoublingAction::DoublePass);
    }

    #[test]
    fn two_away_each_is_a_double_of_every_favorite() {
        // The doubling cube decides the match: a well-known result of match theory.
        assert_eq!(decision(0.49, at_score(5, [3, 3])).action(), DoublingAction::NoDouble);
        assert_eq!(decision(0.51, at_score(5, [3, 3])).action(), DoublingAction::DoubleTake);
        // The take point is the chance to win the match after a pass: 32 %.
        assert_eq!(decision(0.67, at_score(5, [3, 3])).action(), DoublingAction::DoubleTake);
        assert_eq!(decision(0.69, at_score(5, [3, 3])).action(), DoublingAction::DoublePass);
    }

    #[test]
    fn after_the_crawford_game_the_trailing_player_doubles_at_once() {
        for win in [0.2, 0.4, 0.48] {
            assert_eq!(decision(win, at_score(5, [3, 4])).action(), DoublingAction::DoubleTake, "{win}");
        }
    }

    #[test]
    fn a_player_without_a_use_for_the_cube_has_no_decision() {
        let refused = |state: Match| DoublingContext::new(&state).unwrap_err();
        assert_eq!(refused(at_score(5, [4, 2])), DoublingError::Dead);
        assert_eq!(refused(Match { crawford: true, ..at_score(5, [2, 4]) }), DoublingError::Crawford);
        assert_eq!(
            refused(Match { doubling_cube_owner: DoublingCubeOwner::Player(1), ..Match::MONEY }),
            DoublingError::NotOwned
        );
        assert_eq!(refused(at_score(99, [0, 0])), DoublingError::Score(ScoreError::Length));
    }
}
