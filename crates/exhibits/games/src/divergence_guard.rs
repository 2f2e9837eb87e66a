//! Limit on the number of rollbacks, which stops a run that diverges repeatedly.

use vivarium_lab::run::MAX_ROLLBACKS;

/// Number of generations without divergence after which the count of rollbacks is reset to 0.
const STEADY: u64 = 8;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SelfPlayDivergenceGuard {
    rollbacks: u32,
    /// Number of finished generations at the last divergence.
    broke_at: u64,
}

impl SelfPlayDivergenceGuard {
    /// Creates the divergence detection of a checkpoint that was written after generation `generation`, with
    /// `rollbacks` rollbacks.
    pub(super) fn of_checkpoint(rollbacks: u64, generation: u64) -> Self {
        Self { rollbacks: rollbacks.min(MAX_ROLLBACKS.into()) as u32, broke_at: generation }
    }

    /// Returns the number of rollbacks since the last reset, for a checkpoint.
    pub(super) fn rollbacks(self) -> u64 {
        self.rollbacks.into()
    }

    /// Records that generation `generation` has finished. Resets the count of rollbacks after [`STEADY`] generations
    /// without divergence.
    pub(super) fn pass(&mut self, generation: u64) {
        if generation >= self.broke_at + STEADY {
            self.rollbacks = 0;
        }
    }

    /// Records a divergence after generation `generation`. Counts a rollback and returns `true` if another rollback is
    /// allowed.
    pub(super) fn roll_back(&mut self, generation: u64) -> bool {
        self.broke_at = generation;
        let useful = self.rollbacks < MAX_ROLLBACKS;
        self.rollbacks += u32::from(useful);
        useful
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_divergence_ends_a_run() {
        let mut guard = SelfPlayDivergenceGuard::default();
        let mut generation = 0;
        for _ in 0..MAX_ROLLBACKS {
            assert!(guard.roll_back(generation));
            for _ in 0..2 {
                generation += 1;
                guard.pass(generation);
            }
        }
        assert!(!guard.roll_back(generation));
        // After enough generations without divergence, rollbacks are allowed again.
        guard.pass(generation + STEADY);
        assert!(guard.roll_back(generation + STEADY));
        assert_eq!(SelfPlayDivergenceGuard::of_checkpoint(guard.rollbacks(), generation + STEADY), guard);
    }
}
