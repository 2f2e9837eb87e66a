//! The result of an exhaustive evaluation.

use std::collections::BTreeMap;

/// What became of the states at one distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DepthScore {
    /// States that there are.
    pub states: u64,
    /// Of them, those of which it is known whether the policy solves them.
    pub known: u64,
    /// Of them, those that it solves.
    pub solved: u64,
    /// Moves that it makes beyond the fewest, over all that it solves.
    pub excess: u64,
}

/// States that never get anywhere, as they come back to where they were after so many moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cycles {
    /// Cycles of this length.
    pub count: u64,
    /// States that end in one of them, those of the cycles included.
    pub states: u64,
}

/// What is known of a policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// By distance from the solved state.
    pub depths: Vec<DepthScore>,
    /// By length, in moves.
    pub cycles: BTreeMap<u32, Cycles>,
}

impl DepthScore {
    /// Solved ones among those that are known; `None` before there are any.
    pub fn solved_share(&self) -> Option<f64> {
        (self.known > 0).then(|| self.solved as f64 / self.known as f64)
    }
}

impl Score {
    /// All depths together.
    pub fn total(&self) -> DepthScore {
        self.depths.iter().fold(DepthScore::default(), |total, depth| DepthScore {
            states: total.states + depth.states,
            known: total.known + depth.known,
            solved: total.solved + depth.solved,
            excess: total.excess + depth.excess,
        })
    }

    /// How many moves a solution has on average beyond the fewest; `None` where nothing is solved.
    pub fn mean_excess(&self) -> Option<f64> {
        let total = self.total();
        (total.solved > 0).then(|| total.excess as f64 / total.solved as f64)
    }

    /// States that end in a cycle.
    pub fn lost(&self) -> u64 {
        self.cycles.values().map(|cycles| cycles.states).sum()
    }
}
