//! Advisers: evaluators of the legal plays of a roll, for hints.

use vivarium_envs::backgammon::doubling::{EquityContext, better_first};
use vivarium_envs::backgammon::{Outcome, Play, Plays, Position, Roll};

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

    /// Returns the plays as [`advise`](Self::advise), with the full depth for the `selected` plays as well, so
    /// that their losses are differences of equities of one depth.
    ///
    /// # Errors
    /// A message if the evaluation fails.
    fn advise_with_plays(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
        _selected: &[Play],
    ) -> Result<Vec<Advice>, String> {
        self.advise(position, roll, context)
    }

    /// Evaluates the first of the plays `advice` again, and `play`, at a greater depth, and returns all plays in their new order; `None`
    /// without a greater depth. `advice` is the result of [`advise_with_plays`](Self::advise_with_plays) with `play`.
    ///
    /// # Errors
    /// A message if the evaluation fails.
    fn recheck(
        &mut self,
        _position: &Position,
        _roll: Roll,
        _context: EquityContext<'_>,
        _play: &Play,
        _advice: &[Advice],
    ) -> Result<Option<Vec<Advice>>, String> {
        Ok(None)
    }

    /// Returns the probabilities as [`probabilities_before_roll`](Self::probabilities_before_roll) at a greater depth; `None` without a
    /// greater depth.
    ///
    /// # Errors
    /// A message if the evaluation fails.
    fn recheck_before_roll(
        &mut self,
        _position: &Position,
        _context: EquityContext<'_>,
    ) -> Result<Option<[f32; 5]>, String> {
        Ok(None)
    }

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

    /// Returns the luck of a roll: the equity of its best play minus the mean over the 21 rolls. `advice` has the plays of the roll, the
    /// best first.
    ///
    /// # Errors
    /// A message if the evaluation fails.
    fn luck(
        &mut self,
        position: &Position,
        _roll: Roll,
        context: EquityContext<'_>,
        advice: &[Advice],
    ) -> Result<f64, String> {
        Ok(best_equity(advice) - self.mean_equity(position, context)?)
    }

    /// Returns the method of the probabilities before the roll of a position, as a noun phrase.
    fn method_before_roll(&self, position: &Position) -> String;
}

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
        let probabilities = Outcome::opposite(probabilities(&after)?);
        let equity = context.equity_after_play(&after, probabilities);
        Ok(Advice { play: *play, probabilities, equity, searched: true })
    };
    let mut found = plays.iter().map(&mut advise).collect::<Result<Vec<_>, E>>()?;
    found.sort_by(|a, b| better_first((a.equity, a.probabilities), (b.equity, b.probabilities)));
    Ok(found)
}

/// Returns the equity of the best play of `advice`, the best first; 0 without a play.
pub fn best_equity(advice: &[Advice]) -> f64 {
    advice.first().map_or(0.0, |best| best.equity)
}

/// Returns the mean over the 21 rolls of the equity of the best play. `advise` returns the plays of a roll, the best first.
///
/// # Errors
/// The first error of `advise`.
pub fn mean_equity<E>(mut advise: impl FnMut(Roll) -> Result<Vec<Advice>, E>) -> Result<f64, E> {
    let weighted = |roll: Roll| Ok(f64::from(roll.probability()) * best_equity(&advise(roll)?));
    Roll::ALL.into_iter().map(weighted).sum()
}
