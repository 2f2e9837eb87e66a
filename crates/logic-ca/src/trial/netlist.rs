//! The gates of a cell, and which of them matter.

use crate::gate::{PASS_A, PASS_B};
use crate::program::{GateLayer, Program};
use crate::wiring::{CENTRE, NEIGHBOURHOOD};

/// All gates that one cell evaluates, whatever their functions. Values are numbered as in a
/// [`Circuit`](crate::hard::Circuit): nine bits of every channel's neighbourhood, then the gates.
#[derive(Debug)]
pub struct Netlist {
    channels: usize,
    gates: Vec<Wired>,
    /// The values that become the next state.
    outputs: Vec<u32>,
}

/// A gate of a cell: which learnt gate it is, and the values that it reads.
#[derive(Clone, Copy, Debug)]
struct Wired {
    learnt: u32,
    a: u32,
    b: u32,
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
    /// The learnt gates on which something depends, each once.
    pub in_use: Vec<u32>,
    /// For every value the one that it is, after gates that hand an input on.
    same: Vec<u32>,
    /// Whether something depends on a value, and its slot.
    live: Vec<bool>,
    slots: Vec<u32>,
    /// Channels that matter, and learnt gates in use.
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
    pub fn new(program: &Program) -> Self {
        let channels = program.channels;
        let inputs = channels * NEIGHBOURHOOD;
        let mut gates: Vec<Wired> = Vec::with_capacity(program.gates_per_cell());
        let mut append = |layer: &GateLayer, values: &[u32]| -> Vec<u32> {
            let first = inputs + gates.len();
            gates.extend(layer.wires.iter().zip(layer.gates.clone()).map(|(pair, learnt)| {
                let [a, b] = pair.map(|row| values[row as usize]);
                Wired { learnt: learnt as u32, a, b }
            }));
            (first as u32..(inputs + gates.len()) as u32).collect()
        };
        let mut values: Vec<u32> = (0..channels).map(|channel| input(channel, CENTRE)).collect();
        for channel in 0..channels {
            let around = (0..NEIGHBOURHOOD).map(|place| input(channel, place)).collect::<Vec<_>>();
            values.extend(program.perceive.iter().fold(around, |values, layer| append(layer, &values)));
        }
        let outputs = program.update.iter().fold(values, |values, layer| append(layer, &values));
        Self { channels, gates, outputs }
    }

    /// Gates that one cell evaluates.
    pub fn gates(&self) -> usize {
        self.gates.len()
    }

    /// Works out what has to be evaluated where the learnt gates have these functions and the first `wanted` channels are
    /// what it is all for.
    pub fn plan(&self, functions: &[u8], wanted: usize, plan: &mut Plan) {
        let inputs = self.channels * NEIGHBOURHOOD;
        plan.same.clear();
        plan.same.extend(0..inputs as u32);
        for (number, gate) in self.gates.iter().enumerate() {
            let value = match functions[gate.learnt as usize] {
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
            loads.push(((value / NEIGHBOURHOOD) as u32, (value % NEIGHBOURHOOD) as u32));
        }
        used.clear();
        used.resize(functions.len(), false);
        gates.clear();
        in_use.clear();
        let slot = |slots: &[u32], value: u32| slots[same[value as usize] as usize];
        for (number, gate) in self.gates.iter().enumerate().filter(|(number, _)| live[inputs + number]) {
            if !std::mem::replace(&mut used[gate.learnt as usize], true) {
                in_use.push(gate.learnt);
            }
            if same[inputs + number] as usize == inputs + number {
                let (a, b) = (slot(slots, gate.a), slot(slots, gate.b));
                slots[inputs + number] = (loads.len() + gates.len()) as u32;
                gates.push(Operation { function: functions[gate.learnt as usize], a, b });
            }
        }
        let mattering = self.outputs.iter().enumerate().filter(|&(channel, _)| matters[channel]);
        outputs.clear();
        outputs.extend(mattering.map(|(channel, &value)| (channel as u32, slot(slots, value))));
    }

    /// Which channels matter, and on which values something depends.
    fn find_live(&self, functions: &[u8], wanted: usize, plan: &mut Plan) {
        let inputs = self.channels * NEIGHBOURHOOD;
        let Plan { live, matters, .. } = plan;
        matters.clear();
        matters.extend((0..self.channels).map(|channel| channel < wanted));
        loop {
            live.clear();
            live.resize(inputs + self.gates.len(), false);
            for (&value, &matters) in self.outputs.iter().zip(&*matters) {
                live[value as usize] |= matters;
            }
            for (number, gate) in self.gates.iter().enumerate().rev() {
                if live[inputs + number] {
                    let (reads_a, reads_b) = reads(functions[gate.learnt as usize]);
                    live[gate.a as usize] |= reads_a;
                    live[gate.b as usize] |= reads_b;
                }
            }
            // A channel that is read matters from the next look on.
            let mut more = false;
            for (around, matters) in live[..inputs].chunks_exact(NEIGHBOURHOOD).zip(&mut *matters) {
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

fn input(channel: usize, place: usize) -> u32 {
    (channel * NEIGHBOURHOOD + place) as u32
}

/// Which of its inputs make a difference to a function.
fn reads(function: u8) -> (bool, bool) {
    (function >> 2 != function & 3, function >> 1 & 5 != function & 5)
}
