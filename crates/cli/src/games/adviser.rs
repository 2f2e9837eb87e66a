//! Advisers: evaluators of the legal plays of a roll, for hints.

use super::gnubg::Gnubg;
use vivarium_envs::backgammon::doubling::EquityContext;
use vivarium_envs::backgammon::{OFF, Play, Plays, Position, Roll, Side};

/// Legal play with its evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// Legal play: all checker moves of one roll.
    pub play: Play,
    /// Outcome probabilities of the player who makes the play, in the order of
    /// [`Outcome::probabilities`](vivarium_envs::backgammon::Outcome::probabilities).
    pub probabilities: [f32; 5],
    /// Equity of the play at the score, with the doubling cube; see [`EquityContext`].
    pub equity: f64,
    /// Whether the equity has the depth of the adviser. Equities of different depths are not comparable.
    pub searched: bool,
}

/// Evaluator of positions and of the legal plays of a roll, at a score and with a doubling cube.
pub trait Adviser {
    /// Returns all legal plays of a roll in a position with their evaluations, from the best to the worst play. `context` is that
    /// of the player on roll.
    ///
    /// # Errors
    /// A message if the evaluation fails.
    fn advise(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
    ) -> Result<Vec<Advice>, String>;

    /// Returns the cubeless outcome probabilities of the player on roll, who does not double, before the roll, in the order of
    /// [`Outcome::probabilities`](vivarium_envs::backgammon::Outcome::probabilities).
    ///
    /// # Errors
    /// A message if the evaluation fails.
    fn probabilities_before_roll(
        &mut self,
        position: &Position,
        context: EquityContext<'_>,
    ) -> Result<[f32; 5], String>;

    /// Returns the mean over the 21 rolls of the equity of the best play, from which the luck of a roll is measured.
    ///
    /// # Errors
    /// A message if the evaluation fails.
    fn mean_equity(&mut self, position: &Position, context: EquityContext<'_>) -> Result<f64, String> {
        mean_equity(|roll| self.advise(position, roll, context))
    }

    /// Returns how the probabilities before the roll of a position are computed, as a sentence without a full stop.
    fn method_before_roll(&self, position: &Position) -> String;
}

/// Returns the equity of a play, from the outcome probabilities of the player who makes the play; `context` is that of the same
/// player. The equity is that of the opponent, who is on roll in the position `after` and doubles if a double is best.
///
/// Janowski's formula is applied to the position after the play at every search depth: a search returns the mean of the
/// probabilities at the leaves. The cube life of the formula stands for the doubles of later turns. GNU Backgammon applies the
/// formula to the leaves and returns the mean of their equities (`EvaluatePositionCubeful4` in `eval.c` of version 1.07).
pub fn equity_after_play(after: &Position, probabilities: [f32; 5], context: EquityContext<'_>) -> f64 {
    let value = context.opponent().value(after, opposite(probabilities));
    context.equity(context.opposite(value))
}

/// Sorts evaluated plays from the best to the worst.
pub fn sort_by_equity<T>(plays: &mut [T], equity: impl Fn(&T) -> f64) {
    plays.sort_by(|a, b| equity(b).total_cmp(&equity(a)));
}

/// Returns the outcome probabilities of the other player.
pub fn opposite([win, gammon, backgammon, lost_gammon, lost_backgammon]: [f32; 5]) -> [f32; 5] {
    [1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon]
}

/// Returns the probabilities of a network for the player on roll without impossible gammons: a player who has borne off a
/// checker loses no gammon.
pub fn without_impossible(probabilities: [f32; 5], position: &Position) -> [f32; 5] {
    let can_lose = |side: Side| f32::from(side.count(OFF) == 0);
    let (won, lost) = (can_lose(position.theirs()), can_lose(position.mine()));
    let [win, gammon, backgammon, lost_gammon, lost_backgammon] = probabilities;
    [win, gammon * won, backgammon * won, lost_gammon * lost, lost_backgammon * lost]
}

/// Default number of plays that a hint lists.
pub const NUM_HINTS: u32 = 5;

/// Returns all legal plays of a roll, from the best to the worst play. `probabilities` returns the outcome probabilities of
/// the opponent, who is on roll in the position after a play. `context` is that of the player on roll.
///
/// # Errors
/// The first error of `probabilities`.
pub fn rank_plays<E>(
    position: &Position,
    roll: Roll,
    context: EquityContext<'_>,
    mut probabilities: impl FnMut(&Position) -> Result<[f32; 5], E>,
) -> Result<Vec<Advice>, E> {
    let mut plays = Plays::new();
    plays.generate(position, roll);
    let mut advise = |play: &Play| {
        let after = play.after.mirrored();
        let probabilities = opposite(probabilities(&after)?);
        let equity = equity_after_play(&after, probabilities, context);
        Ok(Advice { play: *play, probabilities, equity, searched: true })
    };
    let mut found = plays.iter().map(&mut advise).collect::<Result<Vec<_>, E>>()?;
    sort_by_equity(&mut found, |advice| advice.equity);
    Ok(found)
}

/// Returns the mean over the 21 rolls of the equity of the best play. `advise` returns the plays of a roll, the best first.
///
/// # Errors
/// The first error of `advise`.
pub fn mean_equity<E>(mut advise: impl FnMut(Roll) -> Result<Vec<Advice>, E>) -> Result<f64, E> {
    let weighted = |roll: Roll| {
        let best = advise(roll)?.first().map_or(0.0, |best| best.equity);
        Ok(f64::from(roll.probability()) * best)
    };
    Roll::ALL.into_iter().map(weighted).sum()
}

impl Adviser for Gnubg {
    fn advise(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
    ) -> Result<Vec<Advice>, String> {
        rank_plays(position, roll, context, |after| self.probabilities(after))
    }

    fn probabilities_before_roll(
        &mut self,
        position: &Position,
        _: EquityContext<'_>,
    ) -> Result<[f32; 5], String> {
        self.probabilities(position)
    }

    fn method_before_roll(&self, _: &Position) -> String {
        "Probabilities are those of GNU Backgammon".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::{Outcome, Xgid};

    #[test]
    fn a_player_who_has_borne_off_a_checker_loses_no_gammon() {
        let network = [0.7, 0.2, 0.1, 0.05, 0.02];
        let masked = |id: &str| without_impossible(network, &Xgid::parse(id).unwrap().position);
        assert_eq!(masked("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"), network);
        // The player on roll has borne off three checkers, the opponent two.
        assert_eq!(masked("XGID=-b---BD-B--aB---bbacb-A-A-:0:0:1:00:0:0:0:0:10"), [0.7, 0.0, 0.0, 0.0, 0.0]);
        // Only the player on roll has borne off checkers.
        assert_eq!(masked("XGID=-b---BD-B--aB---bbaeb-A-A-:0:0:1:00:0:0:0:0:10"), [0.7, 0.2, 0.1, 0.0, 0.0]);
    }

    #[test]
    fn the_other_player_has_the_negated_equity() {
        let probabilities = [0.6, 0.2, 0.05, 0.1, 0.02];
        assert!((Outcome::equity(probabilities) + Outcome::equity(opposite(probabilities))).abs() < 1e-6);
        assert_eq!(
            opposite(opposite(probabilities)).map(|p| (p * 1e4).round()),
            probabilities.map(|p| (p * 1e4).round())
        );
    }
}
