//! Search paths: the edges of a simulation from the root to its leaf.

use crate::arena::NONE;

/// Maximum length of a search path in edges. A node at this depth that needs no evaluation selects no edge; its mean
/// value is backed up.
pub(crate) const MAX_DEPTH: usize = 256;

/// A path from the root to a leaf: the index of each node, with the index of the selected edge.
pub(crate) struct SearchPath {
    pub steps: Vec<(u32, u32)>,
    pub leaf: u32,
    pub in_use: bool,
}

impl SearchPath {
    /// Allocates memory for a search path of [`MAX_DEPTH`] edges.
    pub fn new() -> Self {
        Self { steps: Vec::with_capacity(MAX_DEPTH), leaf: NONE, in_use: false }
    }
}
