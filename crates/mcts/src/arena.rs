//! Node and edge storage of a search tree, in arrays of fixed capacity, with a transposition table.

use crate::config::TreeLimits;
use crate::error::SearchError;
use crate::game::{Game, GameStatus};
use std::ops::Range;
use vivarium_kernels::prefetch::prefetch;

/// Node index that stands for "no node".
pub(crate) const NONE: u32 = u32::MAX;

/// Fractional part of the golden ratio, in units of 2⁻⁶⁴. Multiplicative hashing (Knuth) with this number yields the
/// first sample of a chance node.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// Fractional part of the golden ratio in units of 2⁻³²: the distance between successive samples of a chance node.
pub(crate) const GOLDEN_STEP: u32 = (GOLDEN >> 32) as u32;

/// Kind of a node: decision node, chance node or terminal node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeType {
    Decision,
    Chance,
    Nothing,
}

/// A node of the search tree, with the fields that action selection reads. Two nodes share a cache line.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    /// Sum of the simulation values W(s), from the view of the player to move.
    pub value_sum: f64,
    /// Number of simulations through this node, N(s).
    pub visits: u32,
    /// Arena index of the node's first edge. The edges of a node are contiguous and precede the edges of all later
    /// nodes.
    pub first_edge: u32,
    pub edges: u32,
    /// At a chance node: the number in the unit interval, in units of 2⁻³², that selects the next sampled outcome.
    pub draw: u32,
    pub next: NodeType,
    /// The player to move, 0 or 1; values are from this player's view.
    pub player: u8,
    /// Whether the node has been evaluated. Its value and (at a decision node) its priors are then set.
    pub evaluated: bool,
    /// Whether an evaluation of the node is pending.
    pub pending: bool,
}

impl Node {
    /// Returns the range of the node's edges in the arena's edge array.
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.first_edge as usize..(self.first_edge + self.edges) as usize
    }

    /// Returns whether the node has several branches (a forced move has one).
    #[inline]
    pub fn has_choice(&self) -> bool {
        self.edges > 1
    }

    /// Returns the mean value of the node for its player to move, or 0 before the first visit.
    #[inline]
    pub fn mean(&self) -> f64 {
        self.value_sum / f64::from(self.visits.max(1))
    }

    /// Returns 1 if player 0 is to move, −1 otherwise: the factor that converts a value between the views of player 0
    /// and of the player to move.
    #[inline]
    pub fn sign(&self) -> f64 {
        if self.player == 0 { 1.0 } else { -1.0 }
    }
}

/// An edge: a branch of a node. Four edges share a cache line.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    /// Arena index of the child node; [`NONE`] until the child is expanded.
    pub child: u32,
    /// Prior P(s, a) of an action, or probability of a chance outcome.
    pub prior: f32,
    /// Number of completed simulations through this edge, N(s, a).
    pub visits: u32,
    pub branch: u16,
    /// Number of simulations in progress through this edge (for virtual loss).
    pub pending: u16,
}

/// A slot of the transposition table; holds the node of one state.
#[derive(Clone, Copy)]
struct TableSlot {
    /// Arena index of the state's node; [`NONE`] if the slot is empty.
    node: u32,
    /// Upper bits of the state's hash. A lookup compares these bits first, and compares two states only if the bits are
    /// equal.
    tag: u32,
}

impl TableSlot {
    const EMPTY: Self = Self { node: NONE, tag: 0 };
}

/// Nodes and edges, with a transposition table: states that several paths reach share one node.
pub(crate) struct NodeArena<G: Game> {
    pub nodes: Vec<Node>,
    /// Game state of each node, in an array of its own because action selection does not read the states of expanded
    /// children.
    pub states: Vec<G>,
    /// Mean value of each node divided by [`Game::MAX_VALUE`], from the view of player 0. Contiguous, because action
    /// selection reads the means most. Unspecified for unvisited nodes.
    pub means: Vec<f32>,
    pub edges: Vec<Edge>,
    /// Transposition table: a hash table from states to nodes with linear probing, at most half full.
    table: Vec<TableSlot>,
    limits: TreeLimits,
    scratch: G::Scratch,
    /// Working memory of [`retain_reachable`](Self::retain_reachable): the new index of each node.
    moved: Vec<u32>,
    /// Working memory of [`retain_reachable`](Self::retain_reachable): stack of the depth-first search.
    stack: Vec<u32>,
}

impl<G: Game> NodeArena<G> {
    pub fn new(limits: TreeLimits) -> Result<Self, SearchError> {
        let limits = limits.checked(G::MAX_BRANCHES)?;
        let table_len = (2 * limits.nodes).next_power_of_two();
        let mut arena = Self {
            nodes: Vec::new(),
            states: Vec::new(),
            means: Vec::new(),
            edges: Vec::new(),
            table: Vec::new(),
            limits,
            scratch: G::Scratch::default(),
            moved: Vec::new(),
            stack: Vec::new(),
        };
        let reserved = [
            arena.nodes.try_reserve_exact(limits.nodes),
            arena.states.try_reserve_exact(limits.nodes),
            arena.means.try_reserve_exact(limits.nodes),
            arena.edges.try_reserve_exact(limits.edges),
            arena.table.try_reserve_exact(table_len),
            arena.moved.try_reserve_exact(limits.nodes),
            arena.stack.try_reserve_exact(limits.nodes),
        ];
        if reserved.iter().any(Result::is_err) {
            let bytes = Self::bytes(limits);
            return Err(SearchError::Memory { nodes: limits.nodes, edges: limits.edges, bytes });
        }
        arena.table.resize(table_len, TableSlot::EMPTY);
        Ok(arena)
    }

    /// Returns the memory use, in bytes, of a tree with the capacity `limits`.
    pub fn bytes(limits: TreeLimits) -> u64 {
        let [nodes, edges] = [limits.nodes, limits.edges].map(|limit| limit as u64);
        // Each node also has a mean, an entry in two work lists, and two to four table slots.
        let of_node = (size_of::<Node>() + size_of::<G>()) as u64 + 12;
        let table = size_of::<TableSlot>() as u64 * (2 * nodes).next_power_of_two();
        nodes * of_node + edges * size_of::<Edge>() as u64 + table
    }

    /// Removes all nodes and edges; keeps the allocated memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.states.clear();
        self.means.clear();
        self.edges.clear();
        self.table.fill(TableSlot::EMPTY);
    }

    /// Returns the arena index of the node of `state`; `hash` is the hash of the state. Adds a node if the state has
    /// none. Returns `None` if the arena is full.
    pub fn node_of(&mut self, state: G, hash: u64) -> Option<u32> {
        let slot = match self.find(&state, hash) {
            Ok(node) => return Some(node),
            Err(slot) => slot,
        };
        let first = self.edges.len();
        let free_edges = self.limits.edges - first;
        if self.nodes.len() == self.limits.nodes || free_edges == 0 {
            return None;
        }
        let next = match state.status() {
            GameStatus::Decision => NodeType::Decision,
            GameStatus::Chance => NodeType::Chance,
            GameStatus::Over(_) => NodeType::Nothing,
        };
        let mut count = 0;
        if next != NodeType::Nothing {
            state.branches(&mut self.scratch, |branch, prior| {
                count += 1;
                if count <= free_edges {
                    let branch = branch as u16;
                    self.edges.push(Edge { child: NONE, prior, visits: 0, branch, pending: 0 });
                }
            });
        }
        if count > free_edges {
            self.edges.truncate(first);
            return None;
        }
        if count == 1 {
            // A forced move needs no evaluation.
            self.edges[first].prior = 1.0;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node {
            value_sum: 0.0,
            visits: 0,
            first_edge: first as u32,
            edges: count as u32,
            draw: (hash.wrapping_mul(GOLDEN) >> 32) as u32,
            next,
            player: state.player(),
            evaluated: false,
            pending: false,
        });
        self.states.push(state);
        self.means.push(0.0);
        self.table[slot] = TableSlot { node, tag: tag(hash) };
        Some(node)
    }

    /// Returns the edges of a node.
    pub fn edges_of(&self, node: u32) -> &[Edge] {
        &self.edges[self.nodes[node as usize].range()]
    }

    /// Prefetches the transposition-table slot of a state with hash `hash` into the CPU cache, for a later
    /// [`node_of`](Self::node_of).
    #[inline]
    pub fn prefetch_slot(&self, hash: u64) {
        prefetch(&self.table, hash as usize & (self.table.len() - 1));
    }

    /// Removes all nodes that are not reachable from `root`, compacts the arena, and returns the new index of `root`.
    /// No evaluation may be pending.
    pub fn retain_reachable(&mut self, root: u32) -> u32 {
        self.moved.clear();
        self.moved.resize(self.nodes.len(), NONE);
        // Mark the reachable nodes; each is pushed once.
        self.moved[root as usize] = 0;
        self.stack.clear();
        self.stack.push(root);
        while let Some(node) = self.stack.pop() {
            for edge in &self.edges[self.nodes[node as usize].range()] {
                if edge.child != NONE && self.moved[edge.child as usize] == NONE {
                    self.moved[edge.child as usize] = 0;
                    self.stack.push(edge.child);
                }
            }
        }
        // Move nodes and edges down in index order, so that nothing is overwritten before it is moved.
        let (mut kept, mut kept_edges) = (0, 0);
        for old in 0..self.nodes.len() {
            if self.moved[old] == NONE {
                continue;
            }
            self.moved[old] = kept as u32;
            let mut node = self.nodes[old];
            self.edges.copy_within(node.range(), kept_edges);
            node.first_edge = kept_edges as u32;
            kept_edges += node.edges as usize;
            self.nodes[kept] = node;
            self.states[kept] = self.states[old];
            self.means[kept] = self.means[old];
            kept += 1;
        }
        self.nodes.truncate(kept);
        self.states.truncate(kept);
        self.means.truncate(kept);
        self.edges.truncate(kept_edges);
        for edge in &mut self.edges {
            if edge.child != NONE {
                edge.child = self.moved[edge.child as usize];
            }
        }
        self.table.fill(TableSlot::EMPTY);
        for node in 0..kept {
            let hash = self.states[node].hash();
            if let Err(slot) = self.find(&self.states[node], hash) {
                self.table[slot] = TableSlot { node: node as u32, tag: tag(hash) };
            }
        }
        self.moved[root as usize]
    }

    /// Returns the arena index of the node of `state`; `hash` is the hash of the state. If the state has no node, the
    /// error is the index of the table slot for a new node.
    fn find(&self, state: &G, hash: u64) -> Result<u32, usize> {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.table[slot] {
                TableSlot { node: NONE, .. } => return Err(slot),
                found if found.tag == tag(hash) && self.states[found.node as usize] == *state => {
                    return Ok(found.node);
                }
                _ => slot = (slot + 1) & mask,
            }
        }
    }
}

/// Returns the upper bits of a hash, which do not determine the table slot.
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}
