//! Rate limit of checkpoints.

/// Rate limit of a periodic task, such as saving a checkpoint: minimum interval, and maximum share of the run time.
#[derive(Debug)]
pub struct Throttle {
    /// Maximum share of the run time that the task takes, 0 to 1.
    share: f64,
    /// Minimum interval between two executions of the task, in seconds.
    gap: f64,
    last_end: f64,
    last_cost: f64,
}

impl Throttle {
    /// Creates the rate limit: the task takes at most the share `share` (0 to 1) of the run time, and two executions
    /// are at least `gap` seconds apart.
    pub fn new(share: f64, gap: f64) -> Self {
        Self { share, gap, last_end: 0.0, last_cost: 0.0 }
    }

    /// Returns whether the task is due at the time `now`, in seconds since the start of the session.
    pub fn is_due(&self, now: f64) -> bool {
        now - self.last_end >= self.gap.max(self.last_cost * (1.0 - self.share) / self.share)
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
        let mut throttle = Throttle::new(0.05, 1.0);
        assert!(!throttle.is_due(0.5) && throttle.is_due(1.0));
        throttle.record(1.0, 2.0);
        // One second in twenty: the next execution may start nineteen seconds after the end of the last execution.
        assert!(!throttle.is_due(20.9) && throttle.is_due(21.1));
    }
}
