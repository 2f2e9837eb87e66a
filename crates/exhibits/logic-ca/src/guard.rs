//! Divergence guard: a run with numbers that are not finite is rolled back and continues with half the learning rate.
//!
//! A drop in hard accuracy does not trigger the guard, because hard accuracy fluctuates during training.

use vivarium_lab::run::MOST_ROLL_BACKS;

/// Number of finite epochs after which the state is saved for roll-backs.
const INTERVAL: u64 = 50;

/// State of the divergence guard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LogicDivergenceGuard {
    /// Finite epochs since the last good state.
    finite: u64,
    /// Roll-backs since the last saved state.
    roll_backs: u32,
}

impl LogicDivergenceGuard {
    /// Records a finite epoch. Returns whether the state should be saved for roll-backs.
    pub(super) fn record_finite(&mut self) -> bool {
        self.finite += 1;
        let good = self.finite >= INTERVAL;
        if good {
            *self = Self::default();
        }
        good
    }

    /// Records a divergence. Returns whether another roll-back is allowed.
    pub(super) fn roll_back(&mut self) -> bool {
        self.finite = 0;
        // Saturates at one above the limit, which means that the run has failed.
        self.roll_backs = (self.roll_backs + 1).min(MOST_ROLL_BACKS + 1);
        self.roll_backs <= MOST_ROLL_BACKS
    }

    /// Returns the state as numbers for a checkpoint.
    pub(super) fn numbers(self) -> Vec<f64> {
        vec![self.finite as f64, f64::from(self.roll_backs)]
    }

    /// Restores a guard from [`numbers`](Self::numbers); `None` if they are invalid.
    pub(super) fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let &[finite, roll_backs] = numbers else { return None };
        let count =
            |number: f64, most: u64| (number >= 0.0 && number <= most as f64).then_some(number as u64);
        let roll_backs = count(roll_backs, u64::from(MOST_ROLL_BACKS) + 1)? as u32;
        Some(Self { finite: count(finite, INTERVAL)?, roll_backs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roll_backs_are_limited_and_reset_after_progress() {
        let mut guard = LogicDivergenceGuard::default();
        for _ in 0..3 {
            for _ in 0..MOST_ROLL_BACKS {
                assert!(guard.roll_back());
            }
            assert_eq!((1..).find(|_| guard.record_finite()), Some(INTERVAL));
        }
        for _ in 0..MOST_ROLL_BACKS {
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
