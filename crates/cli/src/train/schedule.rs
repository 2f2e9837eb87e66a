//! When to stop training for a moment, to evaluate or to save: seldom enough that it costs next to nothing.

/// Steps after which a run is evaluated. It is a matter of steps alone: what a run comes to must not depend on how fast the
/// machine is, nor on what else it does, nor on whether the run was left in between.
#[derive(Clone, Copy, Debug)]
pub struct Milestones {
    /// Steps up to the first, and between two at least.
    pub gap: u64,
}

impl Milestones {
    /// After so many steps more, as a share of those before, comes the next: a long run need not be evaluated as often.
    const GROWTH: u64 = 8;

    /// The first milestone beyond `steps`.
    pub fn after(self, steps: u64) -> u64 {
        let mut milestone = self.gap;
        while milestone <= steps {
            milestone = milestone.saturating_add(self.gap.max(milestone / Self::GROWTH));
        }
        milestone
    }
}

/// Something that is done now and then, and may take no more than a share of the time.
#[derive(Debug)]
pub struct Throttle {
    /// Largest share of the time.
    share: f64,
    /// Seconds between two at least.
    gap: f64,
    last_end: f64,
    last_cost: f64,
}

impl Throttle {
    /// At most `share` of the time, with at least `gap` seconds between two; the first comes after `gap` seconds.
    pub fn new(share: f64, gap: f64) -> Self {
        Self { share, gap, last_end: 0.0, last_cost: 0.0 }
    }

    /// Whether it is time again, `now` seconds after the start.
    pub fn is_due(&self, now: f64) -> bool {
        now - self.last_end >= self.gap.max(self.last_cost * (1.0 - self.share) / self.share)
    }

    /// It has been done, from `start` to `end`.
    pub fn done(&mut self, start: f64, end: f64) {
        self.last_cost = end - start;
        self.last_end = end;
    }
}

/// Steps a second over the last few seconds.
#[derive(Debug, Default)]
pub struct Speed {
    samples: std::collections::VecDeque<(f64, u64)>,
    /// Seconds in which there were no steps to do.
    paused: f64,
}

/// How far back the speed looks, in seconds.
const SPEED_WINDOW: f64 = 3.0;

impl Speed {
    /// Notes that `steps` were done `now` seconds after the start.
    pub fn note(&mut self, now: f64, steps: u64) {
        let now = now - self.paused;
        self.samples.push_back((now, steps));
        while self.samples.len() > 2 && self.samples[1].0 < now - SPEED_WINDOW {
            self.samples.pop_front();
        }
    }

    /// Leaves out so many seconds that went into something else, such as an evaluation.
    pub fn pause(&mut self, seconds: f64) {
        self.paused += seconds;
    }

    /// Steps a second; 0 before anything is known.
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
    fn milestones_follow_from_steps_and_grow_apart() {
        let milestones = Milestones { gap: 100 };
        let first = std::iter::successors(Some(0), |steps| Some(milestones.after(*steps)));
        let first: Vec<_> = first.skip(1).take(12).collect();
        assert_eq!(first, [100, 200, 300, 400, 500, 600, 700, 800, 900, 1012, 1138, 1280]);
        for (steps, next) in [(0, 100), (99, 100), (100, 200), (1011, 1012), (1012, 1138)] {
            assert_eq!(milestones.after(steps), next, "{steps}");
        }
        assert!(milestones.after(u64::MAX - 1) == u64::MAX);
    }

    #[test]
    fn a_costly_thing_waits_for_its_share() {
        let mut throttle = Throttle::new(0.05, 1.0);
        assert!(!throttle.is_due(0.5) && throttle.is_due(1.0));
        throttle.done(1.0, 2.0);
        // One second in twenty: the next may start nineteen seconds after the last ended.
        assert!(!throttle.is_due(20.9) && throttle.is_due(21.1));
    }

    #[test]
    fn speed_forgets_what_was_long_ago() {
        let mut speed = Speed::default();
        assert_eq!(speed.per_second(), 0.0);
        for tenth in 0..=100u32 {
            let now = f64::from(tenth) / 10.0;
            speed.note(now, if now < 5.0 { 0 } else { ((now - 5.0) * 1000.0) as u64 });
        }
        assert!((speed.per_second() - 1000.0).abs() < 1.0, "{}", speed.per_second());
    }

    #[test]
    fn an_evaluation_does_not_slow_down_the_steps_beside_it() {
        let mut speed = Speed::default();
        for (now, steps) in [(0.0, 0), (1.0, 500), (2.0, 1000)] {
            speed.note(now, steps);
        }
        speed.pause(30.0);
        speed.note(32.0, 1000);
        assert_eq!(speed.per_second(), 500.0);
        speed.note(33.0, 1500);
        assert_eq!(speed.per_second(), 500.0);
    }
}
