//! Netlist of a cell, reduced to the gates that affect the target channels.

use crate::circuit::{Architecture, NEIGHBORHOOD};
use crate::gate::{PASS_A, PASS_B};
use crate::hard::{Circuit, Gate};
use crate::layered_circuit::LayeredCircuit;

/// Netlist of all gates that one cell evaluates: wires, without functions.
#[derive(Debug)]
pub struct Netlist {
    /// Circuit with the wires of all gates; the functions are placeholders.
    circuit: Circuit,
    /// Index of the trained gate from which each gate of `circuit` was created, in [gate order](crate::circuit). All
    /// channels share the gates of the perceive kernels (small circuits over the 3×3 neighborhood), so an index can
    /// occur several times.
    trained: Vec<u32>,
}

/// Sequence of operations that computes the next state of the *relevant* channels: the target channels (compared with
/// the target), and all channels that influence the target channels over several automaton steps. Pass-through gates
/// are eliminated; gates that read a pass-through read its input instead.
///
/// The results are stored in slots: first the loaded inputs, then the gates.
#[derive(Clone, Debug, Default)]
pub struct EvaluationPlan {
    /// Channel and neighborhood position of every circuit input that the plan loads, in the order of the slots (storage
    /// places) that receive the inputs.
    pub loads: Vec<(u32, u32)>,
    /// Gate operations, in the order of the slots (storage places) of their results. These slots follow the slots of
    /// the loaded inputs.
    pub gates: Vec<GateOperation>,
    /// For each relevant channel (a channel that influences a target channel): index of the channel, and slot (storage
    /// place) of its next state.
    pub outputs: Vec<(u32, u32)>,
    /// Indices of the trained gates that a target channel (compared with the target) depends on, without duplicates.
    pub in_use: Vec<u32>,
    /// For every value (input or gate) of the circuit, the value that it equals after elimination of pass-throughs,
    /// `[value]`.
    alias: Vec<u32>,
    /// For every value of the circuit, whether the next state of a relevant channel (a channel that influences a target
    /// channel) depends on the value, `[value]`.
    live: Vec<bool>,
    /// For every value of the circuit that the plan computes, the slot (storage place) of the value, `[value]`.
    slots: Vec<u32>,
    /// For each channel, whether the channel is a target channel (compared with the target) or influences a target
    /// channel, `[channel]`.
    relevant: Vec<bool>,
    /// Scratch memory: whether each trained gate is already in the list `in_use`, `[trained gate]`.
    seen: Vec<bool>,
}

/// Gate operation: a Boolean function of the values in two slots (storage places).
#[derive(Clone, Copy, Debug)]
pub struct GateOperation {
    /// Number of the Boolean function; see [`gate::NAMES`](crate::gate::NAMES).
    pub function: u8,
    /// Slot (storage place) that holds the first input of the gate.
    pub a: u32,
    /// Slot (storage place) that holds the second input of the gate.
    pub b: u32,
}

impl Netlist {
    /// Builds the netlist of all gates that a cell with the circuit `program` evaluates.
    pub fn new(architecture: &Architecture, program: &LayeredCircuit) -> Self {
        let circuit = Circuit::from_layers(program, &vec![PASS_A; program.gates()]);
        Self { circuit, trained: Circuit::trained_gate_indices(architecture) }
    }

    /// Returns the number of gates that one cell evaluates per automaton step.
    pub fn gates(&self) -> usize {
        self.trained.len()
    }

    /// Returns the gate with index `number` of the circuit. Its function is taken from `functions`, the function
    /// numbers of the trained gates, `[trained gate]`.
    fn gate(&self, number: usize, functions: &[u8]) -> Gate {
        let trained = self.trained[number] as usize;
        Gate { function: functions[trained], ..self.circuit.gates()[number] }
    }

    /// Computes the operations that evaluate the first `target_channels` channels of the circuit, and writes them to
    /// `plan`. `functions` holds the function numbers of the trained gates, `[trained gate]`.
    pub fn plan(&self, functions: &[u8], target_channels: usize, plan: &mut EvaluationPlan) {
        let inputs = self.circuit.inputs();
        plan.alias.clear();
        plan.alias.extend(0..inputs as u32);
        for number in 0..self.gates() {
            let gate = self.gate(number, functions);
            let value = match gate.function {
                PASS_A => plan.alias[gate.a as usize],
                PASS_B => plan.alias[gate.b as usize],
                _ => (inputs + number) as u32,
            };
            plan.alias.push(value);
        }
        self.find_live(functions, target_channels, plan);

        let EvaluationPlan { loads, gates, outputs, in_use, alias, live, slots, relevant, seen } = plan;
        slots.clear();
        slots.resize(live.len(), 0);
        loads.clear();
        for value in (0..inputs).filter(|&value| live[value]) {
            slots[value] = loads.len() as u32;
            loads.push(((value / NEIGHBORHOOD) as u32, (value % NEIGHBORHOOD) as u32));
        }
        seen.clear();
        seen.resize(functions.len(), false);
        gates.clear();
        in_use.clear();
        let slot = |slots: &[u32], value: u32| slots[alias[value as usize] as usize];
        for number in (0..self.gates()).filter(|number| live[inputs + number]) {
            let (gate, trained) = (self.gate(number, functions), self.trained[number]);
            if !std::mem::replace(&mut seen[trained as usize], true) {
                in_use.push(trained);
            }
            if alias[inputs + number] as usize == inputs + number {
                let (a, b) = (slot(slots, gate.a), slot(slots, gate.b));
                slots[inputs + number] = (loads.len() + gates.len()) as u32;
                gates.push(GateOperation { function: gate.function, a, b });
            }
        }
        let relevant_outputs =
            self.circuit.outputs().iter().enumerate().filter(|&(channel, _)| relevant[channel]);
        outputs.clear();
        outputs.extend(relevant_outputs.map(|(channel, &value)| (channel as u32, slot(slots, value))));
    }

    /// Computes which channels are relevant for the target channels (`plan.relevant`), and on which values the relevant
    /// channels depend (`plan.live`), by fixed-point iteration over the channels.
    fn find_live(&self, functions: &[u8], target_channels: usize, plan: &mut EvaluationPlan) {
        let (inputs, outputs) = (self.circuit.inputs(), self.circuit.outputs());
        let EvaluationPlan { live, relevant, .. } = plan;
        relevant.clear();
        relevant.extend((0..outputs.len()).map(|channel| channel < target_channels));
        loop {
            live.clear();
            live.resize(inputs + self.gates(), false);
            for (&value, &relevant) in outputs.iter().zip(&*relevant) {
                live[value as usize] |= relevant;
            }
            for number in (0..self.gates()).rev() {
                if live[inputs + number] {
                    self.gate(number, functions).reads().for_each(|value| live[value as usize] = true);
                }
            }
            // A channel that a live value depends on becomes relevant in the next iteration.
            let mut more = false;
            for (around, relevant) in live[..inputs].chunks_exact(NEIGHBORHOOD).zip(&mut *relevant) {
                if !*relevant && around.contains(&true) {
                    (*relevant, more) = (true, true);
                }
            }
            if !more {
                return;
            }
        }
    }
}
