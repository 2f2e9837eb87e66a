//! The policy network: graph of network and loss, and inference with its weights.

use super::config::Cube3Config;
use crate::residual::trunk;
use std::ops::Deref;
use vivarium_envs::cube::{Cube3, Symmetry};
use vivarium_graph::{Graph, GraphError, Initializer, Plan, Value, Workspace};

/// Graph of the network and its loss.
#[derive(Clone, Debug)]
pub struct Cube3NetworkDefinition {
    /// Whether states are mapped to their representatives under the cube's symmetries; see
    /// [`Symmetry::representative`].
    pub symmetries: bool,
    /// Graph with the inputs `state` \[[`Cube3::INPUTS`]\] and `move` \[1\].
    pub graph: Graph,
    /// Log-probability that each move undoes the last turn, \[moves\].
    pub log_probabilities: Value,
    /// Cross-entropy of the move that undoes the last turn, \[1\].
    pub loss: Value,
    /// 1 if the move that undoes the last turn is the most likely one or one of several equally likely, otherwise 0,
    /// \[1\].
    pub correct: Value,
}

impl Cube3NetworkDefinition {
    /// Builds the graph: a first layer with sparse input, residual blocks with LayerNorm, and a softmax over moves.
    pub fn new(config: &Cube3Config) -> Self {
        let (width, moves) = (config.width as usize, Cube3::turns(config.metric).len());
        let mut graph = Graph::new();
        let g = &mut graph;
        let state = g.sparse_input("state", &[Cube3::INPUTS]);
        let undo = g.input("move", &[1]);
        let trunk = trunk(g, state, width, config.blocks as usize);
        // A small initial gain makes the initial distribution nearly uniform.
        let logits = g.linear_with("moves", trunk, moves, Initializer::Orthogonal { gain: 0.01 });
        let log_probabilities = g.log_softmax(logits);
        let picked = g.gather(log_probabilities, undo);
        let loss = g.neg(picked);
        let likelier = g.less(picked, log_probabilities);
        let likelier = g.sum(likelier);
        let half = g.constant(0.5);
        let correct = g.less(likelier, half);
        Self { symmetries: config.symmetries, graph, log_probabilities, loss, correct }
    }

    /// Compiles the inference plan: from states to log-probabilities \[moves\].
    ///
    /// # Errors
    /// [`GraphError`] if a dimension is 0.
    pub fn plans(&self) -> Result<Vec<Plan>, GraphError> {
        Ok(vec![Plan::for_cache(&self.graph, &[self.log_probabilities])?])
    }
}

/// Policy network: the distribution of the move that undoes the last turn.
#[derive(Clone, Debug)]
pub struct Cube3Network {
    symmetries: bool,
    pub(super) network: vivarium_learn::Network,
}

impl Cube3Network {
    /// Creates a randomly initialized network for inference.
    ///
    /// # Errors
    /// [`GraphError`] if a dimension is 0.
    pub fn new(definition: &Cube3NetworkDefinition, seed: u64) -> Result<Self, GraphError> {
        let network = vivarium_learn::Network::forward_only(&definition.graph, definition.plans()?, seed)?;
        Ok(Self { symmetries: definition.symmetries, network })
    }

    /// Returns the number of network outputs: one per move of the turn metric.
    pub fn moves(&self) -> usize {
        self.network.plan(0).outputs()[0].size()
    }

    /// Returns whether states are mapped to their representatives under the cube's symmetries.
    #[cfg(feature = "gpu")]
    pub(super) fn uses_symmetries(&self) -> bool {
        self.symmetries
    }

    /// Returns the symmetric equivalent of `cube` that is the network's input, and the symmetry that maps `cube` to
    /// that input. The network's output for a turn of the input is the probability of the corresponding turn of
    /// `cube`; [`Symmetry::turn`] maps turns.
    #[inline]
    pub fn canonicalize(&self, cube: &Cube3) -> (Cube3, Symmetry) {
        if self.symmetries { Symmetry::representative(cube) } else { (*cube, Symmetry::default()) }
    }

    /// Computes the log-probabilities `[rows, moves]` of [canonicalized](Self::canonicalize), encoded states `[rows,
    /// inputs]` on the calling thread.
    ///
    /// # Panics
    /// If a slice is too short.
    pub fn log_probabilities(
        &self,
        workspace: &mut Workspace,
        rows: usize,
        states: &[f32],
        log_probabilities: &mut [f32],
    ) {
        self.network.evaluate_single_threaded(
            self.network.plan(0),
            workspace,
            rows,
            &[states],
            &mut [log_probabilities],
        );
    }
}

impl Deref for Cube3Network {
    type Target = vivarium_learn::Network;

    fn deref(&self) -> &vivarium_learn::Network {
        &self.network
    }
}
