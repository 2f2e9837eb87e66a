//! One search.

use crate::arena::{NodeArena, NONE};
use crate::config::{Puct, TreeLimits};
use crate::error::SearchError;
use crate::game::Game;
use crate::noise::dirichlet;
use crate::path::{MAX_DEPTH, SearchPath};
use vivarium_envs::OutOfRange;
use vivarium_kernels::rng::Stream;

/// A branch of a state, and what the search knows of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branch {
    /// Its number.
    pub branch: usize,
    /// The prior of an action, the probability of an outcome.
    pub prior: f32,
    /// The simulations that went this way.
    pub visits: u32,
    /// The mean value for the player to move before it; `None` before the first visit.
    pub value: Option<f32>,
}

/// A search of one game, from one state on.
pub struct Tree<G: Game> {
    pub(crate) arena: NodeArena<G>,
    pub(crate) root: u32,
    pub(crate) puct: Puct,
    pub(crate) ways: Vec<SearchPath>,
    /// How many of them are taken.
    pub(crate) under_way: u32,
    /// How much of the root's priors is noise, and the noise for each of its edges.
    pub(crate) noise_fraction: f32,
    pub(crate) noise: Vec<f32>,
    /// Simulations that a batch has still to make here.
    pub(crate) left: u32,
}

impl<G: Game> Tree<G> {
    /// A search from a state on. All its memory is taken here.
    ///
    /// # Errors
    /// [`SearchError`] if a value is not allowed or the memory is not to be had.
    pub fn new(root: G, puct: Puct, limits: TreeLimits) -> Result<Self, SearchError> {
        let puct = puct.checked()?;
        let arena = NodeArena::new(limits)?;
        let mut tree = Self {
            arena,
            root: NONE,
            puct,
            ways: (0..limits.leaves).map(|_| SearchPath::new()).collect(),
            under_way: 0,
            noise_fraction: 0.0,
            noise: Vec::with_capacity(G::MAX_BRANCHES),
            left: 0,
        };
        tree.restart(root)?;
        Ok(tree)
    }

    /// The bytes of memory that a search of these limits takes, most of all for its states and branches.
    /// Where memory is lent out before it is there, as on Linux, ask this before making a large one.
    pub fn bytes(limits: TreeLimits) -> u64 {
        let of_way = (MAX_DEPTH * size_of::<(u32, u32)>() + size_of::<SearchPath>()) as u64;
        NodeArena::<G>::bytes(limits) + limits.leaves as u64 * of_way
    }

    /// Forgets everything and starts from another state.
    ///
    /// # Errors
    /// [`SearchError::Awaiting`] while evaluations are awaited.
    pub fn restart(&mut self, root: G) -> Result<(), SearchError> {
        self.check_none_awaited()?;
        self.arena.clear();
        self.noise_fraction = 0.0;
        // There is room: the limits allow at least one node with all its branches.
        self.root = self.arena.node_of(root, root.hash()).unwrap_or(0);
        Ok(())
    }

    /// Goes on from the state after one of the root's branches, with all that is known of it; everything else
    /// is forgotten, and so is the noise.
    ///
    /// # Errors
    /// [`SearchError`] if the root has no such branch, or evaluations are awaited.
    pub fn advance(&mut self, branch: usize) -> Result<(), SearchError> {
        self.advance_path(&[branch])
    }

    /// Goes on from the state that a way of branches leads to, as [`advance`](Self::advance) does for each of them, but
    /// forgets once what has to be forgotten.
    ///
    /// # Errors
    /// [`SearchError`] if a state on the way has no such branch, or evaluations are awaited. The root is the last state
    /// before that one then.
    pub fn advance_path(&mut self, way: &[usize]) -> Result<(), SearchError> {
        self.check_none_awaited()?;
        let mut at = self.root;
        let mut outcome = Ok(());
        for (index, &branch) in way.iter().enumerate() {
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
                return self.advance_path(&way[index + 1..]);
            }
            at = edge.child;
        }
        if at != self.root {
            self.noise_fraction = 0.0;
            self.root = self.arena.retain_reachable(at);
        }
        outcome
    }

    /// The state at the root.
    pub fn root(&self) -> G {
        self.arena.states[self.root as usize]
    }

    /// How many states the tree holds.
    pub fn nodes(&self) -> usize {
        self.arena.nodes.len()
    }

    /// The simulations that have gone through the root.
    pub fn visits(&self) -> u32 {
        self.arena.nodes[self.root as usize].visits
    }

    /// The mean value of those simulations for the player to move at the root; `None` before the first.
    pub fn value(&self) -> Option<f32> {
        let root = &self.arena.nodes[self.root as usize];
        (root.visits > 0).then(|| root.mean() as f32)
    }

    /// The branches of the root.
    pub fn branches(&self) -> impl ExactSizeIterator<Item = Branch> {
        self.branches_of(self.root)
    }

    /// The state that a way of branches leads to from the root, and its branches, each with the mean value for the
    /// player to move there; `None` where the search has not been.
    pub fn lookup(&self, way: &[usize]) -> Option<(G, impl ExactSizeIterator<Item = Branch>)> {
        let at = way.iter().try_fold(self.root, |at, &branch| {
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

    /// The branch of the root with the most visits, of equals that with the higher value; `None` before the
    /// first.
    pub fn most_visited(&self) -> Option<usize> {
        let tried = self.branches().filter(|branch| branch.visits > 0);
        let order = |a: &Branch, b: &Branch| {
            let [x, y] = [a, b].map(|branch| branch.value.unwrap_or(f32::NEG_INFINITY));
            a.visits.cmp(&b.visits).then(x.total_cmp(&y))
        };
        tried.max_by(order).map(|branch| branch.branch)
    }

    /// A branch of the root drawn with probabilities in proportion to visits^(1 / `temperature`); the most
    /// visited one at 0. `None` before the first visit.
    pub fn sample(&self, temperature: f32, random: &mut Stream) -> Option<usize> {
        let most = self.branches().map(|branch| branch.visits).max().filter(|&most| most > 0)?;
        if temperature <= 0.0 {
            return self.most_visited();
        }
        // As fractions of the greatest, so that no power is too large.
        let weight = |branch: &Branch| (branch.visits as f32 / most as f32).powf(1.0 / temperature);
        let total: f32 = self.branches().map(|branch| weight(&branch)).sum();
        let mut left = random.uniform() * total;
        let mut drawn = None;
        for branch in self.branches().filter(|branch| branch.visits > 0) {
            drawn = Some(branch.branch);
            left -= weight(&branch);
            if left < 0.0 {
                break;
            }
        }
        drawn
    }

    /// Mixes noise into the priors of the root's actions until the root changes: (1 − `fraction`) · prior +
    /// `fraction` · a draw from the Dirichlet distribution of concentration `alpha`.
    ///
    /// # Errors
    /// [`SearchError::OutOfRange`] for a concentration outside 0.001 to 1000 or a fraction outside 0 to 1.
    pub fn add_noise(&mut self, alpha: f32, fraction: f32, random: &mut Stream) -> Result<(), SearchError> {
        OutOfRange::check("alpha", alpha.into(), 1e-3, 1e3)?;
        OutOfRange::check("fraction", fraction.into(), 0.0, 1.0)?;
        self.noise.clear();
        self.noise.resize(self.arena.edges_of(self.root).len(), 0.0);
        dirichlet(alpha, random, &mut self.noise);
        self.noise_fraction = fraction;
        Ok(())
    }

    fn check_none_awaited(&self) -> Result<(), SearchError> {
        match self.under_way as usize {
            0 => Ok(()),
            leaves => Err(SearchError::Awaiting { leaves }),
        }
    }
}

/// A value for the other player, if it is another one.
fn signed(value: f64, other: bool) -> f64 {
    if other { -value } else { value }
}
