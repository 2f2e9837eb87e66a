//! Counts how often learning broke down, so that a run does not go back for ever.

use vivarium_lab::run::MOST_ROLL_BACKS;

/// After so many generations without another breakdown, those before it no longer count.
const STEADY: u64 = 8;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SelfPlayDivergenceGuard {
    roll_backs: u32,
    /// The generation after which learning broke down last.
    broke_at: u64,
}

impl SelfPlayDivergenceGuard {
    /// As a checkpoint has it that was written after this generation.
    pub(super) fn of_checkpoint(roll_backs: u64, generation: u64) -> Self {
        Self { roll_backs: roll_backs.min(MOST_ROLL_BACKS.into()) as u32, broke_at: generation }
    }

    /// What a checkpoint has to hold.
    pub(super) fn roll_backs(self) -> u64 {
        self.roll_backs.into()
    }

    /// Books a finished generation.
    pub(super) fn pass(&mut self, generation: u64) {
        if generation >= self.broke_at + STEADY {
            self.roll_backs = 0;
        }
    }

    /// Books a breakdown in the generation after this one; whether there is use in going back.
    pub(super) fn roll_back(&mut self, generation: u64) -> bool {
        self.broke_at = generation;
        let useful = self.roll_backs < MOST_ROLL_BACKS;
        self.roll_backs += u32::from(useful);
        useful
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_breaks_down_every_other_generation_ends() {
        let mut guard = SelfPlayDivergenceGuard::default();
        let mut generation = 0;
        for _ in 0..MOST_ROLL_BACKS {
            assert!(guard.roll_back(generation));
            for _ in 0..2 {
                generation += 1;
                guard.pass(generation);
            }
        }
        assert!(!guard.roll_back(generation));
        // One that has learned for a while since then may go back again.
        guard.pass(generation + STEADY);
        assert!(guard.roll_back(generation + STEADY));
        assert_eq!(SelfPlayDivergenceGuard::of_checkpoint(guard.roll_backs(), generation + STEADY), guard);
    }
}
