//! Why a search refuses a request.

use vivarium_envs::OutOfRange;

/// A refused request; the search is as it was before.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// A value outside what is allowed, or not a number.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A tree larger than there is memory for.
    #[error("a tree of {nodes} nodes and {edges} edges takes {bytes} bytes, more than there is memory for")]
    Memory {
        /// The nodes that it should hold.
        nodes: usize,
        /// The edges that it should hold.
        edges: usize,
        /// How much memory that is.
        bytes: u64,
    },
    /// A branch that the root does not have.
    #[error("the root has no branch {branch}; it has {allowed}")]
    Branch {
        /// The branch that was asked for.
        branch: usize,
        /// Those that there are.
        allowed: String,
    },
    /// A change of the root while evaluations are awaited.
    #[error("{leaves} leaves await their evaluation; hand them back before the root changes")]
    Awaiting {
        /// How many.
        leaves: usize,
    },
}
