//! The search tree of one game.

use crate::arena::{NONE, NodeArena};
use crate::config::{Puct, TreeLimits};
use crate::error::SearchError;
use crate::game::Game;
use crate::noise::dirichlet;
use crate::path::{MAX_DEPTH, SearchPath};
use vivarium_envs::OutOfRange;
use vivarium_kernels::rng::Stream;

/// Statistics of a branch: an action at a decision, or an outcome of a chance event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branch {
    /// Index of the action or outcome, from 0.
    pub branch: usize,
    /// Prior of an action, or probability of a chance outcome.
    pub prior: f32,
    /// Number of simulations through the branch.
    pub visits: u32,
    /// Mean value of the simulations through the branch, for the player to move in the parent state; `None` before the
    /// first visit.
    pub value: Option<f32>,
}

/// Monte-Carlo tree search of one game from a root state.
pub struct Tree<G: Game> {
    pub(crate) arena: NodeArena<G>,
    pub(crate) root: u32,
    pub(crate) puct: Puct,
    pub(crate) paths: Vec<SearchPath>,
    /// Number of search paths whose leaf evaluation is pending.
    pub(crate) in_flight: u32,
    /// Weight of the Dirichlet noise in the priors of the root's edges.
    pub(crate) noise_fraction: f32,
    /// Sample of the Dirichlet noise, one number for each edge of the root.
    pub(crate) noise: Vec<f32>,
    /// Number of simulations that a batch search still runs in the tree.
    pub(crate) remaining: u32,
}

impl<G: Game> Tree<G> {
    /// Creates a tree with the root state `root`, and allocates all of its memory.
    ///
    /// # Errors
    /// [`SearchError`] if a parameter is out of range or the allocation fails.
    pub fn new(root: G, puct: Puct, limits: TreeLimits) -> Result<Self, SearchError> {
        let puct = puct.checked()?;
        let arena = NodeArena::new(limits)?;
        let mut tree = Self {
            arena,
            root: NONE,
            puct,
            paths: (0..limits.leaves).map(|_| SearchPath::new()).collect(),
            in_flight: 0,
            noise_fraction: 0.0,
            noise: Vec::with_capacity(G::MAX_BRANCHES),
            remaining: 0,
        };
        tree.restart(root)?;
        Ok(tree)
    }

    /// Returns the memory use, in bytes, of a tree with the capacity `limits`. On systems that overcommit memory, such
    /// as Linux, check the result before creating a large tree.
    pub fn bytes(limits: TreeLimits) -> u64 {
        let of_path = (MAX_DEPTH * size_of::<(u32, u32)>() + size_of::<SearchPath>()) as u64;
        NodeArena::<G>::bytes(limits) + limits.leaves as u64 * of_path
    }

    /// Removes all nodes and sets a new root state.
    ///
    /// # Errors
    /// [`SearchError::Awaiting`] if evaluations are pending.
    pub fn restart(&mut self, root: G) -> Result<(), SearchError> {
        self.check_none_pending()?;
        self.arena.clear();
        self.noise_fraction = 0.0;
        // Always succeeds: the limits allow a node with the maximum number of branches.
        self.root = self.arena.node_of(root, root.hash()).unwrap_or(0);
        Ok(())
    }

    /// Advances the root along a branch, with subtree reuse: the statistics below the new root are kept, all other
    /// nodes are removed. Removes root noise.
    ///
    /// # Errors
    /// [`SearchError`] if the root has no branch with this index, or evaluations are pending.
    pub fn advance(&mut self, branch: usize) -> Result<(), SearchError> {
        self.advance_path(&[branch])
    }

    /// Advances the root along several branches, with subtree reuse. Equivalent to an [`advance`](Self::advance) for
    /// each branch, but compacts the tree once.
    ///
    /// # Errors
    /// [`SearchError`] if evaluations are pending, or if a state on the path has no branch with the index in `path`. In
    /// the second case the root becomes that state.
    pub fn advance_path(&mut self, path: &[usize]) -> Result<(), SearchError> {
        self.check_none_pending()?;
        let mut at = self.root;
        let mut outcome = Ok(());
        for (index, &branch) in path.iter().enumerate() {
            let edges = self.arena.edges_of(at);
            let Some(edge) = edges.iter().find(|edge| usize::from(edge.branch) == branch) else {
                let names: Vec<_> = edges.iter().map(|edge| edge.branch.to_string()).collect();
                let allowed = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                outcome = Err(SearchError::Branch { branch, allowed });
                break;
            };
            if edge.child == NONE {
                let next = self.arena.states[at as usize].after(branch);
                self.restart(next)?;
                return self.advance_path(&path[index + 1..]);
            }
            at = edge.child;
        }
        if at != self.root {
            self.noise_fraction = 0.0;
            self.root = self.arena.retain_reachable(at);
        }
        outcome
    }

    /// Returns the root state.
    pub fn root(&self) -> G {
        self.arena.states[self.root as usize]
    }

    /// Returns the number of nodes (states) in the tree.
    pub fn nodes(&self) -> usize {
        self.arena.nodes.len()
    }

    /// Returns the number of simulations through the root.
    pub fn visits(&self) -> u32 {
        self.arena.nodes[self.root as usize].visits
    }

    /// Returns the mean value of the root for its player to move; `None` before the first simulation.
    pub fn value(&self) -> Option<f32> {
        let root = &self.arena.nodes[self.root as usize];
        (root.visits > 0).then(|| root.mean() as f32)
    }

    /// Returns statistics of the root's branches (actions or chance outcomes), in branch order.
    pub fn branches(&self) -> impl ExactSizeIterator<Item = Branch> {
        self.branches_of(self.root)
    }

    /// Returns the state at the end of a path from the root, and statistics of the branches of this state. Values are
    /// from the view of the player to move in this state. Returns `None` if the search has not expanded the path.
    pub fn lookup(&self, path: &[usize]) -> Option<(G, impl ExactSizeIterator<Item = Branch>)> {
        let at = path.iter().try_fold(self.root, |at, &branch| {
            let edge = self.arena.edges_of(at).iter().find(|edge| usize::from(edge.branch) == branch)?;
            (edge.child != NONE).then_some(edge.child)
        })?;
        Some((self.arena.states[at as usize], self.branches_of(at)))
    }

    fn branches_of(&self, at: u32) -> impl ExactSizeIterator<Item = Branch> {
        let player = self.arena.nodes[at as usize].player;
        self.arena.edges_of(at).iter().map(move |edge| Branch {
            branch: edge.branch.into(),
            prior: edge.prior,
            visits: edge.visits,
            value: (edge.visits > 0).then(|| {
                let child = &self.arena.nodes[edge.child as usize];
                signed(child.mean(), child.player != player) as f32
            }),
        })
    }

    /// Returns the root branch with the most visits (ties: the higher value); `None` before the first visit.
    pub fn most_visited(&self) -> Option<usize> {
        let tried = self.branches().filter(|branch| branch.visits > 0);
        let order = |a: &Branch, b: &Branch| {
            let [x, y] = [a, b].map(|branch| branch.value.unwrap_or(f32::NEG_INFINITY));
            a.visits.cmp(&b.visits).then(x.total_cmp(&y))
        };
        tried.max_by(order).map(|branch| branch.branch)
    }

    /// Returns the root branch with the most visits or, before the first visit, the branch with the highest prior;
    /// `None` if the search has not expanded the root.
    pub fn best_branch(&self) -> Option<usize> {
        let by_prior = || self.branches().max_by(|a, b| a.prior.total_cmp(&b.prior));
        self.most_visited().or_else(|| by_prior().map(|branch| branch.branch))
    }

    /// Samples a root branch with probability proportional to visits^(1/`temperature`); temperature 0 selects the most
    /// visited branch. Returns `None` before the first visit.
    pub fn sample(&self, temperature: f32, random: &mut Stream) -> Option<usize> {
        let most = self.branches().map(|branch| branch.visits).max().filter(|&most| most > 0)?;
        if temperature <= 0.0 {
            return self.most_visited();
        }
        // Relative to the maximum, so that the power does not overflow.
        let weight = |branch: &Branch| (branch.visits as f32 / most as f32).powf(1.0 / temperature);
        let total: f32 = self.branches().map(|branch| weight(&branch)).sum();
        let mut remaining = random.uniform() * total;
        let mut drawn = None;
        for branch in self.branches().filter(|branch| branch.visits > 0) {
            drawn = Some(branch.branch);
            remaining -= weight(&branch);
            if remaining < 0.0 {
                break;
            }
        }
        drawn
    }

    /// Adds Dirichlet noise to the priors of the root, until the root changes: (1 − `fraction`)·prior + `fraction`·η
    /// with η ~ Dir(`alpha`).
    ///
    /// # Errors
    /// [`SearchError::OutOfRange`] if `alpha` is outside 0.001 to 1000 or `fraction` outside 0 to 1.
    pub fn add_noise(&mut self, alpha: f32, fraction: f32, random: &mut Stream) -> Result<(), SearchError> {
        OutOfRange::check("alpha", alpha.into(), 1e-3, 1e3)?;
        OutOfRange::check("fraction", fraction.into(), 0.0, 1.0)?;
        self.noise.clear();
        self.noise.resize(self.arena.edges_of(self.root).len(), 0.0);
        dirichlet(alpha, random, &mut self.noise);
        self.noise_fraction = fraction;
        Ok(())
    }

    fn check_none_pending(&self) -> Result<(), SearchError> {
        match self.in_flight as usize {
            0 => Ok(()),
            leaves => Err(SearchError::Awaiting { leaves }),
        }
    }
}

/// Returns −`value` if `other` is true (the value is from the opponent's view), otherwise `value`.
fn signed(value: f64, other: bool) -> f64 {
    if other { -value } else { value }
}
