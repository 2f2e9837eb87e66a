//! Trial of a rollout: a game to its end or to a truncation, with luck adjustment.

use super::candidate::RolloutCandidate;
use super::dice::TrialDice;
use super::evaluator::{PositionEvaluator, Probabilities};
use std::sync::atomic::{AtomicBool, Ordering};
use vivarium_envs::backgammon::doubling::{EquityContext, better_first};
use vivarium_envs::backgammon::{Outcome, Plays, Position, Roll};

/// Result of a trial: outcome probabilities of the player on roll in the first position, or of the opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialResult {
    /// Outcome of the game, or the evaluation of its last position.
    pub outcome: [f64; 5],
    /// Outcome without the luck of the rolls: an unbiased estimate with a lower variance.
    pub adjusted: [f64; 5],
}

impl TrialResult {
    /// Returns the same result for the other player.
    pub fn opposite(self) -> Self {
        let flipped = |[win, gammon, backgammon, lost_gammon, lost_backgammon]: [f64; 5]| {
            [1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon]
        };
        Self { outcome: flipped(self.outcome), adjusted: flipped(self.adjusted) }
    }
}

/// Player of the trials of a rollout; both players choose the play with the highest equity at the score.
pub struct TrialPlayer<E> {
    evaluator: E,
    plays: Plays,
    /// Number of turns after which a trial ends with an evaluation; `None` plays to the end of the game.
    truncation: Option<u32>,
}

/// Best play of a roll.
#[derive(Clone, Copy)]
struct BestPlay {
    /// Position after the play, from the view of the opponent, who is on roll.
    after: Position,
    /// Outcome probabilities of the player who makes the play.
    probabilities: Probabilities,
    equity: f64,
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

    /// Plays a trial from the position of a candidate. Returns the result of the player on roll, or `None` after a stop. The
    /// doubling cube stays as it is.
    ///
    /// The luck of a roll is the evaluation after its best play minus the mean over the 21 rolls. Its expected value is 0,
    /// so that the outcome minus the luck of all rolls has the same mean as the outcome.
    fn play(
        &mut self,
        start: &RolloutCandidate<'_>,
        dice: TrialDice,
        stop: &AtomicBool,
    ) -> Option<TrialResult> {
        let (mut position, mut context, mut luck) = (start.position, start.context, [0.0; 5]);
        let mut last = None;
        for turn in 0.. {
            // Probabilities of the player on roll, from the view of the player on roll at the start.
            let is_flipped = turn % 2 == 1;
            let from_start =
                |probabilities| if is_flipped { Outcome::opposite(probabilities) } else { probabilities };
            let is_truncated = self.truncation.is_some_and(|turns| turn >= turns);
            let over = position.outcome().map(Outcome::probabilities);
            let end = over.or_else(|| self.evaluator.end(&position)).map(from_start);
            if let Some(end) = end.or(last.filter(|_| is_truncated)) {
                let outcome = end.map(f64::from);
                return Some(TrialResult {
                    outcome,
                    adjusted: std::array::from_fn(|at| outcome[at] - luck[at]),
                });
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let best = self.best_plays(&position, context);
            let chosen = best[dice.roll(turn).index()];
            let value = from_start(chosen.probabilities);
            for (at, luck) in luck.iter_mut().enumerate() {
                let mean = |roll: Roll| {
                    f64::from(roll.permutations()) / 36.0
                        * f64::from(from_start(best[roll.index()].probabilities)[at])
                };
                *luck += f64::from(value[at]) - Roll::ALL.into_iter().map(mean).sum::<f64>();
            }
            (position, context, last) = (chosen.after, context.opponent(), Some(value));
        }
        None
    }

    /// Returns the best play of each roll, in the order of [`Roll::ALL`]. `context` is that of the player on roll.
    fn best_plays(&mut self, position: &Position, context: EquityContext<'_>) -> [BestPlay; Roll::COUNT] {
        // Positions after all plays of all rolls; each roll has a range.
        let (mut afters, mut ends) = (Vec::new(), [0; Roll::COUNT]);
        for (roll, end) in Roll::ALL.into_iter().zip(&mut ends) {
            self.plays.generate(position, roll);
            afters.extend(self.plays.iter().map(|play| play.after.mirrored()));
            *end = afters.len();
        }
        let open: Vec<Position> = afters.iter().filter(|after| after.outcome().is_none()).copied().collect();
        let mut evaluated = self.evaluator.evaluate(&open).into_iter();
        let mut start = 0;
        ends.map(|end| {
            let best = afters[start..end].iter().map(|after| {
                let over = after.outcome().map(Outcome::probabilities);
                let probabilities = Outcome::opposite(over.or_else(|| evaluated.next()).unwrap_or_default());
                let equity = context.equity_after_play(after, probabilities);
                BestPlay { after: *after, probabilities, equity }
            });
            start = end;
            // The first of several best plays.
            let better = |best: BestPlay, other: BestPlay| {
                let key = |play: &BestPlay| (play.equity, play.probabilities);
                if better_first(key(&other), key(&best)).is_lt() { other } else { best }
            };
            best.reduce(better).expect("a roll has a play, which may have no moves")
        })
    }
}
