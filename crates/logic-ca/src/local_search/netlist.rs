//! The gates of a cell, and which of them matter.

use crate::circuit::Architecture;
use crate::gate::{PASS_A, PASS_B};
use crate::hard::{Circuit, Gate};
use crate::program::Program;
use crate::wiring::NEIGHBORHOOD;

/// All gates that one cell evaluates, whatever their functions.
#[derive(Debug)]
pub struct Netlist {
    /// Its wires, and no functions that mean anything.
    circuit: Circuit,
    /// For each of its gates the gate that learns it.
    learned: Vec<u32>,
}

/// What has to be evaluated for the channels that matter: those that are wanted, and those on which they come to depend. A
/// gate that hands an input on is none: whoever reads it reads that input.
///
/// Values that are computed lie in slots, the loaded ones first.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Channel and place of every bit that is read, in the order of their slots.
    pub loads: Vec<(u32, u32)>,
    /// The gates, in the order of the slots that they write.
    pub gates: Vec<Operation>,
    /// For every channel that matters the slot of its next state.
    pub outputs: Vec<(u32, u32)>,
    /// The learned gates on which something depends, each once.
    pub in_use: Vec<u32>,
    /// For every value the one that it is, after gates that hand an input on.
    same: Vec<u32>,
    /// Whether something depends on a value, and its slot.
    live: Vec<bool>,
    slots: Vec<u32>,
    /// Channels that matter, and learned gates in use.
    matters: Vec<bool>,
    used: Vec<bool>,
}

/// A function of two slots.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// See [`gate::NAMES`](crate::gate::NAMES).
    pub function: u8,
    /// First slot.
    pub a: u32,
    /// Second slot.
    pub b: u32,
}

impl Netlist {
    /// The gates of this program.
    pub fn new(architecture: &Architecture, program: &Program) -> Self {
        let circuit = Circuit::of_program(program, &vec![PASS_A; program.gates()]);
        Self { circuit, learned: Circuit::learned_gates(architecture) }
    }

    /// Gates that one cell evaluates.
    pub fn gates(&self) -> usize {
        self.learned.len()
    }

    /// Gate number `number` with the function that it has among these.
    fn gate(&self, number: usize, functions: &[u8]) -> Gate {
        let learned = self.learned[number] as usize;
        Gate { function: functions[learned], ..self.circuit.gates()[number] }
    }

    /// Works out what has to be evaluated where the learned gates have these functions and the first `wanted` channels are
    /// what it is all for.
    pub fn plan(&self, functions: &[u8], wanted: usize, plan: &mut Plan) {
        let inputs = self.circuit.inputs();
        plan.same.clear();
        plan.same.extend(0..inputs as u32);
        for number in 0..self.gates() {
            let gate = self.gate(number, functions);
            let value = match gate.function {
                PASS_A => plan.same[gate.a as usize],
                PASS_B => plan.same[gate.b as usize],
                _ => (inputs + number) as u32,
            };
            plan.same.push(value);
        }
        self.find_live(functions, wanted, plan);

        let Plan { loads, gates, outputs, in_use, same, live, slots, matters, used } = plan;
        slots.clear();
        slots.resize(live.len(), 0);
        loads.clear();
        for value in (0..inputs).filter(|&value| live[value]) {
            slots[value] = loads.len() as u32;
            loads.push(((value / NEIGHBORHOOD) as u32, (value % NEIGHBORHOOD) as u32));
        }
        used.clear();
        used.resize(functions.len(), false);
        gates.clear();
        in_use.clear();
        let slot = |slots: &[u32], value: u32| slots[same[value as usize] as usize];
        for number in (0..self.gates()).filter(|number| live[inputs + number]) {
            let (gate, learned) = (self.gate(number, functions), self.learned[number]);
            if !std::mem::replace(&mut used[learned as usize], true) {
                in_use.push(learned);
            }
            if same[inputs + number] as usize == inputs + number {
                let (a, b) = (slot(slots, gate.a), slot(slots, gate.b));
                slots[inputs + number] = (loads.len() + gates.len()) as u32;
                gates.push(Operation { function: gate.function, a, b });
            }
        }
        let mattering = self.circuit.outputs().iter().enumerate().filter(|&(channel, _)| matters[channel]);
        outputs.clear();
        outputs.extend(mattering.map(|(channel, &value)| (channel as u32, slot(slots, value))));
    }

    /// Which channels matter, and on which values something depends.
    fn find_live(&self, functions: &[u8], wanted: usize, plan: &mut Plan) {
        let (inputs, outputs) = (self.circuit.inputs(), self.circuit.outputs());
        let Plan { live, matters, .. } = plan;
        matters.clear();
        matters.extend((0..outputs.len()).map(|channel| channel < wanted));
        loop {
            live.clear();
            live.resize(inputs + self.gates(), false);
            for (&value, &matters) in outputs.iter().zip(&*matters) {
                live[value as usize] |= matters;
            }
            for number in (0..self.gates()).rev() {
                if live[inputs + number] {
                    self.gate(number, functions).reads().for_each(|value| live[value as usize] = true);
                }
            }
            // A channel that is read matters from the next look on.
            let mut more = false;
            for (around, matters) in live[..inputs].chunks_exact(NEIGHBORHOOD).zip(&mut *matters) {
                if !*matters && around.contains(&true) {
                    (*matters, more) = (true, true);
                }
            }
            if !more {
                return;
            }
        }
    }
}
