//! Simplified circuits (without unused, constant and redundant gates) for display, sandbox, tests and export.

use std::sync::atomic::{AtomicU32, Ordering};
use vivarium_logic_ca::hard::{Boards, Circuit, CircuitError, CompiledCircuit};
use vivarium_logic_ca::{LogicCa, gate};

/// Version number for the next simplified circuit.
static VERSIONS: AtomicU32 = AtomicU32::new(1);

/// Hard circuit (each gate computes its most probable function) without unused, constant and redundant gates. Has a
/// version number and, for each gate, the trained gate from which the gate was derived.
#[derive(Clone, Debug)]
pub(crate) struct SimplifiedCircuit {
    /// Version number, below 2²⁴ because it is sent as an `f32`. Circuits of a process have different versions.
    pub(crate) version: u32,
    pub(crate) circuit: Circuit,
    /// Index of the trained gate from which each gate was derived, `[gate]`; `None` for a circuit from a file.
    pub(crate) trained_gates: Option<Vec<u32>>,
    /// Number of gates of the circuit before simplification.
    pub(crate) original_gates: usize,
}

impl SimplifiedCircuit {
    /// Simplifies a circuit that was read from a file.
    pub(crate) fn from_file(circuit: &Circuit) -> Self {
        Self {
            version: next_version(),
            circuit: circuit.simplified(),
            trained_gates: None,
            original_gates: circuit.gates().len(),
        }
    }

    /// Simplifies the hard circuit of a learner, in which each gate computes its most probable function. These
    /// functions are `functions`, `[gate]`.
    ///
    /// # Errors
    /// [`CircuitError`] if the circuit has too many gates.
    pub(crate) fn from_learner(learner: &LogicCa, functions: &[u8]) -> Result<Self, CircuitError> {
        let architecture = learner.architecture();
        let whole = Circuit::from_functions(architecture, learner.wiring(), functions)?;
        let (circuit, origins) = whole.simplified_with_origins();
        let trained = Circuit::trained_gate_indices(architecture);
        Ok(Self {
            version: next_version(),
            circuit,
            trained_gates: Some(origins.iter().map(|&gate| trained[gate as usize]).collect()),
            original_gates: whole.gates().len(),
        })
    }

    /// Compiles the circuit for fast automaton steps of whole boards.
    pub(crate) fn compile(&self) -> CompiledCircuit {
        CompiledCircuit::new(&self.circuit)
    }

    /// Returns the value (0 or 1) of every wire, `[wire]`, when the circuit evaluates the neighborhood of the cell with
    /// index `lane` on the first board.
    pub(crate) fn signals(&self, boards: &Boards, lane: usize) -> Vec<u8> {
        let grid = boards.grid();
        let mut wires = Vec::with_capacity(self.circuit.inputs() + self.circuit.gates().len());
        for channel in 0..self.circuit.channels() {
            let bit = |place| grid.neighbor(lane, place).is_some_and(|cell| boards.get(channel, cell));
            wires.extend((0..9).map(|place| u8::from(bit(place))));
        }
        for gate in self.circuit.gates() {
            let on = |wire: u32| wires[wire as usize] == 1;
            wires.push(u8::from(gate::value(gate.function, on(gate.a), on(gate.b))));
        }
        wires
    }
}

fn next_version() -> u32 {
    VERSIONS.fetch_add(1, Ordering::Relaxed) % (1 << 24)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_graph::Cpu;
    use vivarium_logic_ca::hard::life;
    use vivarium_logic_ca::{Border, Grid};

    #[test]
    fn signals_match_the_next_step() {
        let simplified = SimplifiedCircuit::from_file(&life::circuit());
        let inputs = simplified.circuit.inputs();
        let grid = Grid { boards: 1, height: 5, width: 6, border: Border::Periodic };
        let mut boards = Boards::new(grid, 1).unwrap();
        for lane in [7, 8, 9, 14, 20, 29] {
            boards.set(0, lane, true);
        }
        let before = boards.clone();
        simplified.compile().step(&Cpu::new(1), &mut boards, None, 0);
        let mut life_target = 0;
        for lane in 0..grid.lanes() {
            let signals = simplified.signals(&before, lane);
            assert_eq!(signals.len(), inputs + simplified.circuit.gates().len());
            assert_eq!(signals[4] == 1, before.get(0, lane));
            let next = signals[simplified.circuit.outputs()[0] as usize] == 1;
            assert_eq!(next, boards.get(0, lane), "lane {lane}");
            life_target += u32::from(next);
        }
        assert!(life_target > 2);
    }
}
