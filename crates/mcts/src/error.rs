//! Errors of a search.

use vivarium_envs::OutOfRange;

/// Error of a search. Only [`Tree::advance_path`](crate::Tree::advance_path) may change a search before it returns an
/// error.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// A parameter is out of range or NaN.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The tree does not fit the available memory.
    #[error(
        "a tree of {nodes} nodes and {edges} edges needs {bytes} bytes, which are not available; reduce the simulations"
    )]
    Memory {
        /// Requested number of nodes.
        nodes: usize,
        /// Requested number of edges.
        edges: usize,
        /// Required memory in bytes.
        bytes: u64,
    },
    /// The requested branch does not exist in the state from which the tree should advance.
    #[error("the node has no branch {branch}; its branches are {allowed}")]
    Branch {
        /// Index of the requested branch.
        branch: usize,
        /// List of the existing branches.
        allowed: String,
    },
    /// The root cannot change while evaluations are pending.
    #[error("{leaves} leaf evaluations are pending; back them up before changing the root")]
    Awaiting {
        /// Number of pending evaluations.
        leaves: usize,
    },
}
