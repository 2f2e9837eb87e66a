//! The order in which a circuit is evaluated, and where its values lie meanwhile.
//!
//! Instructions of one kind stand in runs, so that whoever evaluates them decides once a run what to do, not
//! once a gate. Values live in *slots*; a slot is used again as soon as its value has been read for the last
//! time, so that those in use stay in the processor's nearest cache. Long runs want many gates to choose from
//! and few slots want gates in their own order: the choice is among the first [`WINDOW`] instructions that
//! are left.

use super::circuit::{Circuit, Gate};

/// Among how many instructions the next one is chosen.
const WINDOW: usize = 96;

/// What the instructions of a run do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `a` is the number of an input, to be read into slot `out`.
    Load,
    /// Slot `out` becomes this function of slots `a` and `b`.
    Gate(u8),
}

/// Operands of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operands {
    /// First operand.
    pub a: u16,
    /// Second operand.
    pub b: u16,
    /// The slot that is written.
    pub out: u16,
}

/// Instructions in order.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Runs of one kind: the kind and how many instructions it has.
    pub runs: Vec<(Kind, usize)>,
    /// The operands of all runs.
    pub operands: Vec<Operands>,
    /// The slot of every output.
    pub outputs: Vec<u16>,
    /// How many slots there are.
    pub slots: usize,
}

impl Schedule {
    /// Orders a circuit. Every gate of it is evaluated, read or not, and no input that no gate or output
    /// reads.
    pub fn new(circuit: &Circuit) -> Self {
        let order = chosen_order(circuit);
        let inputs = circuit.inputs();
        // How many readers a value still has; an output is one that never finishes.
        let mut readers = vec![0u32; inputs + circuit.gates().len()];
        circuit.gates().iter().for_each(|gate| gate.reads().for_each(|value| readers[value as usize] += 1));
        circuit.outputs().iter().for_each(|&value| readers[value as usize] += 1);

        let mut slots = Slots { of: vec![0; readers.len()], free: Vec::new(), count: 0 };
        let mut runs: Vec<(Kind, usize)> = Vec::new();
        let mut operands = Vec::with_capacity(order.len());
        for value in order {
            let (kind, a, b) = match circuit.gate_of(value) {
                None => (Kind::Load, value as u16, 0),
                Some(&gate) => {
                    // Where an input makes no difference, any slot does.
                    let slot = |reads: bool, value: u32| if reads { slots.of[value as usize] } else { 0 };
                    (Kind::Gate(gate.function), slot(gate.reads_a(), gate.a), slot(gate.reads_b(), gate.b))
                }
            };
            if let Some(gate) = circuit.gate_of(value) {
                for read in gate.reads() {
                    readers[read as usize] -= 1;
                    if readers[read as usize] == 0 {
                        slots.release(read);
                    }
                }
            }
            let out = slots.take(value);
            if readers[value as usize] == 0 {
                slots.release(value);
            }
            operands.push(Operands { a, b, out });
            match runs.last_mut() {
                Some((last, count)) if *last == kind => *count += 1,
                _ => runs.push((kind, 1)),
            }
        }
        let outputs = circuit.outputs().iter().map(|&value| slots.of[value as usize]).collect();
        Self { runs, operands, outputs, slots: slots.count }
    }
}

/// Who lies where.
struct Slots {
    of: Vec<u16>,
    /// The one freed last is used first: it is the nearest.
    free: Vec<u16>,
    count: usize,
}

impl Slots {
    fn take(&mut self, value: u32) -> u16 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            (self.count - 1) as u16
        });
        self.of[value as usize] = slot;
        slot
    }

    fn release(&mut self, value: u32) {
        self.free.push(self.of[value as usize]);
    }
}

/// All values that are to be computed, each after those that it reads.
fn chosen_order(circuit: &Circuit) -> Vec<u32> {
    let natural = natural_order(circuit);
    let mut order = Vec::with_capacity(natural.len());
    let mut done = vec![false; circuit.inputs() + circuit.gates().len()];
    let kind = |value| circuit.gate_of(value).map_or(16, |gate: &Gate| usize::from(gate.function));
    let mut window: Vec<u32> = Vec::with_capacity(WINDOW);
    let mut rest = natural.into_iter();
    let mut current = 16;
    loop {
        window.extend(rest.by_ref().take(WINDOW - window.len()));
        let Some(&oldest) = window.first() else { return order };
        let ready = |value: u32, done: &[bool]| match circuit.gate_of(value) {
            None => true,
            Some(gate) => gate.reads().all(|read| done[read as usize]),
        };
        // As long as there are some of the current kind, these; then those of which most are ready.
        let mut counts = [0; 17];
        window.iter().filter(|&&value| ready(value, &done)).for_each(|&value| counts[kind(value)] += 1);
        if counts[current] == 0 {
            // The oldest one is always ready: all that it reads stood before it.
            current = kind(oldest);
            for (kind, &count) in counts.iter().enumerate() {
                if count > counts[current] {
                    current = kind;
                }
            }
        }
        window.retain(|&value| {
            let take = kind(value) == current && ready(value, &done);
            if take {
                done[value as usize] = true;
                order.push(value);
            }
            !take
        });
    }
}

/// Gates in their own order, each input before the first gate that reads it.
fn natural_order(circuit: &Circuit) -> Vec<u32> {
    let inputs = circuit.inputs();
    let mut seen = vec![false; inputs];
    let mut order = Vec::with_capacity(inputs + circuit.gates().len());
    let mut see = |value: u32, order: &mut Vec<u32>| {
        if (value as usize) < inputs && !std::mem::replace(&mut seen[value as usize], true) {
            order.push(value);
        }
    };
    for (number, gate) in circuit.gates().iter().enumerate() {
        gate.reads().for_each(|value| see(value, &mut order));
        order.push((inputs + number) as u32);
    }
    circuit.outputs().iter().for_each(|&value| see(value, &mut order));
    order
}
