//! A hard circuit that is ready to run.

use std::sync::atomic::{AtomicU32, Ordering};
use vivarium_logic_ca::hard::{Boards, Circuit, CircuitError, CompiledCircuit};
use vivarium_logic_ca::{LogicCa, gate};

/// Every circuit gets a number of its own, whoever makes it.
static VERSIONS: AtomicU32 = AtomicU32::new(1);

/// A circuit without anything superfluous, and where it comes from.
#[derive(Clone, Debug)]
pub(crate) struct SimplifiedCircuit {
    /// Tells it from all others. As it is sent as an `f32`, it stays below 2²⁴.
    pub(crate) version: u32,
    pub(crate) circuit: Circuit,
    /// For every gate the one that learns it; `None` in a circuit that was opened from a file.
    pub(crate) learned: Option<Vec<u32>>,
    /// Gates before the superfluous ones were left out.
    pub(crate) whole: usize,
}

impl SimplifiedCircuit {
    /// A circuit from a file.
    pub(crate) fn opened(circuit: &Circuit) -> Self {
        Self {
            version: next_version(),
            circuit: circuit.simplified(),
            learned: None,
            whole: circuit.gates().len(),
        }
    }

    /// What the learner's gates are when each is the function that weighs most.
    ///
    /// # Errors
    /// [`CircuitError`] if there are more gates than a circuit can number.
    pub(crate) fn learned(learner: &LogicCa, functions: &[u8]) -> Result<Self, CircuitError> {
        let architecture = learner.architecture();
        let whole = Circuit::from_functions(architecture, learner.wiring(), functions)?;
        let (circuit, origins) = whole.simplified_with_origins();
        let learned = Circuit::trained_gate_indices(architecture);
        Ok(Self {
            version: next_version(),
            circuit,
            learned: Some(origins.iter().map(|&gate| learned[gate as usize]).collect()),
            whole: whole.gates().len(),
        })
    }

    /// The circuit compiled.
    pub(crate) fn code(&self) -> CompiledCircuit {
        CompiledCircuit::new(&self.circuit)
    }

    /// The value of every wire, 0 or 1, for a cell of the first board.
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
    fn signals_are_what_the_next_step_makes_of_them() {
        let running = SimplifiedCircuit::opened(&life::circuit());
        let inputs = running.circuit.inputs();
        let grid = Grid { boards: 1, height: 5, width: 6, border: Border::Periodic };
        let mut boards = Boards::new(grid, 1).unwrap();
        for lane in [7, 8, 9, 14, 20, 29] {
            boards.set(0, lane, true);
        }
        let before = boards.clone();
        running.code().step(&Cpu::new(1), &mut boards, None, 0);
        let mut living = 0;
        for lane in 0..grid.lanes() {
            let signals = running.signals(&before, lane);
            assert_eq!(signals.len(), inputs + running.circuit.gates().len());
            assert_eq!(signals[4] == 1, before.get(0, lane));
            let next = signals[running.circuit.outputs()[0] as usize] == 1;
            assert_eq!(next, boards.get(0, lane), "lane {lane}");
            living += u32::from(next);
        }
        assert!(living > 2);
    }
}
