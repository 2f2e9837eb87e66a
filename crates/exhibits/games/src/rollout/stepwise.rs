//! A rollout that is played step by step on one thread.

use super::candidate::{RolloutCandidate, candidates};
use super::dice::TrialDice;
use super::doubling::RolloutDoubling;
use super::evaluator::PositionEvaluator;
use super::statistics::Estimate;
use super::summary::RolloutSummary;
use super::trial::{TrialPlayer, TrialResult};
use crate::protocol::{RolledDoubling, RolledEquity, RolledPlay, RolledPosition};
use std::sync::atomic::AtomicBool;
use vivarium_envs::backgammon::doubling::{DoublingContext, EquityContext, MatchEquityTable};
use vivarium_envs::backgammon::{Match, Play, Position};

/// Rollout of the plays of a roll, or of a position before the roll, with the computed match equity table. Its estimates are equal
/// to those of [`play_trials`](super::play_trials) with the same settings.
pub struct StepwiseRollout<E> {
    player: TrialPlayer<E>,
    position: Position,
    state: Match,
    context: EquityContext<'static>,
    plays: Vec<String>,
    candidates: Vec<RolloutCandidate<'static>>,
    seed: u64,
    /// Results by candidate and trial.
    results: Vec<Vec<TrialResult>>,
}

/// Candidates and trials of a [`StepwiseRollout`].
#[derive(Clone, Copy, Debug)]
pub struct StepwiseSettings<'a> {
    /// Maximum number of plays: the best by the evaluator.
    pub most: u32,
    /// Plays that are rolled out as well.
    pub selected: &'a [Play],
    /// Number of turns after which a trial ends with an evaluation; `None` plays to the end of the game.
    pub truncation: Option<u32>,
    /// Whether equities are cubeless, in points of a single game, instead of at the score and with the doubling cube.
    pub is_cubeless: bool,
    /// Random seed of the dice.
    pub seed: u64,
}

impl<E: PositionEvaluator> StepwiseRollout<E> {
    /// Prepares the rollout of a position at a score.
    ///
    /// # Errors
    /// A message if the score has no equity, as in a match that is longer than the match equity table.
    pub fn new(
        mut evaluator: E,
        position: Position,
        state: Match,
        settings: StepwiseSettings<'_>,
    ) -> Result<Self, String> {
        let StepwiseSettings { most, selected, truncation, is_cubeless, seed } = settings;
        let context = if is_cubeless {
            EquityContext::CUBELESS_MONEY
        } else {
            EquityContext::new(&state, MatchEquityTable::computed())
                .map_err(|error| format!("no equity at this score: {error}"))?
        };
        let (plays, candidates) = candidates(&position, state.roll, context, most, selected, &mut evaluator);
        let results = vec![Vec::new(); candidates.len()];
        let player = TrialPlayer::new(evaluator, truncation);
        Ok(Self { player, position, state, context, plays, candidates, seed, results })
    }

    /// Plays further trials.
    pub fn advance(&mut self, trials: u32) {
        let never = AtomicBool::new(false);
        for _ in 0..trials {
            let dice = TrialDice::new(self.seed, self.results[0].len() as u32);
            let Some(results) = self.player.play_all(&self.candidates, dice, &never) else { return };
            self.results.iter_mut().zip(results).for_each(|(trials, result)| trials.push(result));
        }
    }

    /// Returns the estimates of the trials so far; without trials, none.
    pub fn document(&self) -> RolledPosition {
        let Self { position, state, context, plays, results, .. } = self;
        if results[0].is_empty() {
            return RolledPosition { trials: 0, plays: Vec::new(), doubling: None };
        }
        let mut summary = RolloutSummary::new(plays.clone(), results, *context);
        if state.roll.is_none() {
            summary.decide(position, results, DoublingContext::new(state), state.doubled);
        }
        let plays = summary.plays.into_iter().zip(summary.estimates).zip(summary.losses);
        RolledPosition {
            trials: summary.trials as u32,
            plays: plays
                .map(|((play, estimate), loss)| RolledPlay {
                    play,
                    equity: equity_of(estimate.equity),
                    loss: equity_of(loss),
                    probabilities: estimate.probabilities.map(|probability| probability.mean),
                })
                .collect(),
            // Without a decision, the player on roll may not double.
            doubling: summary.doubling.and_then(Result::ok).map(|RolloutDoubling { decided, errors }| {
                let equity = |mean, error| RolledEquity { mean, error };
                let decision = decided.decision;
                RolledDoubling {
                    no_double: equity(decision.no_double, errors.no_double),
                    double_take: equity(decision.double_take, errors.double_take),
                    double_pass: decision.double_pass,
                    gain: equity(decision.double() - decision.no_double, errors.doubling),
                    best: decided.best(false),
                    probabilities: decided.probabilities.map(f64::from),
                }
            }),
        }
    }
}

fn equity_of(Estimate { mean, error }: Estimate) -> RolledEquity {
    RolledEquity { mean, error }
}
