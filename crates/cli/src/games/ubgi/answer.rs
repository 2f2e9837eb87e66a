//! Best action in a position, as text of the interface.

use crate::games::doubling_text::decide;
use crate::games::equity_table::EquityTable;
use vivarium_envs::backgammon::Xgid;
use vivarium_envs::backgammon::doubling::{DoublingAction, DoublingError};
use vivarium_exhibit_games::advice::Adviser;

/// Returns the best action of the player who decides: the moves of the play, `double` or `roll` before the roll, `take` or
/// `drop` after a double. The text is empty if no checker can move.
///
/// # Errors
/// A message if the position has no decision, or the adviser fails.
pub fn best_action(
    xgid: &Xgid,
    adviser: &mut dyn Adviser,
    equity_table: &EquityTable,
) -> Result<String, String> {
    let Xgid { position, state, max_doubling_cube_exponent, .. } = xgid;
    if position.outcome().is_some() {
        return Err("the game is over in this position; both players need checkers on the board".to_owned());
    }
    if let Some(roll) = state.roll {
        let advice = adviser.advise(position, roll, equity_table.equity_context(state)?)?;
        return Ok(advice.first().map_or_else(String::new, |best| best.play.separate_moves()));
    }
    let may_double = state.may_double() && state.doubling_cube_exponent < *max_doubling_cube_exponent;
    match equity_table.context(state) {
        Err(error @ DoublingError::Score(_)) => return Err(error.to_string()),
        Err(error) if state.doubled => return Err(format!("a double is offered, but {error}")),
        Ok(_) if state.doubled || may_double => {}
        _ => return Ok("roll".to_owned()),
    }
    let decided = decide(position, state, adviser, equity_table)?.decided;
    let decision = decided.map_err(|error| error.to_string())?.decision;
    let action = match decision.action() {
        _ if state.doubled => {
            if decision.is_take() {
                "take"
            } else {
                "drop"
            }
        }
        DoublingAction::DoubleTake | DoublingAction::DoublePass => "double",
        DoublingAction::NoDouble | DoublingAction::TooGood => "roll",
    };
    Ok(action.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::doubling::EquityContext;
    use vivarium_envs::backgammon::{Plays, Position, Roll};
    use vivarium_exhibit_games::advice::Advice;

    /// Adviser with a fixed winning probability; the best play is the last one that is generated.
    struct ProbabilityAdviser(f32);

    impl Adviser for ProbabilityAdviser {
        fn advise(
            &mut self,
            position: &Position,
            roll: Roll,
            _: EquityContext<'_>,
        ) -> Result<Vec<Advice>, String> {
            let mut plays = Plays::new();
            plays.generate(position, roll);
            let probabilities = [self.0, 0.0, 0.0, 0.0, 0.0];
            let advice = |play: &_| Advice { play: *play, probabilities, equity: 0.0, searched: true };
            Ok(plays.iter().rev().map(advice).collect())
        }

        fn probabilities_before_roll(
            &mut self,
            _: &Position,
            _: EquityContext<'_>,
        ) -> Result<[f32; 5], String> {
            Ok([self.0, 0.0, 0.0, 0.0, 0.0])
        }

        fn method_before_roll(&self, _: &Position) -> String {
            String::new()
        }
    }

    fn answer(win: f32, xgid: &str) -> Result<String, String> {
        best_action(&Xgid::parse(xgid).unwrap(), &mut ProbabilityAdviser(win), &EquityTable::computed())
    }

    #[test]
    fn doubling_decisions_are_words() {
        let before = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
        for (win, action) in [(0.5, "roll"), (0.75, "double"), (0.95, "double")] {
            assert_eq!(answer(win, before).as_deref(), Ok(action), "{win}");
        }
        let doubled = before.replace(":00:", ":D:");
        for (win, action) in [(0.5, "take"), (0.75, "take"), (0.95, "drop")] {
            assert_eq!(answer(win, &doubled).as_deref(), Ok(action), "{win}");
        }
        for (change, to) in [
            // Doubling cube of the opponent, doubling cube at its maximum, Crawford game, dead doubling cube.
            (":0:0:1:00:0:0:0:0:10", ":1:-1:1:00:0:0:0:0:10"),
            (":0:0:1:00:0:0:0:0:10", ":3:1:1:00:0:0:0:0:3"),
            (":0:0:1:00:0:0:0:0:10", ":0:0:1:00:2:4:1:5:10"),
            (":0:0:1:00:0:0:0:0:10", ":0:0:1:00:4:2:0:5:10"),
        ] {
            assert_eq!(answer(0.78, &before.replace(change, to)).as_deref(), Ok("roll"), "{to}");
        }
        let too_long = before.replace(":0:0:0:0:10", ":0:0:0:99:10");
        assert!(answer(0.75, &too_long).unwrap_err().contains("longer than 64 points"));
        let not_owned = doubled.replace(":0:0:1:D", ":1:-1:1:D");
        assert!(answer(0.75, &not_owned).unwrap_err().contains("a double is offered, but"));
    }

    #[test]
    fn plays_are_written_move_by_move() {
        // From the bar, with a double; bearing off.
        let bar = "XGID=-b----E-C---eD---c-e----BA:0:0:1:33:0:0:0:0:10";
        let moves = answer(0.5, bar).unwrap();
        assert!(moves.starts_with("bar/22 ") && moves.split(' ').count() == 4, "{moves}");
        assert!(!moves.contains(['(', '*', 'B']), "{moves}");
        let off = "XGID=-BB------------------b----:0:0:1:66:0:0:0:0:10";
        assert_eq!(answer(0.5, off).as_deref(), Ok("2/off 2/off 1/off 1/off"));
        let closed = "XGID=-----DE-E----c-----bbbbbbA:0:0:1:66:0:0:0:0:10";
        assert_eq!(answer(0.5, closed).as_deref(), Ok(""));
        let over = "XGID=------------------------b-:0:0:1:66:0:0:0:0:10";
        assert!(answer(0.5, over).unwrap_err().contains("the game is over"));
    }
}
