//! Advice for bear-offs from tables, which are more precise than a network: the two-sided table with up to six checkers a
//! player, whose probabilities are exact, and else the one-sided table.

use super::adviser::{Advice, rank_plays};
use vivarium_envs::backgammon::doubling::{EquityContext, TwoSidedBearOff};
use vivarium_envs::backgammon::{BearOff, Position, Roll};

/// Returns the outcome probabilities of the player on roll before the roll; `None` unless both players bear off and no gammon
/// is possible.
pub fn probabilities_before_roll(position: &Position) -> Option<[f32; 5]> {
    let exact = TwoSidedBearOff::win_probability(position);
    let win = exact.or_else(|| BearOff::without_gammons().win_probability(position))?;
    Some([win as f32, 0.0, 0.0, 0.0, 0.0])
}

/// Returns all legal plays of a roll, from the best to the worst play; `None` unless both players bear off and no gammon is
/// possible.
pub fn advise(position: &Position, roll: Roll, context: EquityContext<'_>) -> Option<Vec<Advice>> {
    probabilities_before_roll(position)?;
    // The table has all positions that follow.
    rank_plays(position, roll, context, |after| probabilities_before_roll(after).ok_or(())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::Xgid;

    #[test]
    fn bearoffs_use_the_table() {
        let position = |xgid: &str| Xgid::parse(xgid).unwrap().position;
        let [win, ..] =
            probabilities_before_roll(&position("XGID=-B-ABB---------------ada--:0:0:1:00:0:0:0:0:10"))
                .unwrap();
        // GNU Backgammon: 51.8 %.
        assert!((win - 0.518).abs() < 0.005, "{win}");
        // GNU Backgammon: 3/2 3/off is better than 4/1 3/2 by 0.070.
        let before = position("XGID=---CC---------------ada---:0:0:1:31:0:0:0:0:10");
        let cubeless = EquityContext::CUBELESS_MONEY;
        let advice = advise(&before, Roll::new(3, 1).unwrap(), cubeless).unwrap();
        let equity = |notation: &str| {
            advice.iter().find(|advice| advice.play.notation(&before) == notation).unwrap().equity
        };
        assert_eq!(advice[0].play.notation(&before), "3/2 3/off");
        assert!((equity("3/2 3/off") - equity("4/1 3/2") - 0.07).abs() < 0.02, "{advice:?}");
        assert_eq!(
            advise(&Position::START, Roll::new(3, 1).unwrap(), cubeless).map(|advice| advice.len()),
            None
        );
    }
}
