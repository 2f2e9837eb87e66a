//! Search parameters: the PUCT rule and the memory limits of a tree.

use crate::error::SearchError;
use crate::game::Game;
use vivarium_envs::OutOfRange;

/// Parameters of the PUCT rule (AlphaZero: Silver et al. 2018, <https://doi.org/10.1126/science.aar6404>; first in
/// Rosin 2011).
///
/// At a decision with N visits, the search selects the action that maximizes Q + c·P·√N / (1 + n) with c = `c_init` +
/// ln((N + `c_base` + 1) / `c_base`). Q is the mean value of the action divided by
/// [`MAX_VALUE`](crate::Game::MAX_VALUE), P its prior, and n its number of visits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Puct {
    /// Exploration constant: weight of the prior at few visits. Range 0 to 100, default 1.25.
    pub c_init: f32,
    /// Number of visits after which the exploration weight starts to grow logarithmically. Range 1 to 10⁹,
    /// default 19,652.
    pub c_base: f32,
    /// First-play urgency reduction: the Q of an unvisited action is the Q of its parent minus this number. Range 0 to
    /// 2, default 0.2.
    pub fpu_reduction: f32,
    /// Virtual loss: value subtracted for each simulation in progress through an action (Chaslot, Winands and van den
    /// Herik 2008, <https://doi.org/10.1007/978-3-540-87608-3_6>). Range 0 to 10, default 1.
    pub virtual_loss: f32,
}

impl Default for Puct {
    fn default() -> Self {
        Self { c_init: 1.25, c_base: 19_652.0, fpu_reduction: 0.2, virtual_loss: 1.0 }
    }
}

impl Puct {
    /// Returns the parameters unchanged, or an error if a parameter is out of range.
    pub(crate) fn checked(self) -> Result<Self, SearchError> {
        for (field, value, low, high) in [
            ("c_init", self.c_init, 0.0, 100.0),
            ("c_base", self.c_base, 1.0, 1e9),
            ("fpu_reduction", self.fpu_reduction, 0.0, 2.0),
            ("virtual_loss", self.virtual_loss, 0.0, 10.0),
        ] {
            let [value, low, high] = [value, low, high].map(f64::from);
            OutOfRange::check(field, value, low, high)?;
        }
        Ok(self)
    }
}

/// Capacity of a tree. [`Tree::new`](crate::Tree::new) allocates the whole capacity at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// Maximum number of nodes (states). A simulation adds one node, plus one for each forced move on its path.
    pub nodes: usize,
    /// Maximum number of edges (branches) over all nodes.
    pub edges: usize,
    /// Maximum number of leaves that await their evaluation at the same time.
    pub leaves: usize,
}

impl Default for TreeLimits {
    /// Returns limits that suffice for a few thousand simulations of backgammon.
    fn default() -> Self {
        Self { nodes: 1 << 13, edges: 1 << 18, leaves: 16 }
    }
}

impl TreeLimits {
    /// Returns limits that suffice for `simulations` simulations per search of game `G`, with subtree reuse.
    pub fn for_simulations<G: Game>(simulations: u32) -> Self {
        // Upper bound of the mean number of branches per node: 21 rolls, or legal actions.
        const TYPICAL_BRANCHES: usize = 24;
        // A simulation adds one node, and one more for each forced move on its path. A reused subtree needs additional
        // nodes. If the tree is full, the search ends early.
        let nodes = 3 * simulations as usize + 64;
        Self { nodes, edges: nodes * TYPICAL_BRANCHES.min(G::MAX_BRANCHES) + G::MAX_BRANCHES, leaves: 1 }
    }

    /// Upper bound of `nodes` and of `edges`.
    pub const MAX: usize = 1 << 30;

    /// Returns the limits unchanged, or an error if a limit is out of range for a game whose states have at most
    /// `max_branches` branches.
    pub(crate) fn checked(self, max_branches: usize) -> Result<Self, SearchError> {
        for (field, value, low, high) in [
            ("nodes", self.nodes, 1, Self::MAX),
            ("edges", self.edges, max_branches, Self::MAX),
            ("leaves", self.leaves, 1, usize::from(u16::MAX)),
        ] {
            let [value, low, high] = [value, low, high].map(|value| value as f64);
            OutOfRange::check(field, value, low, high)?;
        }
        Ok(self)
    }
}
