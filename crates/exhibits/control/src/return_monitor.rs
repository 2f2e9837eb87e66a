//! Divergence detection by the mean return. Decides when training has diverged, and to which state of the learner the
//! run then returns.
//!
//! After each iteration, the mean return of the newest episodes is checked:
//!
//! - A state whose mean return exceeds the best mean return becomes the *candidate*. The candidate becomes the *best
//!   state* if the mean return does not fall for as many iterations as two maximum-length episodes take. The delay is
//!   needed because the return of an episode is available only at its end.
//! - Training has diverged if a metric is not finite.
//! - Training has diverged if the mean return has *collapsed* for [`PATIENCE`] consecutive iterations: it is closer to
//!   the environment's worst return than to the best mean return, and below the best mean return by more than [`DROP`]
//!   of the range from the worst to the solved return.
//!
//! If training has diverged, the experiment rolls back to the best state; see [`vivarium_lab::rollback`].

/// Number of consecutive iterations after which a run rolls back to the best state, if the mean return is collapsed in
/// all of these iterations: more than [`DROP`] below the best mean return, and closer to the worst return than to the
/// best mean return.
pub const PATIENCE: u32 = 10;

/// Smallest decrease below the best mean return that counts as a collapse. The unit is the range from the worst to the
/// solved return.
pub const DROP: f64 = 0.15;

/// Smallest increase over the best mean return that makes the present state of the learner (its weights and training
/// state) the candidate for the best state. The unit is the range from the worst to the solved return.
const PROGRESS: f64 = 0.01;

/// Largest decrease below the candidate's mean return at which a candidate is kept. The unit is the range from the
/// worst to the solved return.
const SLACK: f64 = 0.05;

/// Divergence detection: decides from the mean return of the training episodes whether a run has diverged; see the
/// [module](self).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReturnMonitor {
    worst: f64,
    /// Difference between the return that counts as solved and the worst return of the environment.
    scale: f64,
    /// Number of iterations after which a candidate becomes the best state. The condition is that the mean return does
    /// not fall below the candidate's mean return by more than [`SLACK`] in these iterations.
    hold: u32,
    /// Mean return of the best state; `None` at the start and after a change of the environment's parameters.
    best: Option<f64>,
    /// Mean return of the candidate for the best state, and the number of iterations since the state became the
    /// candidate; `None` without a candidate. If the mean return falls by more than [`SLACK`], the candidate is
    /// discarded.
    candidate: Option<(f64, u32)>,
    /// Number of consecutive iterations, up to the last iteration, in which the mean return was collapsed: more than
    /// [`DROP`] below the best mean return, and closer to the worst return than to the best mean return.
    down: u32,
}

/// Decision of the divergence detection after an iteration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ReturnVerdict {
    /// Training continues; the best state and the candidate for the next best state are unchanged.
    Fine,
    /// Training continues; the state at the start of the iteration becomes the candidate for the best state.
    Candidate,
    /// Training continues; the candidate becomes the best state.
    Best,
    /// Training has diverged, for the given reason.
    Diverged(String),
}

impl ReturnMonitor {
    /// Creates the divergence detection of a new run. `worst` is the environment's worst return. `solved` is the mean
    /// return at which the environment counts as solved. `longest_episode` is the number of training iterations that
    /// pass during an episode of maximum length.
    pub(crate) fn new(worst: f64, solved: f64, longest_episode: u32) -> Self {
        Self { worst, scale: solved - worst, hold: 2 * longest_episode, best: None, candidate: None, down: 0 }
    }

    /// Discards the best mean return and the candidate, after a change of the environment's parameters, because returns
    /// before and after the change are not comparable.
    pub(crate) fn forget(&mut self) {
        *self = Self { best: None, candidate: None, down: 0, ..*self };
    }

    /// Updates the divergence detection with the results of a training iteration, and returns the decision.
    /// `mean_return` is the mean over the newest episodes, `None` if no episode has ended; `measured` holds the names
    /// and values of the learner's metrics.
    pub(crate) fn judge(&mut self, mean_return: Option<f64>, measured: &[(String, f64)]) -> ReturnVerdict {
        if let Some((name, value)) = measured.iter().find(|(_, value)| !value.is_finite()) {
            return ReturnVerdict::Diverged(format!("{name} became {value}"));
        }
        let Some(mean) = mean_return else { return ReturnVerdict::Fine };
        if let Some(best) = self.best {
            let far = mean < self.worst.midpoint(best) && mean < best - DROP * self.scale;
            self.down = if far { self.down + 1 } else { 0 };
            if self.down >= PATIENCE {
                let reason = format!("the mean return fell from {best:.0} to {mean:.0} and stayed there");
                return ReturnVerdict::Diverged(reason);
            }
        }
        match self.candidate {
            Some((candidate, _)) if mean < candidate - SLACK * self.scale => {
                self.candidate = None;
                ReturnVerdict::Fine
            }
            Some((candidate, held)) if held + 1 >= self.hold => {
                *self = Self { best: Some(candidate), candidate: None, ..*self };
                ReturnVerdict::Best
            }
            Some((candidate, held)) => {
                self.candidate = Some((candidate, held + 1));
                ReturnVerdict::Fine
            }
            None if self.best.is_none_or(|best| mean > best + PROGRESS * self.scale) => {
                self.candidate = Some((mean, 0));
                ReturnVerdict::Candidate
            }
            None => ReturnVerdict::Fine,
        }
    }

    /// Resets the detection after a divergence: discards the candidate for the best state, and sets the number of
    /// iterations with a collapsed mean return to 0.
    pub(crate) fn restart(&mut self) {
        *self = Self { candidate: None, down: 0, ..*self };
    }

    /// Returns the state of the divergence detection as five numbers for a checkpoint: iterations with a collapsed mean
    /// return; 1 if a best mean return exists, else 0; best mean return; iterations since the state became the
    /// candidate, or −1 without a candidate; mean return of the candidate.
    pub(crate) fn numbers(&self) -> [f64; 5] {
        let (candidate, held) = self.candidate.map_or((0.0, -1.0), |(mean, held)| (mean, f64::from(held)));
        let (best, has_best) = self.best.map_or((0.0, 0.0), |best| (best, 1.0));
        [f64::from(self.down), has_best, best, held, candidate]
    }

    /// Returns a copy of `self` with the state that `numbers` describes, in the format of [`numbers`](Self::numbers);
    /// `None` if the numbers are invalid.
    pub(crate) fn with_numbers(self, [down, has_best, best, held, candidate]: [f64; 5]) -> Option<Self> {
        let count =
            |number: f64, most: u32| (number >= 0.0 && number <= f64::from(most)).then_some(number as u32);
        Some(Self {
            best: (count(has_best, 1)? == 1).then_some(best),
            candidate: if held == -1.0 { None } else { Some((candidate, count(held, self.hold)?)) },
            down: count(down, PATIENCE)?,
            ..self
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(name: &str, value: f64) -> [(String, f64); 1] {
        [(name.into(), value)]
    }

    /// Returns a new divergence detection with CartPole's range of returns. A candidate becomes the best state if its
    /// mean return does not fall for six iterations.
    fn guard() -> ReturnMonitor {
        ReturnMonitor::new(0.0, 475.0, 3)
    }

    /// Returns a divergence detection whose best mean return is `mean`.
    fn settled(mean: f64) -> ReturnMonitor {
        let mut guard = guard();
        assert_eq!(guard.judge(Some(mean), &[]), ReturnVerdict::Candidate);
        for _ in 1..6 {
            assert_eq!(guard.judge(Some(mean), &[]), ReturnVerdict::Fine);
        }
        assert_eq!(guard.judge(Some(mean), &[]), ReturnVerdict::Best);
        guard
    }

    #[test]
    fn a_return_that_does_not_fall_becomes_the_best() {
        let mut guard = settled(20.0);
        assert_eq!(
            guard.judge(None, &measured("loss", 1.0)),
            ReturnVerdict::Fine,
            "no episode has ended yet"
        );
        assert_eq!(guard.judge(Some(21.0), &[]), ReturnVerdict::Fine, "the improvement is too small");
        assert_eq!(guard.judge(Some(100.0), &[]), ReturnVerdict::Candidate);
        for better in 1..6 {
            assert_eq!(guard.judge(Some(100.0 + f64::from(better)), &[]), ReturnVerdict::Fine);
        }
        assert_eq!(guard.judge(Some(120.0), &[]), ReturnVerdict::Best);
        assert_eq!(guard.best, Some(100.0));
    }

    #[test]
    fn a_return_that_falls_soon_does_not_become_the_best() {
        let mut guard = settled(20.0);
        assert_eq!(guard.judge(Some(100.0), &[]), ReturnVerdict::Candidate);
        assert_eq!(guard.judge(Some(70.0), &[]), ReturnVerdict::Fine);
        assert_eq!(
            guard.judge(Some(70.0), &[]),
            ReturnVerdict::Candidate,
            "the lower return may still become the best"
        );
        assert_eq!(guard.best, Some(20.0));
    }

    #[test]
    fn infinite_metrics_are_a_divergence() {
        let mut guard = guard();
        let verdict = guard.judge(Some(20.0), &measured("value_loss", f64::NAN));
        assert_eq!(verdict, ReturnVerdict::Diverged("value_loss became NaN".into()));
        let verdict = guard.judge(Some(20.0), &measured("entropy", f64::INFINITY));
        assert_eq!(verdict, ReturnVerdict::Diverged("entropy became inf".into()));
    }

    #[test]
    fn a_short_collapse_is_tolerated() {
        let mut guard = settled(450.0);
        for _ in 0..5 {
            for _ in 1..PATIENCE {
                assert_eq!(guard.judge(Some(50.0), &[]), ReturnVerdict::Fine);
            }
            assert_eq!(guard.judge(Some(300.0), &[]), ReturnVerdict::Fine, "the return recovers");
        }
        for _ in 1..PATIENCE {
            assert_eq!(guard.judge(Some(50.0), &[]), ReturnVerdict::Fine);
        }
        let ReturnVerdict::Diverged(reason) = guard.judge(Some(50.0), &[]) else { panic!("no rollback") };
        assert_eq!(reason, "the mean return fell from 450 to 50 and stayed there");
    }

    #[test]
    fn a_small_loss_is_no_collapse() {
        let mut guard = settled(30.0);
        for _ in 0..3 * PATIENCE {
            assert_eq!(guard.judge(Some(9.0), &[]), ReturnVerdict::Fine);
        }
    }

    #[test]
    fn a_changed_environment_resets_the_best_return() {
        let mut guard = settled(450.0);
        guard.forget();
        assert_eq!(guard.judge(Some(50.0), &[]), ReturnVerdict::Candidate);
        for _ in 0..2 * PATIENCE {
            assert!(!matches!(guard.judge(Some(50.0), &[]), ReturnVerdict::Diverged(_)));
        }
    }

    #[test]
    fn state_round_trips_and_invalid_numbers_are_rejected() {
        let mut before = guard();
        assert_eq!(guard().with_numbers(before.numbers()), Some(before));
        before.judge(Some(450.0), &[]);
        before.judge(Some(450.0), &[]);
        assert_eq!(guard().with_numbers(before.numbers()), Some(before));
        let mut before = settled(400.0);
        before.judge(Some(50.0), &[]);
        before.judge(None, &measured("loss", f64::NAN));
        assert_eq!(guard().with_numbers(before.numbers()), Some(before));
        let right = before.numbers();
        for (place, nonsense) in [(0, -1.0), (0, 99.0), (1, 2.0), (3, 7.0), (3, -2.0)] {
            let mut numbers = right;
            numbers[place] = nonsense;
            assert_eq!(guard().with_numbers(numbers), None, "{place} {nonsense}");
        }
    }
}
