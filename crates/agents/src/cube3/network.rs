//! The network and its loss, as one graph, and its weights.

use super::config::Cube3Config;
use crate::residual::trunk;
use std::ops::Deref;
use vivarium_envs::cube::{Cube3, View};
use vivarium_graph::{Graph, GraphError, Initializer, Plan, Value, Workspace};

/// What can be computed, as values of one graph. Its inputs come in the order of the fields.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Whether it sees one of the states that look alike for all of them: [`View::representative`].
    pub symmetries: bool,
    /// The graph, with the inputs `state` \[[`Cube3::INPUTS`]\] and `move` \[1\].
    pub graph: Graph,
    /// ln of the probability that each move undoes the last turn \[moves\].
    pub log_probabilities: Value,
    /// Cross-entropy of the move that does, \[1\].
    pub loss: Value,
    /// 1 where that move is among the likeliest \[1\].
    pub right: Value,
}

impl Definition {
    /// The network of a config: a layer of the stickers, whose input is all but 0, and residual blocks with layer norm.
    pub fn new(config: &Cube3Config) -> Self {
        let (width, moves) = (config.width as usize, Cube3::turns(config.metric).len());
        let mut graph = Graph::new();
        let g = &mut graph;
        let state = g.sparse_input("state", &[Cube3::INPUTS]);
        let undo = g.input("move", &[1]);
        let trunk = trunk(g, state, width, config.blocks as usize);
        // Whoever knows nothing yet finds all moves alike.
        let logits = g.linear_with("moves", trunk, moves, Initializer::Orthogonal { gain: 0.01 });
        let log_probabilities = g.log_softmax(logits);
        let picked = g.gather(log_probabilities, undo);
        let loss = g.neg(picked);
        let likelier = g.less(picked, log_probabilities);
        let likelier = g.sum(likelier);
        let half = g.constant(0.5);
        let right = g.less(likelier, half);
        Self { symmetries: config.symmetries, graph, log_probabilities, loss, right }
    }

    /// The plans of a network: ln of each move's probability \[moves\], from states alone.
    ///
    /// # Errors
    /// [`GraphError`] for a size of nothing.
    pub fn plans(&self) -> Result<Vec<Plan>, GraphError> {
        Ok(vec![Plan::for_cache(&self.graph, &[self.log_probabilities])?])
    }
}

/// A network that guesses what undoes the last turn.
#[derive(Clone, Debug)]
pub struct Network {
    symmetries: bool,
    pub(super) network: vivarium_learn::Network,
}

impl Network {
    /// A network that does not learn, freshly initialized.
    ///
    /// # Errors
    /// [`GraphError`] for a size of nothing.
    pub fn new(definition: &Definition, seed: u64) -> Result<Self, GraphError> {
        let network = vivarium_learn::Network::forward_only(&definition.graph, definition.plans()?, seed)?;
        Ok(Self { symmetries: definition.symmetries, network })
    }

    /// The number of moves that it distinguishes.
    pub fn moves(&self) -> usize {
        self.network.plan(0).outputs()[0].size()
    }

    /// Whether it sees one of the states that look alike for all of them.
    #[cfg(feature = "gpu")]
    pub(super) fn sees_symmetries(&self) -> bool {
        self.symmetries
    }

    /// What the network is shown of a cube, and how that is seen: a guess about a [turn as it is seen](View::turn) is one
    /// about the turn.
    #[inline]
    pub fn show(&self, cube: &Cube3) -> (Cube3, View) {
        if self.symmetries { View::representative(cube) } else { (*cube, View::default()) }
    }

    /// The logarithms `[rows, moves]` of the probabilities that each move undoes the last turn, of cubes as they are
    /// [shown](Self::show), encoded `[rows, inputs]`; on the calling thread.
    ///
    /// # Panics
    /// If a slice is too short.
    pub fn guess(&self, workspace: &mut Workspace, rows: usize, states: &[f32], guesses: &mut [f32]) {
        self.network.evaluate_here(self.network.plan(0), workspace, rows, &[states], &mut [guesses]);
    }
}

impl Deref for Network {
    type Target = vivarium_learn::Network;

    fn deref(&self) -> &vivarium_learn::Network {
        &self.network
    }
}
