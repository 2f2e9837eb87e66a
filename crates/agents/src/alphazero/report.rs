//! Report of a generation: counters, losses, match score, times.

use crate::players::MatchScore;

vivarium_config::numbers! {
    /// Counters of a run, summed since its start.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct AlphaZeroCounters: u64 {
        /// Number of self-play games started.
        begun,
        /// Number of self-play games finished.
        games,
        /// Number of decisions made in self-play.
        decisions,
        /// Number of simulations, over all searches.
        simulations,
        /// Number of states evaluated by one-ply lookahead.
        lookahead_states,
        /// Number of samples from finished games.
        samples,
        /// Number of samples drawn for training.
        learned,
        /// Number of gradient steps.
        updates,
        /// Number of generations finished.
        generations,
        /// Number of promotions of the newest network.
        promotions,
    }
}

/// Measurements of one generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Counters of the run after the generation.
    pub counters: AlphaZeroCounters,
    /// Number of games finished in this generation.
    pub games: u64,
    /// Mean points of a finished game; `None` if no game finished.
    pub points_mean: Option<f64>,
    /// Mean length of a finished game in decisions; `None` if no game finished.
    pub length_mean: Option<f64>,
    /// Mean cross-entropy of the policy over samples with a policy target, in nats.
    pub policy_loss: f64,
    /// Mean binary cross-entropy of the value heads, summed over the heads, in nats.
    pub value_loss: f64,
    /// Mean Euclidean norm of the gradient before clipping.
    pub gradient_norm: f64,
    /// Learning rate at the end of the generation.
    pub learning_rate: f64,
    /// Score of the promotion match from the newest network's view; `None` if no match was due.
    pub score: Option<MatchScore>,
    /// Time breakdown of self-play; `None` without a clock.
    pub time: Option<TimeBreakdown>,
}

/// Time spent on self-play in seconds, summed over all workers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeBreakdown {
    /// Time for encoding states as network inputs, in seconds.
    pub encoding: f64,
    /// Time for forward passes of the network, in seconds.
    pub forward: f64,
    /// Time for search trees, game rules and move selection, in seconds.
    pub search: f64,
}

impl TimeBreakdown {
    /// Returns the total time in seconds, at least the smallest positive number, so that it can be a divisor.
    #[must_use]
    pub fn total(&self) -> f64 {
        (self.encoding + self.forward + self.search).max(f64::MIN_POSITIVE)
    }
}

vivarium_config::numbers! {
    /// Sums over self-play games and their evaluations, from which the learner computes counters and reports. Times are
    /// in seconds.
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
    /// Returns the time breakdown; `None` if no time was measured.
    pub fn breakdown(&self) -> Option<TimeBreakdown> {
        let Self { time, forward_time: forward, encoding_time: encoding, .. } = *self;
        (time > 0.0).then_some(TimeBreakdown { encoding, forward, search: time - forward - encoding })
    }
}
