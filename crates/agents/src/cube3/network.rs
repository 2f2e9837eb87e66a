//! The network and its loss, as one graph, and its weights.

use super::config::Cube3Config;
use vivarium_envs::cube::{Cube3, View};
use vivarium_graph::{Graph, GraphError, Initializer, PackedParameters, Parameters, Plan, Value};
use vivarium_kernels::Level;

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
    /// Inputs of the graph: state, and the number of the move that undoes the last turn.
    pub const INPUTS: usize = 2;

    /// The network of a config: a layer of the stickers, whose input is all but 0, and residual blocks with layer norm.
    pub fn new(config: &Cube3Config) -> Self {
        let (width, moves) = (config.width as usize, Cube3::turns(config.metric).len());
        let mut graph = Graph::new();
        let g = &mut graph;
        let state = g.sparse_input("state", &[Cube3::INPUTS]);
        let undo = g.input("move", &[1]);
        let mut trunk = layer(g, "stem", state, width, None);
        for block in 0..config.blocks {
            let middle = layer(g, &format!("block.{block}.0"), trunk, width, None);
            trunk = layer(g, &format!("block.{block}.1"), middle, width, Some(trunk));
        }
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
}

/// relu(norm(x·W + b) + skip).
fn layer(g: &mut Graph, name: &str, x: Value, width: usize, skip: Option<Value>) -> Value {
    let h = g.linear(name, x, width);
    let h = g.layer_norm(&format!("{name}.norm"), h);
    let h = skip.map_or(h, |skip| g.add(h, skip));
    g.relu(h)
}

/// A network that guesses what undoes the last turn: its weights, laid out for products.
#[derive(Clone, Debug)]
pub struct Network {
    symmetries: bool,
    level: Level,
    parameters: Parameters,
    packed: PackedParameters,
    plan: Plan,
}

impl Network {
    /// Freshly initialised, packed for gradients too if it learns.
    ///
    /// # Errors
    /// [`GraphError`] for a size of nothing.
    pub fn new(level: Level, definition: &Definition, seed: u64, learns: bool) -> Result<Self, GraphError> {
        let parameters = Parameters::new(&definition.graph, seed)?;
        let packed = match learns {
            true => PackedParameters::new(level, &parameters),
            false => PackedParameters::forward_only(level, &parameters),
        };
        let plan = Plan::for_cache(&definition.graph, &[definition.log_probabilities])?;
        Ok(Self { symmetries: definition.symmetries, level, parameters, packed, plan })
    }

    /// The SIMD level that the weights are packed for.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Its weights.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Its weights as matrix products want them.
    pub fn packed(&self) -> &PackedParameters {
        &self.packed
    }

    /// What it computes: ln of each move's probability, from states alone.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What the network is shown of a cube, and how that is seen: a guess about a [turn as it is seen](View::turn) is one
    /// about the turn.
    #[inline]
    pub fn show(&self, cube: &Cube3) -> (Cube3, View) {
        if self.symmetries { View::representative(cube) } else { (*cube, View::default()) }
    }

    /// Changes the weights and packs them anew.
    pub fn change(&mut self, change: impl FnOnce(&mut Parameters)) {
        change(&mut self.parameters);
        self.packed.refresh(&self.parameters);
    }
}
