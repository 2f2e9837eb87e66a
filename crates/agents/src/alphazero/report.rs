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
        /// Samples learned from.
        learned,
        /// Optimizer steps.
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

vivarium_config::numbers! {
    /// Sums over games, times in seconds.
    #[derive(Clone, Copy, Debug, Default)]
    pub(crate) struct Tally: f64 {
        games,
        decisions,
        simulations,
        looked,
        points,
        lengths,
        time,
        forward_time,
        encoding_time,
    }
}

impl Tally {
    /// Where the time went, if it was measured.
    pub fn breakdown(&self) -> Option<Breakdown> {
        let Self { time, forward_time: forward, encoding_time: encoding, .. } = *self;
        (time > 0.0).then_some(Breakdown { encoding, forward, search: time - forward - encoding })
    }
}
