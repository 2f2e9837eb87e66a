//! Statistics of the gates of a circuit: numbers of gates by function and depth.

use super::circuit::Circuit;
use crate::gate::FUNCTIONS;

/// Gate counts of a circuit. A gate is *live* if an output depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CircuitStatistics {
    /// Number of gates of the circuit.
    pub gates: usize,
    /// Number of live gates: gates on which an output of the circuit depends.
    pub live: usize,
    /// Number of circuit inputs that an output of the circuit depends on.
    pub live_inputs: usize,
    /// Number of gates with each function, `[function number]`.
    pub functions: [usize; FUNCTIONS],
    /// Number of live gates (gates on which an output depends) with each function, `[function number]`.
    pub live_functions: [usize; FUNCTIONS],
    /// Number of gates at each depth, `[depth]`. The depth of a gate is 0 if no gate is among its inputs, else one more
    /// than the depth of its deepest input gate.
    pub by_depth: Vec<usize>,
    /// Number of live gates (gates on which an output depends) at each depth, `[depth]`.
    pub live_by_depth: Vec<usize>,
}

impl Circuit {
    /// Counts the gates of the circuit by function and depth.
    #[must_use]
    pub fn statistics(&self) -> CircuitStatistics {
        let inputs = self.inputs();
        let live = self.live();
        let mut depths = vec![0; inputs];
        let mut statistics = CircuitStatistics {
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

impl CircuitStatistics {
    /// Returns the logic depth of the circuit: the maximum number of gates on a path from an input to an output.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.live_by_depth.len()
    }
}

/// Increments the entry `depth` of `by_depth`, the numbers of gates at each depth. Extends the list if necessary.
fn count(by_depth: &mut Vec<usize>, depth: usize) {
    by_depth.resize(by_depth.len().max(depth + 1), 0);
    by_depth[depth] += 1;
}
