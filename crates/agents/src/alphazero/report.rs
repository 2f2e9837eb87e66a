//! Metrics of an AlphaZero generation, and the counters of a run.

use crate::players::MatchScore;

vivarium_config::numbers! {
    /// Counters of an AlphaZero run, summed since its start.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct AlphaZeroCounters: u64 {
        /// Number of self-play games that were started, games in progress included.
        begun,
        /// Number of self-play games that were played to the end.
        games,
        /// Number of moves made in self-play.
        decisions,
        /// Number of simulations of all tree searches in self-play.
        simulations,
        /// Number of afterstates (states after a legal move) that one-ply lookaheads have evaluated in self-play.
        lookahead_states,
        /// Number of training samples that finished self-play games have produced.
        samples,
        /// Number of samples drawn from the replay buffer for gradient steps, repetitions included.
        learned,
        /// Number of gradient steps taken.
        updates,
        /// Number of finished generations (periods of a fixed number of self-play samples).
        generations,
        /// Number of times that the newest network was promoted to the best network.
        promotions,
    }
}

/// Metrics of one AlphaZero generation, a fixed number of self-play samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Counters of the run at the end of the generation.
    pub counters: AlphaZeroCounters,
    /// Number of self-play games that ended in this generation.
    pub games: u64,
    /// Mean number of points that the winner of a finished game scored; `None` if no game finished.
    pub points_mean: Option<f64>,
    /// Mean number of decisions of a finished game, both players together; `None` if no game finished.
    pub length_mean: Option<f64>,
    /// Mean cross-entropy between policy target and policy, over the samples with a policy target, in nats.
    pub policy_loss: f64,
    /// Mean binary cross-entropy between value target and outcome probabilities, summed over the heads, in nats.
    pub value_loss: f64,
    /// Mean Euclidean norm of the gradient before clipping, over the gradient steps of the generation.
    pub gradient_norm: f64,
    /// Learning rate at the end of the generation.
    pub learning_rate: f64,
    /// Score of the newest network in the promotion match after the generation; `None` if no match was due.
    pub score: Option<MatchScore>,
    /// Times of self-play in the generation, in seconds; `None` without a clock.
    pub time: Option<TimeBreakdown>,
}

/// Time spent on self-play in a generation, in seconds, summed over all workers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeBreakdown {
    /// Time in which states were encoded as network inputs, in seconds.
    pub encoding: f64,
    /// Time of the forward passes of the network, in seconds.
    pub forward: f64,
    /// Time of tree search, game rules and move selection, in seconds: the whole time of self-play without `encoding`
    /// and `forward`.
    pub search: f64,
}

impl TimeBreakdown {
    /// Returns the sum of all times in seconds, at least [`f64::MIN_POSITIVE`], so that shares of the total can be
    /// computed.
    #[must_use]
    pub fn total(&self) -> f64 {
        (self.encoding + self.forward + self.search).max(f64::MIN_POSITIVE)
    }
}

vivarium_config::numbers! {
    /// Sums over self-play games and network evaluations, from which the learner computes counters and reports.
    /// `points` and `lengths` are sums over finished games; times are in seconds.
    #[derive(Clone, Copy, Debug, Default)]
    pub(crate) struct SelfPlayTally: f64 {
        games,
        decisions,
        simulations,
        lookahead_states,
        points,
        lengths,
        time,
        forward_time,
        encoding_time,
    }
}

impl SelfPlayTally {
    /// Returns the times of encoding, forward passes and search, in seconds; `None` if no time was measured.
    pub fn breakdown(&self) -> Option<TimeBreakdown> {
        let Self { time, forward_time: forward, encoding_time: encoding, .. } = *self;
        (time > 0.0).then_some(TimeBreakdown { encoding, forward, search: time - forward - encoding })
    }
}
