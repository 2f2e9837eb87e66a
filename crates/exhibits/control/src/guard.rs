//! Divergence detection: decides when a run returns to an earlier state with half the learning rate (a *rollback*).
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
//! If training has diverged, the experiment restores the best state and halves the learning rate. After
//! [`MAX_ROLLBACKS`] rollbacks without a new best state, training stops.

use vivarium_lab::run::MAX_ROLLBACKS;

/// Number of consecutive iterations with a collapsed return after which a run rolls back.
pub const PATIENCE: u32 = 10;

/// Smallest decrease of the mean return that counts as a collapse, as a fraction of the range from the worst to the
/// solved return.
pub const DROP: f64 = 0.15;

/// Smallest increase over the best mean return that makes a state a candidate, as a fraction of the range from the
/// worst to the solved return.
const PROGRESS: f64 = 0.01;

/// Largest decrease of the mean return at which a state remains the candidate, as a fraction of the range from the
/// worst to the solved return.
const SLACK: f64 = 0.05;

/// Divergence detection: decides when a run returns to its best state; see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DivergenceGuard {
    worst: f64,
    /// Range of returns: solved return minus worst return.
    scale: f64,
    /// Number of iterations for which the mean return of a candidate must not fall.
    hold: u32,
    /// Mean return of the best state; `None` at the start and after a change of the environment's parameters.
    best: Option<f64>,
    /// Mean return of the candidate, and the number of iterations since then in which the mean return has not fallen.
    candidate: Option<(f64, u32)>,
    /// Number of consecutive iterations with a collapsed return.
    down: u32,
    /// Number of rollbacks since the last new best state.
    rollbacks: u32,
}

/// Decision of the divergence guard after an iteration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GuardVerdict {
    /// Training continues.
    Fine,
    /// Training continues; the state at the start of the iteration becomes the candidate for the best state.
    Candidate,
    /// Training continues; the candidate becomes the best state.
    Best,
    /// The best state is restored and the learning rate halved, for the given reason.
    RollBack(String),
    /// Training stops, for the given reason.
    GiveUp(String),
}

impl DivergenceGuard {
    /// Creates the divergence detection of a new run. `worst` and `solved` are returns of the environment;
    /// `longest_episode` is the number of iterations that a maximum-length episode takes.
    pub(crate) fn new(worst: f64, solved: f64, longest_episode: u32) -> Self {
        Self {
            worst,
            scale: solved - worst,
            hold: 2 * longest_episode,
            best: None,
            candidate: None,
            down: 0,
            rollbacks: 0,
        }
    }

    /// Discards the best return and the candidate, after a change of the environment's parameters.
    pub(crate) fn forget(&mut self) {
        *self = Self { best: None, candidate: None, down: 0, ..*self };
    }

    /// Updates the divergence detection with the results of an iteration, and returns the decision. `mean_return` is
    /// `None` if no episode has ended; `measured` holds the names and values of the learner's metrics.
    pub(crate) fn judge(&mut self, mean_return: Option<f64>, measured: &[(String, f64)]) -> GuardVerdict {
        if let Some((name, value)) = measured.iter().find(|(_, value)| !value.is_finite()) {
            return self.breakdown(format!("{name} became {value}"));
        }
        let Some(mean) = mean_return else { return GuardVerdict::Fine };
        if let Some(best) = self.best {
            let far = mean < self.worst.midpoint(best) && mean < best - DROP * self.scale;
            self.down = if far { self.down + 1 } else { 0 };
            if self.down >= PATIENCE {
                return self
                    .breakdown(format!("the mean return fell from {best:.0} to {mean:.0} and stayed there"));
            }
        }
        match self.candidate {
            Some((candidate, _)) if mean < candidate - SLACK * self.scale => {
                self.candidate = None;
                GuardVerdict::Fine
            }
            Some((candidate, held)) if held + 1 >= self.hold => {
                *self = Self { best: Some(candidate), candidate: None, rollbacks: 0, ..*self };
                GuardVerdict::Best
            }
            Some((candidate, held)) => {
                self.candidate = Some((candidate, held + 1));
                GuardVerdict::Fine
            }
            None if self.best.is_none_or(|best| mean > best + PROGRESS * self.scale) => {
                self.candidate = Some((mean, 0));
                GuardVerdict::Candidate
            }
            None => GuardVerdict::Fine,
        }
    }

    /// Records that training has diverged, for the given reason. Returns the decision: rollback, or stop after too
    /// many rollbacks.
    pub(crate) fn breakdown(&mut self, reason: String) -> GuardVerdict {
        self.candidate = None;
        self.down = 0;
        // The counter is capped, since training may be resumed after it was stopped.
        self.rollbacks = (self.rollbacks + 1).min(MAX_ROLLBACKS + 1);
        if self.rollbacks > MAX_ROLLBACKS {
            GuardVerdict::GiveUp(reason)
        } else {
            GuardVerdict::RollBack(reason)
        }
    }

    /// Returns the state of the divergence detection as numbers, for a checkpoint.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let (candidate, held) = self.candidate.map_or((0.0, -1.0), |(mean, held)| (mean, f64::from(held)));
        let (best, has_best) = self.best.map_or((0.0, 0.0), |best| (best, 1.0));
        vec![f64::from(self.down), f64::from(self.rollbacks), has_best, best, held, candidate]
    }

    /// Returns a copy with the state that [`numbers`](Self::numbers) returned; `None` if the numbers are invalid.
    pub(crate) fn with_numbers(self, numbers: &[f64]) -> Option<Self> {
        let &[down, rollbacks, has_best, best, held, candidate] = numbers else { return None };
        let count =
            |number: f64, most: u32| (number >= 0.0 && number <= f64::from(most)).then_some(number as u32);
        Some(Self {
            best: (count(has_best, 1)? == 1).then_some(best),
            candidate: if held == -1.0 { None } else { Some((candidate, count(held, self.hold)?)) },
            down: count(down, PATIENCE)?,
            rollbacks: count(rollbacks, MAX_ROLLBACKS + 1)?,
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

    /// Returns a new divergence detection with CartPole's range of returns. A candidate's mean return must not fall for
    /// six iterations.
    fn guard() -> DivergenceGuard {
        DivergenceGuard::new(0.0, 475.0, 3)
    }

    /// Returns a divergence detection whose best mean return is `mean`.
    fn settled(mean: f64) -> DivergenceGuard {
        let mut guard = guard();
        assert_eq!(guard.judge(Some(mean), &[]), GuardVerdict::Candidate);
        for _ in 1..6 {
            assert_eq!(guard.judge(Some(mean), &[]), GuardVerdict::Fine);
        }
        assert_eq!(guard.judge(Some(mean), &[]), GuardVerdict::Best);
        guard
    }

    #[test]
    fn a_return_that_does_not_fall_becomes_the_best() {
        let mut guard = settled(20.0);
        assert_eq!(guard.judge(None, &measured("loss", 1.0)), GuardVerdict::Fine, "no episode has ended yet");
        assert_eq!(guard.judge(Some(21.0), &[]), GuardVerdict::Fine, "the improvement is too small");
        assert_eq!(guard.judge(Some(100.0), &[]), GuardVerdict::Candidate);
        for better in 1..6 {
            assert_eq!(guard.judge(Some(100.0 + f64::from(better)), &[]), GuardVerdict::Fine);
        }
        assert_eq!(guard.judge(Some(120.0), &[]), GuardVerdict::Best);
        assert_eq!(guard.best, Some(100.0));
    }

    #[test]
    fn a_return_that_falls_soon_does_not_become_the_best() {
        let mut guard = settled(20.0);
        assert_eq!(guard.judge(Some(100.0), &[]), GuardVerdict::Candidate);
        assert_eq!(guard.judge(Some(70.0), &[]), GuardVerdict::Fine);
        assert_eq!(
            guard.judge(Some(70.0), &[]),
            GuardVerdict::Candidate,
            "the lower return may still become the best"
        );
        assert_eq!(guard.best, Some(20.0));
    }

    #[test]
    fn infinite_metrics_cause_rollbacks_and_finally_a_stop() {
        let mut guard = guard();
        for _ in 0..MAX_ROLLBACKS {
            let verdict = guard.judge(Some(20.0), &measured("value_loss", f64::NAN));
            assert_eq!(verdict, GuardVerdict::RollBack("value_loss became NaN".into()));
        }
        let verdict = guard.judge(Some(20.0), &measured("entropy", f64::INFINITY));
        assert_eq!(verdict, GuardVerdict::GiveUp("entropy became inf".into()));
        // The state stays valid if training is resumed anyway.
        guard.judge(Some(20.0), &measured("entropy", f64::INFINITY));
        assert_eq!(self::guard().with_numbers(&guard.numbers()), Some(guard));
    }

    #[test]
    fn a_new_best_state_resets_the_roll_back_count() {
        let mut guard = guard();
        for round in 1..3 * MAX_ROLLBACKS {
            assert!(matches!(guard.judge(None, &measured("loss", f64::NAN)), GuardVerdict::RollBack(_)));
            let better = f64::from(round) * 10.0;
            while guard.judge(Some(better), &[]) != GuardVerdict::Best {}
        }
    }

    #[test]
    fn a_short_collapse_is_tolerated() {
        let mut guard = settled(450.0);
        for _ in 0..5 {
            for _ in 1..PATIENCE {
                assert_eq!(guard.judge(Some(50.0), &[]), GuardVerdict::Fine);
            }
            assert_eq!(guard.judge(Some(300.0), &[]), GuardVerdict::Fine, "the return recovers");
        }
        for _ in 1..PATIENCE {
            assert_eq!(guard.judge(Some(50.0), &[]), GuardVerdict::Fine);
        }
        let GuardVerdict::RollBack(reason) = guard.judge(Some(50.0), &[]) else { panic!("no rollback") };
        assert_eq!(reason, "the mean return fell from 450 to 50 and stayed there");
    }

    #[test]
    fn a_small_loss_is_no_collapse() {
        let mut guard = settled(30.0);
        for _ in 0..3 * PATIENCE {
            assert_eq!(guard.judge(Some(9.0), &[]), GuardVerdict::Fine);
        }
    }

    #[test]
    fn a_changed_environment_resets_the_best_return() {
        let mut guard = settled(450.0);
        guard.forget();
        assert_eq!(guard.judge(Some(50.0), &[]), GuardVerdict::Candidate);
        for _ in 0..2 * PATIENCE {
            assert!(!matches!(guard.judge(Some(50.0), &[]), GuardVerdict::RollBack(_)));
        }
    }

    #[test]
    fn state_round_trips_and_invalid_numbers_are_rejected() {
        let mut before = guard();
        assert_eq!(guard().with_numbers(&before.numbers()), Some(before));
        before.judge(Some(450.0), &[]);
        before.judge(Some(450.0), &[]);
        assert_eq!(guard().with_numbers(&before.numbers()), Some(before));
        let mut before = settled(400.0);
        before.judge(Some(50.0), &[]);
        before.judge(None, &measured("loss", f64::NAN));
        assert_eq!(guard().with_numbers(&before.numbers()), Some(before));
        let right = before.numbers();
        for (place, nonsense) in [(0, -1.0), (0, 99.0), (1, 10.0), (2, 2.0), (4, 7.0), (4, -2.0)] {
            let mut numbers = right.clone();
            numbers[place] = nonsense;
            assert_eq!(guard().with_numbers(&numbers), None, "{place} {nonsense}");
        }
        assert_eq!(guard().with_numbers(&right[1..]), None);
    }
}
