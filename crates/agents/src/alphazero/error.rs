//! Why a learner could not go on or could not be made.

use crate::players::PlayerError;
use vivarium_config::ConfigError;
use vivarium_graph::{GraphError, TensorError};
use vivarium_mcts::SearchError;

/// Why a learner could not go on or could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AlphaZeroError {
    /// A field of the config is not acceptable.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The network cannot be built.
    #[error(transparent)]
    Network(#[from] GraphError),
    /// A search was refused.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A match cannot go on.
    #[error(transparent)]
    Match(#[from] PlayerError),
    /// A state is not one of this learner.
    #[error(transparent)]
    State(#[from] TensorError),
    /// Training diverged. The weights are those before the gradient step that would have spoilt them.
    #[error("{what} is {value} after {updates} updates; it must be a finite number")]
    NotFinite {
        /// The loss or the gradient.
        what: &'static str,
        /// What it became.
        value: f64,
        /// Optimiser steps so far.
        updates: u64,
    },
}
