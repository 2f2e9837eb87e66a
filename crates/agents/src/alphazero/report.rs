//! The report of a generation.

use crate::players::Score;

vivarium_config::numbers! {
    /// Totals of a run.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Counters: u64 {
        /// Games of self-play begun, those under way among them.
        begun,
        /// Games of self-play finished.
        games,
        /// Decisions made in self-play.
        decisions,
        /// Simulations of all searches.
        simulations,
        /// States that the network judged in looking one move ahead.
        looked,
        /// Samples of finished games.
        samples,
        /// Samples learnt from.
        learnt,
        /// Optimiser steps.
        updates,
        /// Generations finished.
        generations,
        /// Matches that the newest network won.
        promotions,
    }
}

/// Measurements of one generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Totals after the generation.
    pub counters: Counters,
    /// Games that ended.
    pub games: u64,
    /// Mean points that such a game was won by; `None` where none ended.
    pub points_mean: Option<f64>,
    /// Their mean length, in decisions; `None` where none ended.
    pub length_mean: Option<f64>,
    /// Mean cross-entropy of the policy over the samples that have one, in nats.
    pub policy_loss: f64,
    /// Mean cross-entropy of the value heads, summed over them, in nats.
    pub value_loss: f64,
    /// Mean Euclidean norm of the gradient before clipping.
    pub gradient_norm: f64,
    /// Adam's step size at the end.
    pub learning_rate: f64,
    /// The match that followed, if one was due, seen by the newest network.
    pub score: Option<Score>,
    /// Where the workers' time went, if somebody lent the learner a clock.
    pub time: Option<Breakdown>,
}

/// Seconds of the workers' time, added up over all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Breakdown {
    /// Writing states as the network's inputs.
    pub encoding: f64,
    /// The network.
    pub forward: f64,
    /// Everything else: trees, rules, choices.
    pub search: f64,
}

impl Breakdown {
    /// All of them together; more than nothing.
    #[must_use]
    pub fn total(&self) -> f64 {
        (self.encoding + self.forward + self.search).max(f64::MIN_POSITIVE)
    }
}

/// Sums over games.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub games: u64,
    pub decisions: u64,
    pub simulations: u64,
    pub looked: u64,
    pub points: f64,
    pub length: u64,
    pub seconds: f64,
    pub forward_seconds: f64,
    pub encoding_seconds: f64,
}

impl Tally {
    /// Takes in another's sums.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.simulations += other.simulations;
        self.looked += other.looked;
        self.points += other.points;
        self.length += other.length;
        self.seconds += other.seconds;
        self.forward_seconds += other.forward_seconds;
        self.encoding_seconds += other.encoding_seconds;
    }

    /// Where the time went, if it was measured.
    pub fn time(&self) -> Option<Breakdown> {
        let rest = self.seconds - self.forward_seconds - self.encoding_seconds;
        let time = Breakdown { encoding: self.encoding_seconds, forward: self.forward_seconds, search: rest };
        (self.seconds > 0.0).then_some(time)
    }
}
