//! Simulations: down to a state that is not known yet, and back up with its value.

use crate::arena::{Edge, GOLDEN_STEP, NONE, NodeKind};
use crate::config::Puct;
use crate::game::{Game, GameStatus};
use crate::tree::Tree;
use crate::path::{MAX_DEPTH, SearchPath};
use vivarium_kernels::math::exp_in_place;
use vivarium_kernels::prefetch::prefetch;
use vivarium_kernels::simd;

/// A leaf that awaits its evaluation.
#[derive(Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Which of the ways under way leads to it.
    way: usize,
}

/// What became of a simulation.
#[derive(Debug, PartialEq, Eq)]
pub enum SelectionResult {
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

/// A simulation on its way down.
pub(crate) struct Descent<G> {
    way: usize,
    stage: DescentStage<G>,
}

/// What a descent does next. Each stage asks for the memory that the next one reads, so that many descents in turn wait
/// for none of it.
enum DescentStage<G> {
    /// Sees whether this node is where it ends.
    Look(u32),
    /// Chooses an edge of this node.
    Choose(u32),
    /// Finds the node of a state that this node's edge leads to for the first time.
    Enter { from: u32, edge: u32, state: G, hash: u64 },
}

impl<G: Game> Tree<G> {
    /// Follows one simulation down to a state that is not known yet.
    pub fn select(&mut self) -> SelectionResult {
        let Some(mut descent) = self.descend() else { return SelectionResult::Awaiting };
        loop {
            if let Some(selection) = self.step(&mut descent) {
                return selection;
            }
        }
    }

    /// Begins a simulation, unless too many leaves are awaited. [`step`](Self::step) takes it down; another one may begin
    /// when it has arrived.
    pub(crate) fn descend(&mut self) -> Option<Descent<G>> {
        let way = self.ways.iter().position(|way| !way.taken)?;
        self.ways[way].steps.clear();
        prefetch(&self.arena.nodes, self.root as usize);
        Some(Descent { way, stage: DescentStage::Look(self.root) })
    }

    /// Takes a simulation a stage further, and returns what became of it when it has arrived.
    #[inline]
    pub(crate) fn step(&mut self, descent: &mut Descent<G>) -> Option<SelectionResult> {
        match descent.stage {
            DescentStage::Look(at) => {
                if let Some(selection) = self.arrive(descent.way, at) {
                    return Some(selection);
                }
                let edges = self.arena.nodes[at as usize].range();
                prefetch(&self.arena.states, at as usize);
                edges.step_by(4).for_each(|edge| prefetch(&self.arena.edges, edge));
                descent.stage = DescentStage::Choose(at);
            }
            DescentStage::Choose(from) => {
                let edge = match self.arena.nodes[from as usize].next {
                    NodeKind::Chance => self.next_outcome(from),
                    NodeKind::Decision | NodeKind::Nothing => self.best_action(from),
                };
                let Edge { child, branch, .. } = self.arena.edges[edge as usize];
                if child == NONE {
                    let state = self.arena.states[from as usize].after(branch.into());
                    let hash = state.hash();
                    self.arena.expect(hash);
                    descent.stage = DescentStage::Enter { from, edge, state, hash };
                } else {
                    descent.stage = self.go(descent.way, from, edge, child);
                }
            }
            DescentStage::Enter { from, edge, state, hash } => {
                let Some(child) = self.arena.node_of(state, hash) else {
                    self.abandon(descent.way);
                    return Some(SelectionResult::Full);
                };
                self.arena.edges[edge as usize].child = child;
                descent.stage = self.go(descent.way, from, edge, child);
            }
        }
        None
    }

    /// Goes along an edge.
    fn go(&mut self, way: usize, from: u32, edge: u32, child: u32) -> DescentStage<G> {
        prefetch(&self.arena.nodes, child as usize);
        self.arena.edges[edge as usize].pending += 1;
        self.ways[way].steps.push((from, edge));
        DescentStage::Look(child)
    }

    /// What becomes of a simulation that has come to this node; `None` where it goes on.
    fn arrive(&mut self, way: usize, at: u32) -> Option<SelectionResult> {
        let node = &mut self.arena.nodes[at as usize];
        if node.next == NodeKind::Nothing {
            let value = match self.arena.states[at as usize].status() {
                GameStatus::Over(value) => f64::from(value),
                GameStatus::Decision | GameStatus::Chance => 0.0,
            };
            self.back_up(way, at, value);
            return Some(SelectionResult::Complete);
        }
        if node.awaited {
            self.abandon(way);
            return Some(SelectionResult::Awaiting);
        }
        if !node.evaluated && node.has_choice() {
            node.awaited = true;
            self.ways[way].leaf = at;
            self.ways[way].taken = true;
            self.under_way += 1;
            return Some(SelectionResult::Leaf(Leaf { way }));
        }
        if self.ways[way].steps.len() == MAX_DEPTH {
            // So deep that what is known has to do.
            let value = node.mean();
            self.back_up(way, at, value);
            return Some(SelectionResult::Complete);
        }
        None
    }

    /// The state of a leaf.
    pub fn state(&self, leaf: &Leaf) -> G {
        self.arena.states[self.ways[leaf.way].leaf as usize]
    }

    /// The legal actions of a leaf; none where chance decides.
    pub fn actions(&self, leaf: &Leaf) -> impl Iterator<Item = usize> {
        let at = self.ways[leaf.way].leaf;
        let decides = self.arena.nodes[at as usize].next == NodeKind::Decision;
        let edges = if decides { self.arena.edges_of(at) } else { &[] };
        edges.iter().map(|edge| edge.branch.into())
    }

    /// Hands back a leaf with its evaluation: a logit for each of its [`actions`](Self::actions), and the
    /// value for the player to move. The logits are room to work in from then on.
    pub fn evaluated(&mut self, leaf: Leaf, logits: &mut [f32], value: f32) {
        let at = self.ways[leaf.way].leaf;
        let node = &mut self.arena.nodes[at as usize];
        node.awaited = false;
        node.evaluated = true;
        if node.next == NodeKind::Decision {
            set_priors(&mut self.arena.edges[node.range()], logits);
        }
        self.back_up(leaf.way, at, f64::from(value));
    }

    /// Asks for the memory that handing back a leaf changes.
    pub(crate) fn expect(&self, leaf: &Leaf) {
        let SearchPath { steps, leaf, .. } = &self.ways[leaf.way];
        for &(node, edge) in steps {
            prefetch(&self.arena.nodes, node as usize);
            prefetch(&self.arena.means, node as usize);
            prefetch(&self.arena.edges, edge as usize);
        }
        let range = self.arena.nodes[*leaf as usize].range();
        range.step_by(4).for_each(|edge| prefetch(&self.arena.edges, edge));
    }

    /// The edge of the action to try next.
    fn best_action(&self, at: u32) -> u32 {
        let node = &self.arena.nodes[at as usize];
        let edges = &self.arena.edges[node.range()];
        // Nothing is pending as long as one way alone is followed at a time.
        let pending: u32 =
            if self.under_way == 0 { 0 } else { edges.iter().map(|edge| u32::from(edge.pending)).sum() };
        let visits = (node.visits + pending) as f32;
        let Puct { c_init, c_base, fpu_reduction, virtual_loss } = self.puct;
        let weight = (c_init + ((visits + c_base + 1.0) / c_base).ln()) * visits.sqrt();
        let sign = node.sign() as f32;
        let untried = sign * self.arena.means[at as usize] - fpu_reduction;
        let noise = if at == self.root { self.noise_fraction } else { 0.0 };
        let (mut best, mut best_score) = (0, f32::NEG_INFINITY);
        for (index, edge) in edges.iter().enumerate() {
            let mut prior = edge.prior;
            if noise > 0.0 {
                prior = (1.0 - noise) * prior + noise * self.noise[index];
            }
            let pending = u32::from(edge.pending);
            let tried = edge.visits + pending;
            // A visited edge has a child that was visited. Which edges were tried cannot be foreseen: so a value is worked out
            // for each, and of an untried one, 0/0, thrown away.
            let child = if edge.visits == 0 { at } else { edge.child };
            let known = sign * self.arena.means[child as usize] * edge.visits as f32;
            let value = (known - virtual_loss * pending as f32) / tried as f32;
            let value = if tried == 0 { untried } else { value };
            let score = value + weight * prior / (1 + tried) as f32;
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
        let node = &mut self.arena.nodes[at as usize];
        let mut left = (node.draw >> 8) as f32 / 16_777_216.0;
        node.draw = node.draw.wrapping_add(GOLDEN_STEP);
        let edges = &self.arena.edges[node.range()];
        let drawn = edges.iter().position(|edge| {
            left -= edge.prior;
            left < 0.0
        });
        node.first_edge + drawn.unwrap_or(edges.len() - 1) as u32
    }

    /// Counts a complete simulation: the value of its last node, for the player to move there, on all of its
    /// way.
    fn back_up(&mut self, way: usize, leaf: u32, value: f64) {
        let arena = &mut self.arena;
        // Of player 0, so that it changes no sign on the way up.
        let value = arena.nodes[leaf as usize].sign() * value;
        let mut count = |at: u32| {
            let node = &mut arena.nodes[at as usize];
            node.visits += 1;
            node.value_sum += node.sign() * value;
            arena.means[at as usize] = (node.sign() * node.mean() / f64::from(G::MAX_VALUE)) as f32;
        };
        count(leaf);
        for &(node, edge) in self.ways[way].steps.iter().rev() {
            let edge = &mut arena.edges[edge as usize];
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
}

/// Makes the softmax of their logits the priors of actions.
fn set_priors(edges: &mut [Edge], logits: &mut [f32]) {
    let greatest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit -= greatest);
    exp_in_place(simd::level(), logits);
    let scale = 1.0 / logits.iter().sum::<f32>();
    edges.iter_mut().zip(logits).for_each(|(edge, power)| edge.prior = scale * *power);
}
