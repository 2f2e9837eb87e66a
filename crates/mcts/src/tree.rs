//! One search.

use crate::arena::{Arena, Edge, NONE, Node};
use crate::config::{Limits, Puct};
use crate::error::SearchError;
use crate::game::{Game, Status};
use crate::noise::dirichlet;
use vivarium_kernels::rng::Stream;

/// The longest way down from the root. Whatever lies deeper is not told apart.
const DEEPEST: usize = 256;

/// A leaf that awaits its evaluation.
#[derive(Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Which of the ways under way leads to it.
    way: usize,
}

/// What became of a simulation.
#[derive(Debug, PartialEq, Eq)]
pub enum Selection {
    /// It came to a state that has to be evaluated: hand it back by [`Tree::evaluated`].
    Leaf(Leaf),
    /// It came to a state whose value is known, and is complete.
    Complete,
    /// It came to a leaf whose evaluation is awaited already, or too many are; it does not count.
    Awaiting,
    /// There is no room for the state that it came to; it does not count. The search can go on no further
    /// until its root changes; what it found so far holds.
    Full,
}

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

/// A way from the root to a leaf: the edges taken and the nodes that they belong to.
struct Way {
    steps: Vec<(u32, u32)>,
    leaf: u32,
    taken: bool,
}

/// A search of one game, from one state on.
pub struct Tree<G: Game> {
    arena: Arena<G>,
    root: u32,
    puct: Puct,
    ways: Vec<Way>,
    /// How many of them are taken.
    under_way: u32,
    /// How much of the root's priors is noise, and the noise for each of its edges.
    noise_fraction: f32,
    noise: Vec<f32>,
    /// Simulations that a batch has still to make here.
    pub(crate) left: u32,
}

impl<G: Game> Tree<G> {
    /// A search from a state on. All its memory is taken here.
    ///
    /// # Errors
    /// [`SearchError`] if a value is not allowed or the memory is not to be had.
    pub fn new(root: G, puct: Puct, limits: Limits) -> Result<Self, SearchError> {
        let puct = puct.checked()?;
        let arena = Arena::new(limits)?;
        let way = |_| Way { steps: Vec::with_capacity(DEEPEST), leaf: NONE, taken: false };
        let mut tree = Self {
            arena,
            root: NONE,
            puct,
            ways: (0..limits.leaves).map(way).collect(),
            under_way: 0,
            noise_fraction: 0.0,
            noise: Vec::with_capacity(G::MOST_BRANCHES),
            left: 0,
        };
        tree.restart(root)?;
        Ok(tree)
    }

    /// The bytes of memory that a search of these limits takes, most of all for its states and branches.
    /// Where memory is lent out before it is there, as on Linux, ask this before making a large one.
    pub fn bytes(limits: Limits) -> u64 {
        let of_way = (DEEPEST * size_of::<(u32, u32)>() + size_of::<Way>()) as u64;
        Arena::<G>::bytes(limits) + limits.leaves as u64 * of_way
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
        self.root = self.arena.node_of(root).unwrap_or(0);
        Ok(())
    }

    /// Goes on from the state after one of the root's branches, with all that is known of it; everything else
    /// is forgotten, and so is the noise.
    ///
    /// # Errors
    /// [`SearchError`] if the root has no such branch, or evaluations are awaited.
    pub fn advance(&mut self, branch: usize) -> Result<(), SearchError> {
        self.check_none_awaited()?;
        let edges = self.arena.edges_of(self.root);
        let Some(edge) = edges.iter().find(|edge| edge.branch as usize == branch) else {
            let names: Vec<_> = edges.iter().map(|edge| edge.branch.to_string()).collect();
            let allowed = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(SearchError::Branch { branch, allowed });
        };
        self.noise_fraction = 0.0;
        if edge.child == NONE {
            return self.restart(self.root().after(branch));
        }
        self.root = self.arena.keep(edge.child);
        Ok(())
    }

    /// The state at the root.
    pub fn root(&self) -> G {
        self.arena.nodes[self.root as usize].state
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
        (root.visits > 0).then(|| mean(root) as f32)
    }

    /// The branches of the root.
    pub fn branches(&self) -> impl ExactSizeIterator<Item = Branch> {
        self.branches_of(self.root)
    }

    /// The state that a way of branches leads to from the root, and its branches, each with the mean value for the
    /// player to move there; `None` where the search has not been.
    pub fn look(&self, way: &[usize]) -> Option<(G, impl ExactSizeIterator<Item = Branch>)> {
        let at = way.iter().try_fold(self.root, |at, &branch| {
            let edge = self.arena.edges_of(at).iter().find(|edge| edge.branch as usize == branch)?;
            (edge.child != NONE).then_some(edge.child)
        })?;
        Some((self.arena.nodes[at as usize].state, self.branches_of(at)))
    }

    fn branches_of(&self, at: u32) -> impl ExactSizeIterator<Item = Branch> {
        let player = self.arena.nodes[at as usize].state.player();
        self.arena.edges_of(at).iter().map(move |edge| Branch {
            branch: edge.branch as usize,
            prior: edge.prior,
            visits: edge.visits,
            value: (edge.visits > 0).then(|| {
                let child = &self.arena.nodes[edge.child as usize];
                signed(mean(child), child.state.player() != player) as f32
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
    pub fn draw(&self, temperature: f32, random: &mut Stream) -> Option<usize> {
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
        for (field, value, low, high) in [("alpha", alpha, 1e-3, 1e3), ("fraction", fraction, 0.0, 1.0)] {
            if !(low..=high).contains(&value) {
                let [value, low, high] = [value, low, high].map(f64::from);
                return Err(SearchError::OutOfRange { field, value, low, high });
            }
        }
        self.noise.clear();
        self.noise.resize(self.arena.edges_of(self.root).len(), 0.0);
        dirichlet(alpha, random, &mut self.noise);
        self.noise_fraction = fraction;
        Ok(())
    }

    /// Follows one simulation down to a state that is not known yet.
    pub fn select(&mut self) -> Selection {
        let Some(index) = self.ways.iter().position(|way| !way.taken) else { return Selection::Awaiting };
        self.ways[index].steps.clear();
        let mut at = self.root;
        loop {
            let node = &self.arena.nodes[at as usize];
            let edge = match node.status {
                Status::Over(value) => {
                    self.back_up(index, at, f64::from(value));
                    return Selection::Complete;
                }
                _ if node.awaited => {
                    self.abandon(index);
                    return Selection::Awaiting;
                }
                _ if !node.evaluated && node.has_choice() => {
                    self.arena.nodes[at as usize].awaited = true;
                    self.ways[index].leaf = at;
                    self.ways[index].taken = true;
                    self.under_way += 1;
                    return Selection::Leaf(Leaf { way: index });
                }
                // So deep that what is known has to do.
                _ if self.ways[index].steps.len() == DEEPEST => {
                    let value = if node.visits > 0 { mean(node) } else { 0.0 };
                    self.back_up(index, at, value);
                    return Selection::Complete;
                }
                Status::Decision => self.best_action(at),
                Status::Chance => self.next_outcome(at),
            };
            let child = match self.arena.edges[edge as usize].child {
                NONE => {
                    let state = self.arena.nodes[at as usize].state;
                    let next = state.after(self.arena.edges[edge as usize].branch as usize);
                    let Some(child) = self.arena.node_of(next) else {
                        self.abandon(index);
                        return Selection::Full;
                    };
                    self.arena.edges[edge as usize].child = child;
                    child
                }
                child => child,
            };
            self.arena.edges[edge as usize].pending += 1;
            self.ways[index].steps.push((at, edge));
            at = child;
        }
    }

    /// The state of a leaf.
    pub fn state(&self, leaf: &Leaf) -> G {
        self.arena.nodes[self.ways[leaf.way].leaf as usize].state
    }

    /// The legal actions of a leaf; none where chance decides.
    pub fn actions(&self, leaf: &Leaf) -> impl Iterator<Item = usize> {
        let at = self.ways[leaf.way].leaf;
        let decides = self.arena.nodes[at as usize].status == Status::Decision;
        let edges = if decides { self.arena.edges_of(at) } else { &[] };
        edges.iter().map(|edge| edge.branch as usize)
    }

    /// Hands back a leaf with its evaluation: a logit for each of its [`actions`](Self::actions), and the
    /// value for the player to move.
    pub fn evaluated(&mut self, leaf: Leaf, logits: &[f32], value: f32) {
        let at = self.ways[leaf.way].leaf;
        let node = &mut self.arena.nodes[at as usize];
        node.awaited = false;
        node.evaluated = true;
        if node.status == Status::Decision {
            let edges = node.first_edge as usize..(node.first_edge + node.edges) as usize;
            set_priors(&mut self.arena.edges[edges], logits);
        }
        self.back_up(leaf.way, at, f64::from(value));
    }

    /// The edge of the action to try next.
    fn best_action(&self, at: u32) -> u32 {
        let node = &self.arena.nodes[at as usize];
        let edges = self.arena.edges_of(at);
        // Nothing is pending as long as one way alone is followed at a time.
        let pending: u32 = if self.under_way == 0 { 0 } else { edges.iter().map(|edge| edge.pending).sum() };
        let visits = (node.visits + pending) as f32;
        let Puct { exploration, growth, untried, virtual_loss } = self.puct;
        let weight = (exploration + ((visits + growth + 1.0) / growth).ln()) * visits.sqrt();
        let sign = if node.state.player() == 0 { 1.0 } else { -1.0 };
        let untried = sign * self.arena.means[at as usize] - untried;
        let noise = if at == self.root { self.noise_fraction } else { 0.0 };
        let (mut best, mut best_score) = (0, f32::NEG_INFINITY);
        for (index, edge) in edges.iter().enumerate() {
            let mut prior = edge.prior;
            if noise > 0.0 {
                prior = (1.0 - noise) * prior + noise * self.noise[index];
            }
            let tried = edge.visits + edge.pending;
            let score = if tried == 0 {
                untried + weight * prior
            } else {
                // A visited edge has a child that was visited.
                let known = match edge.visits {
                    0 => 0.0,
                    visits => sign * self.arena.means[edge.child as usize] * visits as f32,
                };
                let value = (known - virtual_loss * edge.pending as f32) / tried as f32;
                value + weight * prior / (1 + tried) as f32
            };
            if score > best_score {
                (best, best_score) = (index as u32, score);
            }
        }
        node.first_edge + best
    }

    /// The edge of the outcome to follow next.
    ///
    /// The outcomes share out the unit interval by their probabilities, and the draws go through it in steps
    /// of the golden ratio: after any number of them each outcome has come up very nearly in its proportion.
    /// They start at a place that the state's hash decides, so that the first draws of many chance nodes are
    /// not all alike.
    fn next_outcome(&mut self, at: u32) -> u32 {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let node = &mut self.arena.nodes[at as usize];
        let place =
            node.state.hash().wrapping_mul(GOLDEN).wrapping_add(u64::from(node.drawn).wrapping_mul(GOLDEN));
        node.drawn = node.drawn.wrapping_add(1);
        let mut left = (place >> 40) as f32 / 16_777_216.0;
        let first = node.first_edge;
        let edges = self.arena.edges_of(at);
        let last = edges.len() - 1;
        let drawn = edges.iter().position(|edge| {
            left -= edge.prior;
            left < 0.0
        });
        first + drawn.unwrap_or(last) as u32
    }

    /// Counts a complete simulation: the value of its last node, for the player to move there, on all of its
    /// way.
    fn back_up(&mut self, way: usize, leaf: u32, value: f64) {
        let Arena { nodes, means, edges, .. } = &mut self.arena;
        // Of player 0, so that it changes no sign on the way up.
        let value = if nodes[leaf as usize].state.player() == 0 { value } else { -value };
        let mut count = |at: u32| {
            let node = &mut nodes[at as usize];
            let sign = if node.state.player() == 0 { 1.0 } else { -1.0 };
            node.visits += 1;
            node.value_sum += sign * value;
            means[at as usize] = (sign * mean(node) / f64::from(G::MOST_VALUE)) as f32;
        };
        count(leaf);
        for &(node, edge) in self.ways[way].steps.iter().rev() {
            let edge = &mut edges[edge as usize];
            edge.pending -= 1;
            edge.visits += 1;
            count(node);
        }
        self.release(way);
    }

    /// A way is free again.
    fn release(&mut self, way: usize) {
        if std::mem::take(&mut self.ways[way].taken) {
            self.under_way -= 1;
        }
    }

    /// Undoes a simulation that came to nothing.
    fn abandon(&mut self, way: usize) {
        for &(_, edge) in &self.ways[way].steps {
            self.arena.edges[edge as usize].pending -= 1;
        }
    }

    fn check_none_awaited(&self) -> Result<(), SearchError> {
        match self.under_way as usize {
            0 => Ok(()),
            leaves => Err(SearchError::Awaiting { leaves }),
        }
    }
}

/// Makes the softmax of their logits the priors of actions.
fn set_priors(edges: &mut [Edge], logits: &[f32]) {
    let greatest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for (edge, logit) in edges.iter_mut().zip(logits) {
        edge.prior = (logit - greatest).exp();
        sum += edge.prior;
    }
    edges.iter_mut().for_each(|edge| edge.prior /= sum);
}

/// The mean value of a node that was visited; 0 before.
fn mean<G>(node: &Node<G>) -> f64 {
    node.value_sum / f64::from(node.visits.max(1))
}

/// A value for the other player, if it is another one.
fn signed(value: f64, other: bool) -> f64 {
    if other { -value } else { value }
}
