//! Recovery from divergence: a run returns to its last good state with half the learning rate (a *rollback*).

use crate::error::LabError;

/// Maximum number of consecutive rollbacks after divergence.
pub const MAX_ROLLBACKS: u32 = 8;

/// Settings of the recovery from divergence: how often a run stores the state to return to, when the number of
/// rollbacks is reset, and which learning rates a rollback halves.
///
/// The experiment chooses the unit in which training progress is counted: iterations or gradient steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollbackPolicy {
    /// Number of iterations or gradient steps after which the present state of the learner replaces the good state,
    /// which a rollback restores. For a state of type `()`, only the position of the good state is stored, and the
    /// interval is 1.
    pub interval: u64,
    /// Number of iterations or gradient steps without divergence after which the number of consecutive rollbacks is
    /// reset to 0.
    pub steady: u64,
    /// Config paths of the initial and the final learning rate, which a rollback halves. Messages to the user name the
    /// first path.
    pub learning_rates: [&'static str; 2],
}

/// The good state of a learner, which a run restores after a divergence, and the number of consecutive rollbacks. After
/// more than [`MAX_ROLLBACKS`] consecutive rollbacks the run fails. `S` is the type of the state: the tensors of a
/// learner, or `()` for a learner that discards a diverged gradient step and therefore keeps its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct RollbackGuard<S> {
    good: S,
    /// Iteration or gradient step at which the good state (the state that a rollback restores) was stored.
    good_at: u64,
    /// Position (iteration or gradient step) at which training resumed after the last divergence; before any
    /// divergence, the position at which the guard was created.
    resumed_at: u64,
    rollbacks: u32,
    policy: RollbackPolicy,
}

impl<S> RollbackGuard<S> {
    /// Creates the guard of a run. `good` is the present state of the learner, which the first rollback restores;
    /// `position` is the number of iterations or gradient steps so far.
    pub fn new(good: S, position: u64, policy: RollbackPolicy) -> Self {
        Self { good, good_at: position, resumed_at: position, rollbacks: 0, policy }
    }

    /// Returns the rollback guard with values from a checkpoint: the number of consecutive rollbacks, and the position
    /// at which training resumed after the last divergence.
    #[must_use]
    pub fn with_rollbacks(mut self, rollbacks: u64, resumed_at: u64) -> Self {
        self.rollbacks = rollbacks.min(u64::from(MAX_ROLLBACKS) + 1) as u32;
        self.resumed_at = resumed_at;
        self
    }

    /// Returns the last good state, to which a rollback returns.
    pub fn good(&self) -> &S {
        &self.good
    }

    /// Returns the good state of the learner, which a rollback restores, for modification.
    pub fn good_mut(&mut self) -> &mut S {
        &mut self.good
    }

    /// Returns the position (iteration or gradient step) at which the [good state](Self::good) was stored.
    pub fn good_at(&self) -> u64 {
        self.good_at
    }

    /// Returns the position (iteration or gradient step) at which training resumed after the last divergence.
    pub fn resumed_at(&self) -> u64 {
        self.resumed_at
    }

    /// Returns the number of consecutive rollbacks so far, at most [`MAX_ROLLBACKS`] + 1.
    pub fn rollbacks(&self) -> u32 {
        self.rollbacks
    }

    /// Records that training has reached `position` (an iteration or a gradient step) without divergence. If the
    /// interval of the policy has passed, replaces the good state by the present state, which `state` returns. After
    /// `steady` iterations or gradient steps without divergence, resets the number of rollbacks to 0.
    pub fn record(&mut self, position: u64, state: impl FnOnce() -> S) {
        if position >= self.resumed_at.saturating_add(self.policy.steady) {
            self.rollbacks = 0;
        }
        if position >= self.good_at.saturating_add(self.policy.interval) {
            (self.good, self.good_at) = (state(), position);
        }
    }

    /// Replaces the state that a rollback restores, and resets the number of rollbacks to 0.
    pub fn set_good(&mut self, good: S) {
        (self.good, self.rollbacks) = (good, 0);
    }
}

/// Interface of a [`RollbackGuard`] that does not depend on the type of its state, for
/// [`ExperimentPartsMut`](crate::experiment::ExperimentPartsMut).
pub trait CountRollbacks {
    /// Counts a rollback; `reason` is the cause of the divergence, for the error message. Returns the config paths of
    /// the learning rates to halve.
    ///
    /// # Errors
    /// [`LabError::Diverged`] after [`MAX_ROLLBACKS`] consecutive rollbacks.
    fn count_rollback(&mut self, reason: &str) -> Result<[&'static str; 2], LabError>;
}

impl<S> CountRollbacks for RollbackGuard<S> {
    fn count_rollback(&mut self, reason: &str) -> Result<[&'static str; 2], LabError> {
        self.resumed_at = self.good_at;
        // The counter has a maximum, because a user may resume training after it has failed.
        self.rollbacks = (self.rollbacks + 1).min(MAX_ROLLBACKS + 1);
        let rates @ [rate, _] = self.policy.learning_rates;
        if self.rollbacks <= MAX_ROLLBACKS {
            return Ok(rates);
        }
        let message = format!(
            "{reason}, after {MAX_ROLLBACKS} rollbacks with smaller learning rates; reduce {rate} or use a preset"
        );
        Err(LabError::Diverged { message })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard_of<S>(good: S, position: u64, interval: u64, steady: u64) -> RollbackGuard<S> {
        let learning_rates = ["rate", "final_rate"];
        RollbackGuard::new(good, position, RollbackPolicy { interval, steady, learning_rates })
    }

    fn diverge<S>(guard: &mut RollbackGuard<S>) -> bool {
        guard.count_rollback("the loss is NaN").is_ok()
    }

    #[test]
    fn rollbacks_are_limited_and_reset_with_the_good_state() {
        let mut guard = guard_of(0, 0, 50, 50);
        for round in 0..3 {
            for _ in 0..MAX_ROLLBACKS {
                guard.record(50 * round + 49, || unreachable!("too early"));
                assert!(diverge(&mut guard));
            }
            let position = 50 * (round + 1);
            guard.record(position, || position);
            assert_eq!((*guard.good(), guard.good_at(), guard.rollbacks()), (position, position, 0));
        }
        for _ in 0..MAX_ROLLBACKS {
            assert!(diverge(&mut guard));
        }
        assert!(!diverge(&mut guard) && !diverge(&mut guard));
        // A failed run can still be saved and opened.
        let opened = guard_of(150, 150, 50, 50).with_rollbacks(guard.rollbacks().into(), 150);
        assert_eq!(opened, guard);
    }

    #[test]
    fn states_may_be_kept_more_often_than_the_number_of_rollbacks_is_reset() {
        let mut guard = guard_of(0, 0, 1, 8);
        let mut generation = 0;
        for _ in 0..MAX_ROLLBACKS {
            assert!(diverge(&mut guard));
            for _ in 0..2 {
                generation += 1;
                guard.record(generation, || generation);
                assert_eq!(*guard.good(), generation);
            }
        }
        assert!(!diverge(&mut guard));
        // After enough generations without divergence, rollbacks are allowed again.
        guard.record(generation + 8, || generation + 8);
        assert!(diverge(&mut guard));
    }

    #[test]
    fn a_better_state_resets_the_number_of_rollbacks() {
        let mut guard = guard_of(0, 0, u64::MAX, u64::MAX);
        for round in 1..3 * MAX_ROLLBACKS {
            assert!(diverge(&mut guard));
            guard.set_good(round);
            assert_eq!((*guard.good(), guard.rollbacks()), (round, 0));
        }
    }
}
