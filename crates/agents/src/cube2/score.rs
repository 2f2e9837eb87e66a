//! Result of an exhaustive evaluation of a policy on the 2×2×2 cube.

use std::collections::BTreeMap;

/// Score of a policy on the states at one distance from the solved state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DepthScore {
    /// Number of states at this distance.
    pub states: u64,
    /// Number of states whose outcome under the policy has been computed.
    pub known: u64,
    /// Number of states that the policy solves.
    pub solved: u64,
    /// Number of moves beyond the shortest solution, summed over all solved states.
    pub excess: u64,
}

/// Statistics of all cycles of one length. The policy never solves a state of a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CycleStatistics {
    /// Number of cycles of this length.
    pub count: u64,
    /// Number of states that end in one of these cycles, including the states of the cycles.
    pub states: u64,
}

/// Score of a policy over all states: outcomes by distance, and cycles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyScore {
    /// Scores by distance from the solved state, starting with distance 0.
    pub depths: Vec<DepthScore>,
    /// Statistics of the policy's cycles, by length in moves.
    pub cycles: BTreeMap<u32, CycleStatistics>,
}

impl DepthScore {
    /// Returns the fraction of states that are solved, among the states with an outcome; `None` if no state has an
    /// outcome.
    pub fn solved_share(&self) -> Option<f64> {
        (self.known > 0).then(|| self.solved as f64 / self.known as f64)
    }
}

impl PolicyScore {
    /// Returns the score summed over all distances.
    pub fn total(&self) -> DepthScore {
        self.depths.iter().fold(DepthScore::default(), |total, depth| DepthScore {
            states: total.states + depth.states,
            known: total.known + depth.known,
            solved: total.solved + depth.solved,
            excess: total.excess + depth.excess,
        })
    }

    /// Returns the mean number of moves beyond the shortest solution, or `None` if no state is solved.
    pub fn mean_excess(&self) -> Option<f64> {
        let total = self.total();
        (total.solved > 0).then(|| total.excess as f64 / total.solved as f64)
    }

    /// Returns the number of states that end in a cycle.
    pub fn in_cycles(&self) -> u64 {
        self.cycles.values().map(|cycles| cycles.states).sum()
    }
}
