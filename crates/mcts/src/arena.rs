//! The states of a tree and their branches, in arrays of a fixed size.

use crate::config::TreeLimits;
use crate::error::SearchError;
use crate::game::{Game, GameStatus};
use std::ops::Range;
use vivarium_kernels::prefetch::prefetch;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// The golden ratio's part after the point, in steps of 2⁻⁶⁴.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// The same in steps of 2⁻³²: how far the draws of a chance node are apart.
pub(crate) const GOLDEN_STEP: u32 = (GOLDEN >> 32) as u32;

/// What comes after a state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Decision,
    Chance,
    Nothing,
}

/// What is known of a state, and where its branches are: all that a simulation on its way asks of it. Two share a cache
/// line.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    /// The sum of its simulations' values for the player to move.
    pub value_sum: f64,
    /// Simulations that have ended here or gone on from here.
    pub visits: u32,
    /// Its edges lie side by side; those of a later node come after.
    pub first_edge: u32,
    pub edges: u32,
    /// Of a chance node: where in the unit interval, in steps of 2⁻³², the next outcome is drawn.
    pub draw: u32,
    pub next: NodeKind,
    /// Whose values these are.
    pub player: u8,
    /// Its value is known, and the priors of its actions if it is a decision.
    pub evaluated: bool,
    /// Its evaluation is awaited.
    pub awaited: bool,
}

impl Node {
    /// Where its edges are among all.
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.first_edge as usize..(self.first_edge + self.edges) as usize
    }

    /// Different things can come next.
    #[inline]
    pub fn has_choice(&self) -> bool {
        self.edges > 1
    }

    /// Its mean value; 0 before the first visit.
    #[inline]
    pub fn mean(&self) -> f64 {
        self.value_sum / f64::from(self.visits.max(1))
    }

    /// 1 where values are those of player 0, −1 where they are those of player 1.
    #[inline]
    pub fn sign(&self) -> f64 {
        if self.player == 0 { 1.0 } else { -1.0 }
    }
}

/// A branch of a state. Four share a cache line.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    /// The node that it leads to, or [`NONE`] yet.
    pub child: u32,
    /// The prior of an action, the probability of an outcome.
    pub prior: f32,
    /// Simulations that have gone this way.
    pub visits: u32,
    pub branch: u16,
    /// Simulations that are under way here.
    pub pending: u16,
}

/// A place in the table of nodes.
#[derive(Clone, Copy)]
struct TableSlot {
    /// The node's number, or [`NONE`].
    node: u32,
    /// The upper bits of its state's hash, which tell it from most others without a look at it.
    tag: u32,
}

impl TableSlot {
    const EMPTY: Self = Self { node: NONE, tag: 0 };
}

/// Nodes and edges, and a table of nodes by the hash of their state: a state that is reached in two ways is
/// one node.
pub(crate) struct NodeArena<G: Game> {
    pub nodes: Vec<Node>,
    /// The state of each node: asked for once, when another state comes of it.
    pub states: Vec<G>,
    /// The mean value of each node as a fraction of the game's greatest, seen by player 0: side by side and ready to be
    /// compared, for that is what a search does most. Of a node that was never visited it says nothing.
    pub means: Vec<f32>,
    pub edges: Vec<Edge>,
    /// Open addressing with linear probing, at most half full.
    table: Vec<TableSlot>,
    limits: TreeLimits,
    scratch: G::Scratch,
    /// Where each node goes when the arena is compacted, and the nodes that are still to be looked at.
    moved: Vec<u32>,
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

    /// The memory that an arena of these limits takes.
    pub fn bytes(limits: TreeLimits) -> u64 {
        let [nodes, edges] = [limits.nodes, limits.edges].map(|limit| limit as u64);
        // Each node also has a mean, a number in two lists, and two places in the table or up to four.
        let of_node = (size_of::<Node>() + size_of::<G>()) as u64 + 12;
        let table = size_of::<TableSlot>() as u64 * (2 * nodes).next_power_of_two();
        nodes * of_node + edges * size_of::<Edge>() as u64 + table
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.states.clear();
        self.means.clear();
        self.edges.clear();
        self.table.fill(TableSlot::EMPTY);
    }

    /// The node of a state with this hash, which is added if there is none; `None` when there is no room for it.
    pub fn node_of(&mut self, state: G, hash: u64) -> Option<u32> {
        let slot = match self.find(&state, hash) {
            Ok(node) => return Some(node),
            Err(slot) => slot,
        };
        let first = self.edges.len();
        let room = self.limits.edges - first;
        if self.nodes.len() == self.limits.nodes || room == 0 {
            return None;
        }
        let next = match state.status() {
            GameStatus::Decision => NodeKind::Decision,
            GameStatus::Chance => NodeKind::Chance,
            GameStatus::Over(_) => NodeKind::Nothing,
        };
        let mut wanted = 0;
        if next != NodeKind::Nothing {
            state.branches(&mut self.scratch, |branch, prior| {
                wanted += 1;
                if wanted <= room {
                    let branch = branch as u16;
                    self.edges.push(Edge { child: NONE, prior, visits: 0, branch, pending: 0 });
                }
            });
        }
        if wanted > room {
            self.edges.truncate(first);
            return None;
        }
        if wanted == 1 {
            // What has to come needs no evaluation.
            self.edges[first].prior = 1.0;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node {
            value_sum: 0.0,
            visits: 0,
            first_edge: first as u32,
            edges: wanted as u32,
            draw: (hash.wrapping_mul(GOLDEN) >> 32) as u32,
            next,
            player: state.player(),
            evaluated: false,
            awaited: false,
        });
        self.states.push(state);
        self.means.push(0.0);
        self.table[slot] = TableSlot { node, tag: tag(hash) };
        Some(node)
    }

    /// The edges of a node.
    pub fn edges_of(&self, node: u32) -> &[Edge] {
        &self.edges[self.nodes[node as usize].range()]
    }

    /// Has the place of a state in the table fetched, for [`node_of`](Self::node_of) to come.
    #[inline]
    pub fn expect(&self, hash: u64) {
        prefetch(&self.table, hash as usize & (self.table.len() - 1));
    }

    /// Forgets all that cannot be reached from a node, and returns that node's new number. No evaluation may
    /// be awaited.
    pub fn retain_reachable(&mut self, root: u32) -> u32 {
        self.moved.clear();
        self.moved.resize(self.nodes.len(), NONE);
        // Marks what can be reached. A node is put on the stack once.
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
        // Moves nodes and their edges down, both in their order, so that nothing is overwritten before it has
        // moved.
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

    /// The node of a state with this hash, or the place in the table where it would be.
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

/// The bits of a hash that do not choose the place.
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}
