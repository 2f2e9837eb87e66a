//! Simulations: selection, expansion and backup.

use crate::arena::{Edge, GOLDEN_STEP, NONE, NodeType};
use crate::config::Puct;
use crate::game::{Game, GameStatus};
use crate::path::{MAX_DEPTH, SearchPath};
use crate::tree::Tree;
use vivarium_kernels::Level;
use vivarium_kernels::math::exp_in_place;
use vivarium_kernels::prefetch::prefetch;

/// A leaf whose evaluation is pending.
#[derive(Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Index of the search path that leads from the root to the leaf.
    path: usize,
}

/// Result of the selection phase of a simulation.
#[derive(Debug, PartialEq, Eq)]
pub enum SelectionResult {
    /// A leaf to evaluate. The caller passes the leaf with its evaluation to [`Tree::backup`].
    Leaf(Leaf),
    /// A terminal state; the simulation is complete.
    Complete,
    /// No leaf was selected: the evaluation of the selected node is already pending, or the maximum number of leaves is
    /// pending. The visit counts do not include this simulation.
    Awaiting,
    /// No node can be added, because the tree has reached its limits. The visit counts do not include this simulation.
    /// Earlier results remain valid, and the search can continue after the root changes.
    Full,
}

/// A simulation in its selection phase.
pub(crate) struct Descent<G> {
    path: usize,
    stage: DescentStage<G>,
}

/// Next stage of a descent (the selection phase of one simulation). Each stage prefetches the memory that the following
/// stage reads; interleaved descents therefore do not wait for memory.
enum DescentStage<G> {
    /// Visits the node with this index: ends the descent if the node is a leaf or a terminal state.
    Visit(u32),
    /// Selects an edge of the node with this index.
    Select(u32),
    /// Finds or adds the child node of an edge that is traversed for the first time.
    Expand { from: u32, edge: u32, state: G, hash: u64 },
}

impl<G: Game> Tree<G> {
    /// Runs the selection phase of one simulation: descends from the root, adds virtual losses, and adds the first
    /// state that has no node yet.
    pub fn select(&mut self) -> SelectionResult {
        let Some(mut descent) = self.descend() else { return SelectionResult::Awaiting };
        loop {
            if let Some(selection) = self.step(&mut descent) {
                return selection;
            }
        }
    }

    /// Starts the selection phase of a simulation. Returns `None` if the maximum number of leaves is pending. The
    /// caller calls [`step`](Self::step) until the descent ends, before another descent in this tree starts.
    pub(crate) fn descend(&mut self) -> Option<Descent<G>> {
        let path = self.paths.iter().position(|path| !path.in_use)?;
        self.paths[path].steps.clear();
        prefetch(&self.arena.nodes, self.root as usize);
        Some(Descent { path, stage: DescentStage::Visit(self.root) })
    }

    /// Advances a descent by one stage. Returns the result at the end of the descent, `None` before the end.
    #[inline]
    pub(crate) fn step(&mut self, descent: &mut Descent<G>) -> Option<SelectionResult> {
        match descent.stage {
            DescentStage::Visit(at) => {
                if let Some(selection) = self.visit(descent.path, at) {
                    return Some(selection);
                }
                let edges = self.arena.nodes[at as usize].range();
                prefetch(&self.arena.states, at as usize);
                edges.step_by(4).for_each(|edge| prefetch(&self.arena.edges, edge));
                descent.stage = DescentStage::Select(at);
            }
            DescentStage::Select(from) => {
                let edge = match self.arena.nodes[from as usize].next {
                    NodeType::Chance => self.next_outcome(from),
                    NodeType::Decision | NodeType::Nothing => self.best_action(from),
                };
                let Edge { child, branch, .. } = self.arena.edges[edge as usize];
                if child == NONE {
                    let state = self.arena.states[from as usize].after(branch.into());
                    let hash = state.hash();
                    self.arena.prefetch_slot(hash);
                    descent.stage = DescentStage::Expand { from, edge, state, hash };
                } else {
                    descent.stage = self.traverse(descent.path, from, edge, child);
                }
            }
            DescentStage::Expand { from, edge, state, hash } => {
                let Some(child) = self.arena.node_of(state, hash) else {
                    self.abandon(descent.path);
                    return Some(SelectionResult::Full);
                };
                self.arena.edges[edge as usize].child = child;
                descent.stage = self.traverse(descent.path, from, edge, child);
            }
        }
        None
    }

    /// Appends an edge to the path, adds the virtual loss of the edge, and returns the next stage: the visit of the
    /// child.
    fn traverse(&mut self, path: usize, from: u32, edge: u32, child: u32) -> DescentStage<G> {
        prefetch(&self.arena.nodes, child as usize);
        self.arena.edges[edge as usize].pending += 1;
        self.paths[path].steps.push((from, edge));
        DescentStage::Visit(child)
    }

    /// Visits node `at`: ends the descent and returns its result if the node is a leaf or terminal; returns `None` if
    /// the descent continues.
    fn visit(&mut self, path: usize, at: u32) -> Option<SelectionResult> {
        let node = &mut self.arena.nodes[at as usize];
        if node.next == NodeType::Nothing {
            let value = match self.arena.states[at as usize].status() {
                GameStatus::Over(value) => f64::from(value),
                GameStatus::Decision | GameStatus::Chance => 0.0,
            };
            self.propagate(path, at, value);
            return Some(SelectionResult::Complete);
        }
        if node.pending {
            self.abandon(path);
            return Some(SelectionResult::Awaiting);
        }
        if !node.evaluated && node.has_choice() {
            node.pending = true;
            self.paths[path].leaf = at;
            self.paths[path].in_use = true;
            self.in_flight += 1;
            return Some(SelectionResult::Leaf(Leaf { path }));
        }
        if self.paths[path].steps.len() == MAX_DEPTH {
            // Maximum depth: back up the mean value.
            let value = node.mean();
            self.propagate(path, at, value);
            return Some(SelectionResult::Complete);
        }
        None
    }

    /// Returns the game state of a leaf whose evaluation is pending.
    pub fn state(&self, leaf: &Leaf) -> G {
        self.arena.states[self.paths[leaf.path].leaf as usize]
    }

    /// Returns the legal actions of a leaf; none at a chance node.
    pub fn actions(&self, leaf: &Leaf) -> impl Iterator<Item = usize> {
        let at = self.paths[leaf.path].leaf;
        let decides = self.arena.nodes[at as usize].next == NodeType::Decision;
        let edges = if decides { self.arena.edges_of(at) } else { &[] };
        edges.iter().map(|edge| edge.branch.into())
    }

    /// Backs up the evaluation of a leaf: one logit for each of its [`actions`](Self::actions), and the value for the
    /// player to move. Overwrites `logits`.
    pub fn backup(&mut self, level: Level, leaf: Leaf, logits: &mut [f32], value: f32) {
        let at = self.paths[leaf.path].leaf;
        let node = &mut self.arena.nodes[at as usize];
        node.pending = false;
        node.evaluated = true;
        if node.next == NodeType::Decision {
            set_priors(level, &mut self.arena.edges[node.range()], logits);
        }
        self.propagate(leaf.path, at, f64::from(value));
    }

    /// Prefetches the memory that [`backup`](Self::backup) changes.
    pub(crate) fn prefetch_path(&self, leaf: &Leaf) {
        let SearchPath { steps, leaf, .. } = &self.paths[leaf.path];
        for &(node, edge) in steps {
            prefetch(&self.arena.nodes, node as usize);
            prefetch(&self.arena.means, node as usize);
            prefetch(&self.arena.edges, edge as usize);
        }
        let range = self.arena.nodes[*leaf as usize].range();
        range.step_by(4).for_each(|edge| prefetch(&self.arena.edges, edge));
    }

    /// Returns the index of the edge with the highest PUCT score at a decision node; see [`Puct`].
    fn best_action(&self, at: u32) -> u32 {
        let node = &self.arena.nodes[at as usize];
        let edges = &self.arena.edges[node.range()];
        // Without pending leaves there is no virtual loss.
        let pending: u32 =
            if self.in_flight == 0 { 0 } else { edges.iter().map(|edge| u32::from(edge.pending)).sum() };
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
            // Branch-free: the value is computed for every edge, and discarded for an unvisited one (0/0).
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

    /// Samples an outcome of a chance node, and returns the index of its edge.
    ///
    /// Outcomes are sampled by a low-discrepancy sequence: the unit interval is divided in proportion to the
    /// probabilities, and samples advance by the golden ratio. After any number of samples the frequencies are close to
    /// the probabilities. The sequence starts at a hash of the state; therefore the first samples of different nodes
    /// differ.
    fn next_outcome(&mut self, at: u32) -> u32 {
        let node = &mut self.arena.nodes[at as usize];
        let mut remaining = (node.draw >> 8) as f32 / 16_777_216.0;
        node.draw = node.draw.wrapping_add(GOLDEN_STEP);
        let edges = &self.arena.edges[node.range()];
        let drawn = edges.iter().position(|edge| {
            remaining -= edge.prior;
            remaining < 0.0
        });
        node.first_edge + drawn.unwrap_or(edges.len() - 1) as u32
    }

    /// Completes a simulation: adds one visit and the leaf's `value` to each node on the path, and removes the virtual
    /// losses. `value` is from the view of the player to move at the leaf.
    fn propagate(&mut self, path: usize, leaf: u32, value: f64) {
        let arena = &mut self.arena;
        // From the view of player 0, so that the sign is constant along the path.
        let value = arena.nodes[leaf as usize].sign() * value;
        let mut count = |at: u32| {
            let node = &mut arena.nodes[at as usize];
            node.visits += 1;
            node.value_sum += node.sign() * value;
            arena.means[at as usize] = (node.sign() * node.mean() / f64::from(G::MAX_VALUE)) as f32;
        };
        count(leaf);
        for &(node, edge) in self.paths[path].steps.iter().rev() {
            let edge = &mut arena.edges[edge as usize];
            edge.pending -= 1;
            edge.visits += 1;
            count(node);
        }
        self.release(path);
    }

    /// Marks a search path as unused, so that a later simulation can use its memory.
    fn release(&mut self, path: usize) {
        if std::mem::take(&mut self.paths[path].in_use) {
            self.in_flight -= 1;
        }
    }

    /// Discards the descent whose edges are on the search path `path`, and removes the virtual losses of these edges.
    fn abandon(&mut self, path: usize) {
        for &(_, edge) in &self.paths[path].steps {
            self.arena.edges[edge as usize].pending -= 1;
        }
    }
}

/// Sets the priors of a node's edges to the softmax of `logits`, one logit for each edge.
fn set_priors(level: Level, edges: &mut [Edge], logits: &mut [f32]) {
    let greatest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit -= greatest);
    exp_in_place(level, logits);
    let scale = 1.0 / logits.iter().sum::<f32>();
    edges.iter_mut().zip(logits).for_each(|(edge, power)| edge.prior = scale * *power);
}
