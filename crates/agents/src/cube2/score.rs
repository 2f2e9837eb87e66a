//! Score of a policy on the 2×2×2 cube: solved states, excess moves, and cycles. A cycle is a sequence of states that
//! the policy repeats forever, without reaching the solved state.

use std::collections::BTreeMap;

/// Score of a policy over the states at one distance from the solved state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DepthScore {
    /// Number of all states at this distance from the solved state.
    pub states: u64,
    /// Number of states at this distance whose outcome under the policy has been computed.
    pub known: u64,
    /// Number of states at this distance from which the policy solves the cube.
    pub solved: u64,
    /// Number of moves beyond the shortest solution, summed over all states at this distance from which the policy
    /// solves the cube.
    pub excess: u64,
}

/// Statistics of the cycles of one length. A cycle is a sequence of states that the policy repeats forever, without
/// solving the cube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CycleStatistics {
    /// Number of different cycles of this length.
    pub count: u64,
    /// Number of states from which the policy enters a cycle of this length, including the states within such cycles.
    pub states: u64,
}

/// Score of a policy over the states whose outcome has been computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyScore {
    /// Scores of the states at each distance from the solved state, starting with distance 0.
    pub depths: Vec<DepthScore>,
    /// Statistics of the policy's cycles. The key is the length of a cycle in moves.
    pub cycles: BTreeMap<u32, CycleStatistics>,
}

impl DepthScore {
    /// Returns the fraction of states from which the policy solves the cube, among the states whose outcome has been
    /// computed. Returns `None` before the first computed outcome.
    pub fn solved_share(&self) -> Option<f64> {
        (self.known > 0).then(|| self.solved as f64 / self.known as f64)
    }
}

impl PolicyScore {
    /// Returns the sums of the scores over all distances from the solved state.
    pub fn total(&self) -> DepthScore {
        self.depths.iter().fold(DepthScore::default(), |total, depth| DepthScore {
            states: total.states + depth.states,
            known: total.known + depth.known,
            solved: total.solved + depth.solved,
            excess: total.excess + depth.excess,
        })
    }

    /// Returns the mean number of moves beyond the shortest solution, over all states from which the policy solves the
    /// cube. Returns `None` if there is no such state.
    pub fn mean_excess(&self) -> Option<f64> {
        let total = self.total();
        (total.solved > 0).then(|| total.excess as f64 / total.solved as f64)
    }

    /// Returns the number of states from which the policy enters a cycle and never solves the cube.
    pub fn in_cycles(&self) -> u64 {
        self.cycles.values().map(|cycles| cycles.states).sum()
    }
}
