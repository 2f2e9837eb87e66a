//! Instruction scheduling and slot allocation of a hard circuit.
//!
//! Instructions are grouped in *runs* of the same kind, so that the kernel branches once per run instead of once per
//! gate. Values are stored in *slots*. A slot is freed after the last read of its value (linear-scan register
//! allocation), so that the slots in use stay in the L1 cache. Long runs require many candidates for the next
//! instruction; the circuit's own order needs the fewest slots. As a compromise the next instruction is chosen among
//! the first [`WINDOW`] pending instructions.

use super::circuit::{Circuit, Gate};

/// Number of pending instructions among which the next instruction is chosen.
const WINDOW: usize = 96;

/// Kind of instruction: a load or a gate function. All instructions of a run have the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InstructionKind {
    /// Loads a circuit input. The operand `a` is the number of the input; the operand `out` is the slot (storage place)
    /// that receives the input.
    Load,
    /// Computes the gate function whose number the variant holds. The operands `a` and `b` are the slots (storage
    /// places) of the inputs; `out` is the slot of the result.
    Gate(u8),
}

/// Operands of an instruction: slots (storage places of values), or the number of a circuit input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operands {
    /// Slot (storage place) of the first input of a gate; in a load instruction, the number of the circuit input.
    pub a: u16,
    /// Slot (storage place) of the second input of a gate; not used in a load instruction.
    pub b: u16,
    /// Slot (storage place) to which the instruction writes its result.
    pub out: u16,
}

/// Instruction schedule of a hard circuit (discrete gates): order of the instructions, and the slots (storage places)
/// of their operands.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Runs (sequences of instructions of the same kind) in execution order: kind and number of instructions.
    pub runs: Vec<(InstructionKind, usize)>,
    /// Operands of the instructions of all runs, in execution order.
    pub operands: Vec<Operands>,
    /// Slot (storage place) that holds each circuit output after the last instruction, `[channel]`.
    pub outputs: Vec<u16>,
    /// Number of slots (storage places of values) that the schedule uses.
    pub slots: usize,
}

impl Schedule {
    /// Schedules the evaluation of a circuit. All gates are evaluated, including gates that no output depends on;
    /// inputs are loaded only if a gate or output reads them.
    pub fn new(circuit: &Circuit) -> Self {
        let order = chosen_order(circuit);
        let inputs = circuit.inputs();
        // Number of pending reads of each value; outputs add one that never completes.
        let mut readers = vec![0u32; inputs + circuit.gates().len()];
        circuit.gates().iter().for_each(|gate| gate.reads().for_each(|value| readers[value as usize] += 1));
        circuit.outputs().iter().for_each(|&value| readers[value as usize] += 1);

        let mut slots = SlotAllocator { of: vec![0; readers.len()], free: Vec::new(), count: 0 };
        let mut runs: Vec<(InstructionKind, usize)> = Vec::new();
        let mut operands = Vec::with_capacity(order.len());
        for value in order {
            let (kind, a, b) = match circuit.gate_of(value) {
                None => (InstructionKind::Load, value as u16, 0),
                Some(&gate) => {
                    // An input that the function does not depend on may be any slot.
                    let slot = |reads: bool, value: u32| if reads { slots.of[value as usize] } else { 0 };
                    (
                        InstructionKind::Gate(gate.function),
                        slot(gate.reads_a(), gate.a),
                        slot(gate.reads_b(), gate.b),
                    )
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

/// Allocator of slots (storage places): stores the slot of each circuit value that is still needed, and the free slots.
struct SlotAllocator {
    of: Vec<u16>,
    /// Free slots (storage places) as a stack. The slot that was freed last is allocated first, because it is still in
    /// the cache.
    free: Vec<u16>,
    count: usize,
}

impl SlotAllocator {
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

/// Returns the value numbers in evaluation order: topologically sorted, and grouped by kind of instruction within the
/// limit of [`WINDOW`].
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
        // Prefer the current kind; if none is ready, the kind with the most ready instructions.
        let mut counts = [0; 17];
        window.iter().filter(|&&value| ready(value, &done)).for_each(|&value| counts[kind(value)] += 1);
        if counts[current] == 0 {
            // The oldest instruction is always ready, because all its inputs precede it.
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

/// Returns the value numbers of gates and inputs in evaluation order: all gates in circuit order, each input inserted
/// before the first gate that reads the input.
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
