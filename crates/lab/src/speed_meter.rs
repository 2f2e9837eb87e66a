//! Meter of the training speed.

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
