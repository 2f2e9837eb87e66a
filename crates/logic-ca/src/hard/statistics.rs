//! What a circuit is made of.

use super::circuit::Circuit;
use crate::gate::FUNCTIONS;

/// Counts of gates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// All gates.
    pub gates: usize,
    /// Gates that an output depends on.
    pub live: usize,
    /// Bits of the neighborhood that an output depends on.
    pub live_inputs: usize,
    /// How many gates have each of the sixteen functions.
    pub functions: [usize; FUNCTIONS],
    /// The same of live gates alone.
    pub live_functions: [usize; FUNCTIONS],
    /// Gates by depth: those of entry 0 read inputs alone or nothing, those of entry i a gate of entry i − 1.
    pub by_depth: Vec<usize>,
    /// The same of live gates alone.
    pub live_by_depth: Vec<usize>,
}

impl Circuit {
    /// Counts the gates.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let inputs = self.inputs();
        let live = self.live();
        let mut depths = vec![0; inputs];
        let mut statistics = Statistics {
            gates: self.gates().len(),
            live: live[inputs..].iter().filter(|&&live| live).count(),
            live_inputs: live[..inputs].iter().filter(|&&live| live).count(),
            functions: [0; FUNCTIONS],
            live_functions: [0; FUNCTIONS],
            by_depth: Vec::new(),
            live_by_depth: Vec::new(),
        };
        for (gate, live) in self.gates().iter().zip(&live[inputs..]) {
            let depth = gate.reads().map(|value| depths[value as usize]).max().unwrap_or(0);
            depths.push(depth + 1);
            let function = usize::from(gate.function);
            statistics.functions[function] += 1;
            count(&mut statistics.by_depth, depth);
            if *live {
                statistics.live_functions[function] += 1;
                count(&mut statistics.live_by_depth, depth);
            }
        }
        statistics
    }
}

impl Statistics {
    /// The most gates between an input and an output.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.live_by_depth.len()
    }
}

/// One more of entry `depth`.
fn count(by_depth: &mut Vec<usize>, depth: usize) {
    by_depth.resize(by_depth.len().max(depth + 1), 0);
    by_depth[depth] += 1;
}
