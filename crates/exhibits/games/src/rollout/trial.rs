//! Trial of a rollout: a game to its end or to a truncation, with doubles and luck adjustment.

use super::candidate::RolloutCandidate;
use super::dice::TrialDice;
use super::evaluator::{PositionEvaluator, Probabilities};
use super::roll_plays::{BestPlay, RollPlays};
use std::sync::atomic::{AtomicBool, Ordering};
use vivarium_envs::backgammon::doubling::{CUBE_LIFE, DoublingAction, DoublingDecision, EquityContext};
use vivarium_envs::backgammon::{Outcome, Plays, Roll};

/// Result of a trial for the player on roll in the first position, or for the opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialResult {
    /// Outcome of the game, or the evaluation of its last position, without the passes of doubles.
    pub outcome: [f64; 5],
    /// Outcome without the luck of the rolls: an unbiased estimate with a lower variance.
    pub adjusted: [f64; 5],
    /// Equity of the game with doubles, takes and passes, without the luck of the rolls. It is normalized to the doubling cube of the
    /// candidate, before its double.
    pub equity: f64,
}

impl TrialResult {
    /// Returns the same result for the other player.
    pub fn opposite(self) -> Self {
        let flipped = |[win, gammon, backgammon, lost_gammon, lost_backgammon]: [f64; 5]| {
            [1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon]
        };
        Self { outcome: flipped(self.outcome), adjusted: flipped(self.adjusted), equity: -self.equity }
    }
}

/// Player of the trials of a rollout; both players choose the play with the highest equity at the score, and decide about doubles by
/// Janowski's formula.
pub struct TrialPlayer<E> {
    evaluator: E,
    plays: Plays,
    /// Number of turns after which a trial ends with an evaluation; `None` plays to the end of the game.
    truncation: Option<u32>,
}

impl<E: PositionEvaluator> TrialPlayer<E> {
    /// Creates a player whose trials end after `truncation` turns; `None` plays to the end of the game.
    pub fn new(evaluator: E, truncation: Option<u32>) -> Self {
        Self { evaluator, plays: Plays::new(), truncation }
    }

    /// Plays a trial of each candidate with equal dice. Returns the results of the player whose probabilities are estimated, or
    /// `None` after a stop.
    pub fn play_all(
        &mut self,
        candidates: &[RolloutCandidate<'_>],
        dice: TrialDice,
        stop: &AtomicBool,
    ) -> Option<Vec<TrialResult>> {
        let play = |candidate: &RolloutCandidate<'_>| {
            let result = self.play(candidate, dice, stop)?;
            Some(if candidate.is_opponent { result.opposite() } else { result })
        };
        candidates.iter().map(play).collect()
    }

    /// Plays a trial from the position of a candidate. Returns the result of the player on roll, or `None` after a stop. After a pass,
    /// the game is played to its end for the cubeless outcome.
    ///
    /// The luck of a roll is the evaluation after its best play minus the mean over the 21 rolls. Its expected value is 0,
    /// so that the outcome minus the luck of all rolls has the same mean as the outcome.
    fn play(
        &mut self,
        start: &RolloutCandidate<'_>,
        dice: TrialDice,
        stop: &AtomicBool,
    ) -> Option<TrialResult> {
        let mut position = start.position;
        // Score and doubling cube of the player on roll.
        let mut context = if start.is_doubled { start.context.doubled() } else { start.context };
        let (mut luck, mut luck_of_value) = ([0.0; 5], 0.0);
        // Values and probabilities of the player on roll at the start.
        let (mut passed, mut last) = (None, None);
        for turn in 0.. {
            let is_flipped = turn % 2 == 1;
            let from_start =
                |probabilities| if is_flipped { Outcome::opposite(probabilities) } else { probabilities };
            let value_from_start = |value| if is_flipped { context.opposite(value) } else { value };
            let is_truncated = self.truncation.is_some_and(|turns| turn >= turns);
            // The bear-off table has the value of a position without further doubles.
            let is_cubeless = passed.is_some() || !(context.may_double() || context.opponent().may_double());
            let over = position.outcome().map(Outcome::probabilities);
            let known = over.or_else(|| self.evaluator.end(&position).filter(|_| is_cubeless));
            if let Some(end) = known.map(from_start).or(last.filter(|_| is_truncated)) {
                let value =
                    passed.unwrap_or_else(|| value_from_start(context.value(&position, from_start(end))));
                let outcome = end.map(f64::from);
                return Some(TrialResult {
                    outcome,
                    adjusted: std::array::from_fn(|at| outcome[at] - luck[at]),
                    equity: start.context.equity(value - luck_of_value),
                });
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let rolls = RollPlays::new(&position, &mut self.plays, &mut self.evaluator);
            let mut best = rolls.best(context);
            // The double of the first position before the roll is that of the candidate.
            if passed.is_none() && (turn > 0 || start.is_opponent) {
                match doubling_action(&best, context) {
                    Some(DoublingAction::DoublePass) => passed = Some(value_from_start(context.won())),
                    Some(DoublingAction::DoubleTake) => {
                        context = context.doubled();
                        best = rolls.best(context);
                    }
                    _ => {}
                }
            }
            let chosen = best[dice.roll(turn).index()];
            let value = from_start(chosen.probabilities);
            for (at, luck) in luck.iter_mut().enumerate() {
                *luck += f64::from(value[at]) - mean(&best, |play| from_start(play.probabilities)[at].into());
            }
            if passed.is_none() {
                let value = |play: &BestPlay| {
                    if is_flipped { context.opposite(play.value) } else { play.value }
                };
                luck_of_value += value(&chosen) - mean(&best, value);
            }
            (position, context, last) = (chosen.after, context.opponent(), Some(value));
        }
        None
    }
}

/// Returns the mean over the rolls. `best` holds the best play of each roll.
fn mean(best: &[BestPlay; Roll::COUNT], of: impl Fn(&BestPlay) -> f64) -> f64 {
    Roll::ALL.into_iter().zip(best).map(|(roll, play)| f64::from(roll.permutations()) / 36.0 * of(play)).sum()
}

/// Returns the doubling action before the roll, from the best play of each roll; `None` if the player on roll may not double.
fn doubling_action(best: &[BestPlay; Roll::COUNT], context: EquityContext<'_>) -> Option<DoublingAction> {
    let probabilities: Probabilities =
        std::array::from_fn(|at| mean(best, |play| play.probabilities[at].into()) as f32);
    let action = || DoublingDecision::in_context(probabilities, context, CUBE_LIFE).action();
    context.may_double().then(action)
}
