//! Rate limit of checkpoints.

/// Rate limit of a periodic task, such as saving a checkpoint: minimum interval, maximum share of the run time,
/// and maximum interval.
#[derive(Debug)]
pub struct Throttle {
    /// Maximum share of the run time that the task takes, 0 to 1.
    share: f64,
    /// Minimum interval between two executions of the task, in seconds.
    gap: f64,
    /// Maximum interval between two executions of the task, in seconds; overrides the maximum share.
    max_gap: f64,
    last_end: f64,
    last_cost: f64,
}

impl Throttle {
    /// Creates the rate limit: the task takes at most the share `share` (0 to 1) of the run time, and two executions
    /// are at least `gap` seconds apart. After `max_gap` seconds, the task is due in any case.
    pub fn new(share: f64, gap: f64, max_gap: f64) -> Self {
        Self { share, gap, max_gap, last_end: 0.0, last_cost: 0.0 }
    }

    /// Returns whether the task is due at the time `now`, in seconds since the start of the session.
    pub fn is_due(&self, now: f64) -> bool {
        let by_share = self.last_cost * (1.0 - self.share) / self.share;
        now - self.last_end >= self.gap.max(by_share).min(self.max_gap)
    }

    /// Records an execution of the task from `start` to `end` (both in seconds since the start of the session).
    pub fn record(&mut self, start: f64, end: f64) {
        self.last_cost = end - start;
        self.last_end = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_throttled_task_waits_for_its_share_of_time() {
        let mut throttle = Throttle::new(0.05, 1.0, 60.0);
        assert!(!throttle.is_due(0.5) && throttle.is_due(1.0));
        throttle.record(1.0, 2.0);
        // One second in twenty: the next execution may start nineteen seconds after the end of the last execution.
        assert!(!throttle.is_due(20.9) && throttle.is_due(21.1));
        // An execution of ten seconds would delay the next one by 190 seconds.
        throttle.record(21.1, 31.1);
        assert!(!throttle.is_due(91.0) && throttle.is_due(91.2));
    }
}
