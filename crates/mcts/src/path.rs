//! The ways that simulations have gone.

use crate::arena::NONE;

/// The longest way down from the root. Whatever lies deeper is not distinguished.
pub(crate) const MAX_DEPTH: usize = 256;

/// A way from the root to a leaf: the edges taken and the nodes that they belong to.
pub(crate) struct SearchPath {
    pub steps: Vec<(u32, u32)>,
    pub leaf: u32,
    pub taken: bool,
}

impl SearchPath {
    /// Room for the longest.
    pub fn new() -> Self {
        Self { steps: Vec::with_capacity(MAX_DEPTH), leaf: NONE, taken: false }
    }
}
