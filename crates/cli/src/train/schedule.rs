//! Rate limit of checkpoints, and meter of the training speed.

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

/// Meter of the training speed: training steps per second over the last three seconds.
#[derive(Debug, Default)]
pub struct SpeedMeter {
    samples: std::collections::VecDeque<(f64, u64)>,
    /// Total duration of all pauses, such as evaluations, in seconds.
    paused: f64,
}

/// Averaging window of the speed, in seconds.
const SPEED_WINDOW: f64 = 3.0;

impl SpeedMeter {
    /// Records the number of training steps at the time `now`, in seconds since the start of the session.
    pub fn record(&mut self, now: f64, steps: u64) {
        let now = now - self.paused;
        self.samples.push_back((now, steps));
        while self.samples.len() > 2 && self.samples[1].0 < now - SPEED_WINDOW {
            self.samples.pop_front();
        }
    }

    /// Excludes a pause of `seconds` seconds, such as an evaluation, from the training speed.
    pub fn pause(&mut self, seconds: f64) {
        self.paused += seconds;
    }

    /// Returns the training speed in steps per second; 0 before the second call of [`record`](Self::record).
    pub fn per_second(&self) -> f64 {
        match (self.samples.front(), self.samples.back()) {
            (Some(first), Some(last)) if last.0 > first.0 => {
                last.1.saturating_sub(first.1) as f64 / (last.0 - first.0)
            }
            _ => 0.0,
        }
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

    #[test]
    fn speed_covers_only_the_averaging_window() {
        let mut speed = SpeedMeter::default();
        assert_eq!(speed.per_second(), 0.0);
        for tenth in 0..=100u32 {
            let now = f64::from(tenth) / 10.0;
            speed.record(now, if now < 5.0 { 0 } else { ((now - 5.0) * 1000.0) as u64 });
        }
        assert!((speed.per_second() - 1000.0).abs() < 1.0, "{}", speed.per_second());
    }

    #[test]
    fn an_evaluation_does_not_slow_down_the_steps_beside_it() {
        let mut speed = SpeedMeter::default();
        for (now, steps) in [(0.0, 0), (1.0, 500), (2.0, 1000)] {
            speed.record(now, steps);
        }
        speed.pause(30.0);
        speed.record(32.0, 1000);
        assert_eq!(speed.per_second(), 500.0);
        speed.record(33.0, 1500);
        assert_eq!(speed.per_second(), 500.0);
    }
}
