//! Policy network of the 3×3×3 cube: its graph with the loss, and inference with its weights.

use super::config::Cube3Config;
use crate::error::LearnerError;
use crate::residual::trunk;
use std::ops::Deref;
use vivarium_envs::cube::{Cube3, Symmetry};
use vivarium_graph::{Graph, GraphError, Initializer, Plan, Value, Workspace};
use vivarium_learn::InferenceNetwork;

/// Graph of the policy network and its loss. Shapes are per minibatch row (sample).
#[derive(Clone, Debug)]
pub struct Cube3NetworkDefinition {
    /// Whether each state is replaced by its representative under the cube's 48 symmetries; see
    /// [`Symmetry::representative`].
    pub symmetries: bool,
    /// The graph. Its inputs are `state` \[[`Cube3::INPUTS`]\], the one-hot encoded state, and `move` \[1\], the
    /// action that undoes its last turn.
    pub graph: Graph,
    /// For each move, the log-probability that the move undoes the last turn \[moves\].
    pub log_probabilities: Value,
    /// Loss: cross-entropy of the move that undoes the last turn \[1\].
    pub loss: Value,
    /// Whether the prediction is correct \[1\]: 1 if no move is more likely than the move that undoes the last turn,
    /// else 0.
    pub correct: Value,
}

impl Cube3NetworkDefinition {
    /// Builds the graph for the width, blocks and turn metric of a config: a first layer with sparse input, residual
    /// blocks with LayerNorm, and a softmax over moves.
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

    /// Compiles the inference plan. The plan computes the log-probability of each move in a state: from inputs
    /// \[[`Cube3::INPUTS`]\] to outputs \[moves\].
    ///
    /// # Errors
    /// [`GraphError`] if a dimension is 0.
    pub fn plans(&self) -> Result<Vec<Plan>, GraphError> {
        Ok(vec![Plan::for_cache(&self.graph, &[self.log_probabilities])?])
    }
}

/// Policy network for inference. Its output is the probability of each move to undo the last turn of the input state.
#[derive(Clone, Debug)]
pub struct Cube3Network {
    symmetries: bool,
    pub(super) network: vivarium_learn::Network,
}

impl Cube3Network {
    /// Creates a network with the graph of `definition` and randomly initialized weights.
    ///
    /// # Errors
    /// [`GraphError`] if a dimension is 0.
    pub fn new(definition: &Cube3NetworkDefinition, seed: u64) -> Result<Self, GraphError> {
        let network = vivarium_learn::Network::forward_only(&definition.graph, definition.plans()?, seed)?;
        Ok(Self { symmetries: definition.symmetries, network })
    }

    /// Returns the network for export. The input is the encoded `state` \[[`Cube3::INPUTS`]\] after
    /// [canonicalization](Self::canonicalize); the output is `log_probabilities` \[moves\].
    ///
    /// # Errors
    /// [`LearnerError::Network`] if the graph cannot be built, which never occurs for a valid network.
    ///
    /// # Panics
    /// If the network was not created with `definition`.
    pub fn inference_network(
        &self,
        definition: &Cube3NetworkDefinition,
    ) -> Result<InferenceNetwork, LearnerError> {
        let outputs = [("log_probabilities", definition.log_probabilities)];
        Ok(InferenceNetwork::new(definition.graph.clone(), &outputs, self.network.parameters(), &[])?)
    }

    /// Returns the number of outputs of the network: one per move of the turn metric.
    pub fn moves(&self) -> usize {
        self.network.plan(0).outputs()[0].size()
    }

    /// Returns whether the network replaces each state by its representative under the cube's 48 symmetries.
    #[cfg(feature = "gpu")]
    pub(super) fn uses_symmetries(&self) -> bool {
        self.symmetries
    }

    /// Returns the state that is encoded as the network's input for `cube`, and the symmetry that maps `cube` to that
    /// state. The network's output for a turn of the input state is the probability of the corresponding turn of
    /// `cube`; [`Symmetry::turn`] maps turns.
    #[inline]
    pub fn canonicalize(&self, cube: &Cube3) -> (Cube3, Symmetry) {
        if self.symmetries { Symmetry::representative(cube) } else { (*cube, Symmetry::default()) }
    }

    /// Computes the log-probabilities of all moves, `[rows, moves]`, on the calling thread. The inputs `[rows,
    /// inputs]` are encoded states after [canonicalization](Self::canonicalize).
    ///
    /// # Panics
    /// If a slice is too short for `rows` rows.
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
