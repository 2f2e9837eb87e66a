//! Divergence detection: a run with a loss or logit that is not finite returns to an earlier state (rollback) and
//! continues with half the learning rate.
//!
//! A drop in hard accuracy does not count as divergence, because hard accuracy fluctuates during training.

use vivarium_lab::run::MAX_ROLLBACKS;

/// Number of epochs with finite numbers after which the learner state is saved for rollbacks.
const INTERVAL: u64 = 50;

/// Divergence detection: decides when the learner state is saved and whether a diverged run may roll back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LogicDivergenceGuard {
    /// Number of epochs with finite numbers since the last saved state or rollback.
    finite: u64,
    /// Number of rollbacks since the last saved state.
    rollbacks: u32,
}

impl LogicDivergenceGuard {
    /// Records an epoch with finite numbers. Returns whether the caller should save the learner state for rollbacks.
    pub(super) fn record_finite(&mut self) -> bool {
        self.finite += 1;
        let good = self.finite >= INTERVAL;
        if good {
            *self = Self::default();
        }
        good
    }

    /// Records a divergence. Returns whether the run may roll back; if not, it has failed.
    pub(super) fn roll_back(&mut self) -> bool {
        self.finite = 0;
        // Saturates at one above the limit, which means that the run has failed.
        self.rollbacks = (self.rollbacks + 1).min(MAX_ROLLBACKS + 1);
        self.rollbacks <= MAX_ROLLBACKS
    }

    /// Returns both counters as numbers for a checkpoint, `[finite, rollbacks]`.
    pub(super) fn numbers(self) -> Vec<f64> {
        vec![self.finite as f64, f64::from(self.rollbacks)]
    }

    /// Restores the counters from the output of [`numbers`](Self::numbers). Returns `None` if the counters are invalid.
    pub(super) fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let &[finite, rollbacks] = numbers else { return None };
        let count =
            |number: f64, most: u64| (number >= 0.0 && number <= most as f64).then_some(number as u64);
        let rollbacks = count(rollbacks, u64::from(MAX_ROLLBACKS) + 1)? as u32;
        Some(Self { finite: count(finite, INTERVAL)?, rollbacks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rollbacks_are_limited_and_reset_after_progress() {
        let mut guard = LogicDivergenceGuard::default();
        for _ in 0..3 {
            for _ in 0..MAX_ROLLBACKS {
                assert!(guard.roll_back());
            }
            assert_eq!((1..).find(|_| guard.record_finite()), Some(INTERVAL));
        }
        for _ in 0..MAX_ROLLBACKS {
            assert!(guard.roll_back() && !guard.record_finite());
        }
        assert!(!guard.roll_back() && !guard.roll_back());
        // A failed run can still be saved and opened.
        assert_eq!(LogicDivergenceGuard::from_numbers(&guard.numbers()), Some(guard));
    }

    #[test]
    fn invalid_numbers_are_rejected() {
        for numbers in
            [&[][..], &[0.0], &[0.0, 0.0, 0.0], &[-1.0, 0.0], &[51.0, 0.0], &[0.0, 10.0], &[f64::NAN, 0.0]]
        {
            assert_eq!(LogicDivergenceGuard::from_numbers(numbers), None, "{numbers:?}");
        }
    }
}
