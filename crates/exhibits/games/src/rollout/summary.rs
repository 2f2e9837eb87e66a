//! Summary of a rollout: ranked estimates of its candidates.

use super::doubling::RolloutDoubling;
use super::statistics::{CandidateEstimate, Estimate, difference};
use super::trial::TrialResult;
use crate::advice::DecidedDoubling;
use vivarium_envs::backgammon::Position;
use vivarium_envs::backgammon::doubling::{DoublingContext, DoublingError, EquityContext};

/// Summary of a rollout.
pub struct RolloutSummary<'a> {
    /// Score and doubling cube of the player on roll.
    pub context: EquityContext<'a>,
    /// Plays in the notation of the position, in the order of `estimates`; empty before the roll.
    pub plays: Vec<String>,
    /// Estimates, the best play first; before the roll, of the position without a double.
    pub estimates: Vec<CandidateEstimate>,
    /// Equity of the best play minus that of each play, in the order of `estimates`.
    pub losses: Vec<Estimate>,
    /// Doubling decision, or the reason why there is none; `None` with a roll, and in games without a doubling cube.
    pub doubling: Option<Result<RolloutDoubling, DoublingError>>,
    /// Number of completed trials.
    pub trials: usize,
}

impl<'a> RolloutSummary<'a> {
    /// Ranks the plays by equity. `results` holds the results by candidate and trial.
    pub fn new(plays: Vec<String>, results: &[Vec<TrialResult>], context: EquityContext<'a>) -> Self {
        let ranked = &results[..plays.len().max(1)];
        let estimates: Vec<_> = ranked.iter().map(|trials| CandidateEstimate::of(trials)).collect();
        let mut order: Vec<usize> = (0..ranked.len()).collect();
        order.sort_by(|&a, &b| estimates[b].equity.mean.total_cmp(&estimates[a].equity.mean));
        let best = order.first().copied().unwrap_or_default();
        Self {
            context,
            plays: order.iter().filter_map(|&at| plays.get(at).cloned()).collect(),
            losses: order.iter().map(|&at| difference(&ranked[best], &ranked[at])).collect(),
            estimates: order.iter().map(|&at| estimates[at]).collect(),
            doubling: None,
            trials: results.first().map_or(0, Vec::len),
        }
    }

    /// Computes the doubling decision in `position` before the roll, from the results of its candidates. The equity before the roll
    /// becomes that of the best decision, or of the double if it has been `offered`.
    pub fn decide(
        &mut self,
        position: &Position,
        results: &[Vec<TrialResult>],
        context: Result<DoublingContext, DoublingError>,
        offered: bool,
    ) {
        self.doubling = match (context, results) {
            (Err(error), _) => Some(Err(error)),
            (Ok(context), [no_double, double_take]) => {
                Some(Ok(RolloutDoubling::new(position, [no_double, double_take], &context)))
            }
            (Ok(_), _) => None,
        };
        if let Some(Ok(RolloutDoubling { decided: DecidedDoubling { decision, .. }, errors })) =
            &self.doubling
        {
            self.estimates[0].equity = if !offered && decision.no_double >= decision.double() {
                Estimate { mean: decision.no_double, error: errors.no_double }
            } else {
                Estimate { mean: decision.double(), error: errors.double_take.filter(|_| decision.is_take()) }
            };
        }
    }

    /// Returns the match winning probability of an equity; `None` in a money game.
    pub fn match_winning_probability(&self, equity: &Estimate) -> Option<Estimate> {
        let probability = |equity: f64| self.context.match_winning_probability(equity);
        let scale = probability(1.0)? - probability(0.0)?;
        Some(Estimate { mean: probability(equity.mean)?, error: equity.error.map(|error| error * scale) })
    }
}
