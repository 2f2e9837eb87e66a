//! Summary of a rollout: ranked estimates of its candidates.

use super::candidate::RolloutCandidate;
use super::doubling::RolloutDoubling;
use super::statistics::{CandidateEstimate, Estimate, difference, equities};
use super::trial::TrialResult;
use vivarium_envs::backgammon::Position;
use vivarium_envs::backgammon::doubling::{DoublingContext, DoublingError, DoublingMethod, EquityContext};

/// Summary of a rollout.
pub struct RolloutSummary<'a> {
    /// Score and doubling cube of the player on roll.
    pub context: EquityContext<'a>,
    /// Plays in the notation of the position, in the order of `estimates`; empty before the roll.
    pub plays: Vec<String>,
    /// Estimates, the best play first.
    pub estimates: Vec<CandidateEstimate>,
    /// Equity of the best play minus that of each play, in the order of `estimates`.
    pub losses: Vec<Estimate>,
    /// Doubling decision, or the reason why there is none; `None` with a roll.
    pub doubling: Option<Result<RolloutDoubling, DoublingError>>,
    /// Number of completed trials.
    pub trials: usize,
}

impl<'a> RolloutSummary<'a> {
    /// Ranks the candidates by equity. `results` holds the results by candidate and trial.
    pub fn new(
        plays: Vec<String>,
        candidates: &[RolloutCandidate<'_>],
        results: &[Vec<TrialResult>],
        context: EquityContext<'a>,
    ) -> Self {
        let by_candidate = candidates.iter().zip(results);
        let equities: Vec<_> = by_candidate
            .map(|(candidate, trials)| equities(trials, |probabilities| candidate.equity(probabilities)))
            .collect();
        let by_candidate = results.iter().zip(&equities);
        let estimates: Vec<_> =
            by_candidate.map(|(trials, equities)| CandidateEstimate::of(trials, equities)).collect();
        let mut order: Vec<usize> = (0..results.len()).collect();
        order.sort_by(|&a, &b| estimates[b].equity.mean.total_cmp(&estimates[a].equity.mean));
        let best = order.first().copied().unwrap_or_default();
        Self {
            context,
            plays: order.iter().filter_map(|&at| plays.get(at).cloned()).collect(),
            losses: order.iter().map(|&at| difference(&equities[best], &equities[at])).collect(),
            estimates: order.iter().map(|&at| estimates[at]).collect(),
            doubling: None,
            trials: results.first().map_or(0, Vec::len),
        }
    }

    /// Computes the doubling decision in `position`, the only candidate. In bear-offs, the equity before the roll is that of the
    /// decision, which does not depend on the trials.
    pub fn decide(
        &mut self,
        position: &Position,
        trials: &[TrialResult],
        context: Result<DoublingContext, DoublingError>,
    ) {
        let doubling = context.map(|context| RolloutDoubling::new(position, trials, &context));
        if let Ok(RolloutDoubling { decided, .. }) = &doubling
            && decided.method != DoublingMethod::Janowski
        {
            let mean = decided.decision.no_double.max(decided.decision.double());
            self.estimates[0].equity = Estimate { mean, error: None };
        }
        self.doubling = Some(doubling);
    }

    /// Returns the match winning probability of an equity; `None` in a money game.
    pub fn match_winning_probability(&self, equity: &Estimate) -> Option<Estimate> {
        let probability = |equity: f64| self.context.match_winning_probability(equity);
        let scale = probability(1.0)? - probability(0.0)?;
        Some(Estimate { mean: probability(equity.mean)?, error: equity.error.map(|error| error * scale) })
    }
}
