//! How a search chooses, and how large it may grow.

use crate::error::SearchError;
use vivarium_envs::OutOfRange;

/// How a search chooses among the actions of a decision: the one with the greatest Q + c · P · √N / (1 + n),
/// where Q is the action's mean value as a fraction of the greatest value, P its prior probability, n its
/// visits, N those of the decision, and c = `exploration` + ln((N + `growth` + 1) / `growth`) (PUCT, as in
/// AlphaZero: Silver and others, "A general reinforcement learning algorithm that masters chess, shogi, and
/// Go through self-play", 2018).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Puct {
    /// The weight of the prior in the beginning.
    pub exploration: f32,
    /// After how many visits that weight grows.
    pub growth: f32,
    /// By how much less than its decision's mean an action counts that was never tried.
    pub untried: f32,
    /// What each simulation that is under way through an action counts there: a loss of so much, until it is
    /// known.
    pub virtual_loss: f32,
}

impl Default for Puct {
    fn default() -> Self {
        Self { exploration: 1.25, growth: 19_652.0, untried: 0.2, virtual_loss: 1.0 }
    }
}

impl Puct {
    /// The same, if every value is allowed.
    pub(crate) fn checked(self) -> Result<Self, SearchError> {
        for (field, value, low, high) in [
            ("exploration", self.exploration, 0.0, 100.0),
            ("growth", self.growth, 1.0, 1e9),
            ("untried", self.untried, 0.0, 2.0),
            ("virtual_loss", self.virtual_loss, 0.0, 10.0),
        ] {
            let [value, low, high] = [value, low, high].map(f64::from);
            OutOfRange::check(field, value, low, high)?;
        }
        Ok(self)
    }
}

/// How large a tree may grow. Its memory is taken once, when the tree is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most states that it holds. A simulation adds one, and one for each decision without a choice before it.
    pub nodes: usize,
    /// The most branches that it holds, those of all its states together.
    pub edges: usize,
    /// The most leaves that may await their evaluation at a time.
    pub leaves: usize,
}

impl Default for Limits {
    /// Enough for some thousand simulations of backgammon.
    fn default() -> Self {
        Self { nodes: 1 << 13, edges: 1 << 18, leaves: 16 }
    }
}

impl Limits {
    /// The greatest numbers of nodes and edges that a tree numbers.
    pub const MOST: usize = 1 << 30;

    /// The same, if every value is allowed for a game whose states have at most so many branches.
    pub(crate) fn checked(self, most_branches: usize) -> Result<Self, SearchError> {
        for (field, value, low, high) in [
            ("nodes", self.nodes, 1, Self::MOST),
            ("edges", self.edges, most_branches, Self::MOST),
            ("leaves", self.leaves, 1, usize::from(u16::MAX)),
        ] {
            let [value, low, high] = [value, low, high].map(|value| value as f64);
            OutOfRange::check(field, value, low, high)?;
        }
        Ok(self)
    }
}
