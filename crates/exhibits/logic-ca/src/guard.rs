//! The collapse guard: a run whose numbers are no longer finite goes back to where they were, and goes on in smaller
//! steps.
//!
//! A wrong bit more or less is no breakdown here, for hard accuracy goes up and down while gates make up their minds.

use vivarium_lab::run::MOST_ROLL_BACKS;

/// After so many finite epochs the state is worth going back to.
const INTERVAL: u64 = 50;

/// What has been seen so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LogicDivergenceGuard {
    /// Finite epochs since the last good state.
    finite: u64,
    /// Roll-backs since the last good state that was learned after one.
    roll_backs: u32,
}

impl LogicDivergenceGuard {
    /// Books an epoch whose numbers are finite; whether the state is one to go back to.
    pub(super) fn pass(&mut self) -> bool {
        self.finite += 1;
        let good = self.finite >= INTERVAL;
        if good {
            *self = Self::default();
        }
        good
    }

    /// Books a breakdown; whether there is use in going back.
    pub(super) fn roll_back(&mut self) -> bool {
        self.finite = 0;
        // One more than are made says that it gave up, however often it is asked to go on all the same.
        self.roll_backs = (self.roll_backs + 1).min(MOST_ROLL_BACKS + 1);
        self.roll_backs <= MOST_ROLL_BACKS
    }

    /// The state as numbers, for a checkpoint.
    pub(super) fn numbers(self) -> Vec<f64> {
        vec![self.finite as f64, f64::from(self.roll_backs)]
    }

    /// Takes over [`numbers`](Self::numbers); `None` if they are no guard's.
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
    fn goes_back_a_few_times_and_forgets_them_once_it_has_come_further() {
        let mut guard = LogicDivergenceGuard::default();
        for _ in 0..3 {
            for _ in 0..MOST_ROLL_BACKS {
                assert!(guard.roll_back());
            }
            assert_eq!((1..).find(|_| guard.pass()), Some(INTERVAL));
        }
        for _ in 0..MOST_ROLL_BACKS {
            assert!(guard.roll_back() && !guard.pass());
        }
        assert!(!guard.roll_back() && !guard.roll_back());
        // Whoever goes on all the same can still save and open.
        assert_eq!(LogicDivergenceGuard::from_numbers(&guard.numbers()), Some(guard));
    }

    #[test]
    fn numbers_that_are_no_guards_are_refused() {
        for numbers in
            [&[][..], &[0.0], &[0.0, 0.0, 0.0], &[-1.0, 0.0], &[51.0, 0.0], &[0.0, 10.0], &[f64::NAN, 0.0]]
        {
            assert_eq!(LogicDivergenceGuard::from_numbers(numbers), None, "{numbers:?}");
        }
    }
}
