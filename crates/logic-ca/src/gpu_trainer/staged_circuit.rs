//! Parallel instruction schedule of a circuit for the GPU: stages of independent instructions.
//!
//! Values are stored in *slots* in workgroup memory (a few thousand words). The fewer slots a circuit needs, the more
//! cells, in words of 32, a workgroup evaluates at a time. A slot is free again after the stage that last reads its
//! value. A stage consists of instructions whose inputs are computed, out of the next `window` instructions in circuit
//! order. A wide window gives few stages and many slots.

use crate::circuit::NEIGHBORHOOD;
use crate::hard::Circuit;

/// Size of the workgroup memory that WebGPU guarantees, in 32-bit words (16 KiB).
pub(super) const SLOT_WORDS: usize = 4096;

/// Number of invocations per workgroup of the interpreter kernel.
pub(super) const THREADS: usize = 256;

/// Maximum number of 32-bit words, 32 cells each, for which a workgroup evaluates the circuit at a time.
const WIDEST: usize = 32;

/// Function code of an instruction that loads a circuit input instead of computing a gate.
pub(super) const LOAD: u32 = 0xffff;

/// Numbers of pending instructions from which a stage (group of independent instructions) is chosen; a schedule is
/// computed for each number. The schedule with the lowest cost is used.
const WINDOWS: [usize; 7] = [32, 64, 128, 256, 512, 1024, 4096];

/// Cost of the barrier after a stage (group of independent instructions): number of instructions that an invocation
/// executes in the time of a barrier.
const STAGE_ROUNDS: usize = 1;

/// Circuit as a sequence of stages (groups of independent instructions), which the interpreter kernel executes; see the
/// [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StagedCircuit {
    /// Number of 32-bit words, 32 cells each, for which a workgroup evaluates the circuit at a time.
    pub wide: usize,
    /// Number of stages: groups of independent instructions, with a barrier after each group.
    pub count: usize,
    /// Word offset in `code` of the list of slots (places in workgroup memory) that hold the circuit outputs.
    pub outputs: usize,
    /// The circuit as 32-bit words, in three parts: index of the first instruction of every stage, and the total number
    /// of instructions; two words per instruction; slot (place in workgroup memory) of every circuit output.
    ///
    /// The first word of an instruction has two 16-bit operands, a in the low half and b in the high half. The operands
    /// of a gate are slots; the operands of a load are the channel and the neighborhood position. The second word has
    /// the slot of the result in the low half and the function number or [`LOAD`] in the high half.
    pub code: Vec<u32>,
}

/// Instruction (load of an input, or gate) with the index of its stage (group of independent instructions), before the
/// allocation of workgroup memory.
struct StagedInstruction {
    value: usize,
    stage: usize,
}

impl StagedCircuit {
    /// Schedules a circuit. The instruction of gate i contains the number `functions(i)`, an index in a table of truth
    /// tables. Returns `None` if the circuit needs more slots than fit workgroup memory. All gates are assumed to read
    /// both inputs, because their functions may change.
    pub fn new(circuit: &Circuit, functions: impl Fn(usize) -> u32) -> Option<Self> {
        let natural = natural_order(circuit);
        let tried = WINDOWS.into_iter().filter_map(|window| {
            let order = in_stages(circuit, &natural, window);
            let (slots, count) = assign(circuit, &order);
            let mut wide = WIDEST;
            while wide > 1 && count * wide > SLOT_WORDS {
                wide /= 2;
            }
            (count * wide <= SLOT_WORDS).then(|| (cost(&order, wide), wide, order, slots))
        });
        let (_, wide, order, slots) = tried.min_by_key(|&(cost, ..)| cost)?;
        Some(Self::written(circuit, wide, &order, &slots, functions))
    }

    fn written(
        circuit: &Circuit,
        wide: usize,
        order: &[StagedInstruction],
        slots: &[u32],
        functions: impl Fn(usize) -> u32,
    ) -> Self {
        let inputs = circuit.inputs();
        let count = order.last().map_or(0, |step| step.stage + 1);
        let mut code: Vec<u32> =
            (0..=count).map(|stage| order.partition_point(|step| step.stage < stage) as u32).collect();
        for step in order {
            let out = slots[step.value];
            match step.value.checked_sub(inputs) {
                None => {
                    let (channel, place) = (step.value / NEIGHBORHOOD, step.value % NEIGHBORHOOD);
                    code.extend([channel as u32 | (place as u32) << 16, out | LOAD << 16]);
                }
                Some(number) => {
                    let gate = &circuit.gates()[number];
                    let [a, b] = [gate.a, gate.b].map(|value| slots[value as usize]);
                    code.extend([a | b << 16, out | functions(number) << 16]);
                }
            }
        }
        let outputs = code.len();
        code.extend(circuit.outputs().iter().map(|&value| slots[value as usize]));
        Self { wide, count, outputs, code }
    }
}

/// Returns the cost of a schedule: number of instructions that each invocation executes in sequence for [`WIDEST`]
/// words of 32 cells. `wide` is the number of words for which a workgroup evaluates the circuit at a time.
fn cost(order: &[StagedInstruction], wide: usize) -> usize {
    let stages = order.chunk_by(|a, b| a.stage == b.stage);
    let rounds: usize = stages.map(|stage| STAGE_ROUNDS + (stage.len() * wide).div_ceil(THREADS)).sum();
    // Scales the cost to the same number of words, to compare schedules of different widths.
    rounds * WIDEST / wide
}

/// Returns the value numbers of gates and inputs in evaluation order: all gates in circuit order, each input inserted
/// before the first gate that reads the input. Inputs without a reader are omitted.
fn natural_order(circuit: &Circuit) -> Vec<usize> {
    let inputs = circuit.inputs();
    let mut seen = vec![false; inputs];
    let mut order = Vec::with_capacity(inputs + circuit.gates().len());
    let mut see = |value: u32, order: &mut Vec<usize>| {
        let value = value as usize;
        if value < inputs && !std::mem::replace(&mut seen[value], true) {
            order.push(value);
        }
    };
    for (number, gate) in circuit.gates().iter().enumerate() {
        see(gate.a, &mut order);
        see(gate.b, &mut order);
        order.push(inputs + number);
    }
    circuit.outputs().iter().for_each(|&value| see(value, &mut order));
    order
}

/// Groups the instructions of a circuit in stages. A stage consists of all instructions among the first `window`
/// pending instructions whose inputs earlier stages have computed.
fn in_stages(circuit: &Circuit, natural: &[usize], window: usize) -> Vec<StagedInstruction> {
    let mut done = vec![false; circuit.inputs() + circuit.gates().len()];
    let mut order: Vec<StagedInstruction> = Vec::with_capacity(natural.len());
    let mut rest = natural.iter().copied();
    let mut waiting: Vec<usize> = Vec::with_capacity(window);
    for stage in 0.. {
        waiting.extend(rest.by_ref().take(window - waiting.len()));
        if waiting.is_empty() {
            break;
        }
        let first = order.len();
        waiting.retain(|&value| {
            let ready = circuit
                .gate_of(value as u32)
                .is_none_or(|gate| done[gate.a as usize] && done[gate.b as usize]);
            if ready {
                order.push(StagedInstruction { value, stage });
            }
            !ready
        });
        order[first..].iter().for_each(|step| done[step.value] = true);
    }
    order
}

/// Allocates a slot in workgroup memory for every value of the circuit until its last read. Returns the slot of every
/// value, `[value]`, and the total number of slots.
fn assign(circuit: &Circuit, order: &[StagedInstruction]) -> (Vec<u32>, usize) {
    let values = circuit.inputs() + circuit.gates().len();
    // Last stage that reads a value; outputs are read at the end.
    let mut last = vec![0; values];
    for step in order {
        last[step.value] = last[step.value].max(step.stage);
        if let Some(gate) = circuit.gate_of(step.value as u32) {
            for value in [gate.a, gate.b] {
                last[value as usize] = last[value as usize].max(step.stage);
            }
        }
    }
    circuit.outputs().iter().for_each(|&value| last[value as usize] = usize::MAX);
    let mut slots = vec![0; values];
    let (mut free, mut count): (Vec<u32>, usize) = (Vec::new(), 0);
    let mut ending: Vec<Vec<u32>> = Vec::new();
    for stage in order.chunk_by(|a, b| a.stage == b.stage) {
        let number = stage[0].stage;
        if let Some(freed) = number.checked_sub(1).and_then(|before| ending.get(before)) {
            free.extend(freed);
        }
        for step in stage {
            let slot = free.pop().unwrap_or_else(|| {
                count += 1;
                count as u32 - 1
            });
            slots[step.value] = slot;
            let end = last[step.value];
            if end != usize::MAX {
                ending.resize(ending.len().max(end + 1), Vec::new());
                ending[end].push(slot);
            }
        }
    }
    (slots, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hard::life;

    /// Evaluates the circuit `stages` for one word of 32 cells, as a reference for the test. Executes the independent
    /// instructions of each stage in forward or (`backwards`) reverse order.
    fn run(stages: &StagedCircuit, inputs: &[u32], backwards: bool) -> Vec<u32> {
        let mut slots = vec![0; SLOT_WORDS];
        for stage in 0..stages.count {
            let mut numbers: Vec<u32> = (stages.code[stage]..stages.code[stage + 1]).collect();
            if backwards {
                numbers.reverse();
            }
            for number in numbers {
                let at = stages.count + 1 + 2 * number as usize;
                let (operands, rest) = (stages.code[at], stages.code[at + 1]);
                let (low, high) = ((operands & 0xffff) as usize, (operands >> 16) as usize);
                slots[(rest & 0xffff) as usize] = match rest >> 16 {
                    LOAD => inputs[low * NEIGHBORHOOD + high],
                    function => {
                        let gate = crate::hard::Gate { function: function as u8, a: 0, b: 0 };
                        gate.word(slots[low].into(), slots[high].into()) as u32
                    }
                };
            }
        }
        stages.code[stages.outputs..].iter().map(|&slot| slots[slot as usize]).collect()
    }

    #[test]
    fn results_do_not_depend_on_the_order_within_a_stage() {
        let circuit = life::circuit();
        let stages = StagedCircuit::new(&circuit, |gate| circuit.gates()[gate].function.into()).unwrap();
        assert_eq!(stages.wide, WIDEST);
        for case in 0..life::CASES {
            let inputs: Vec<u32> = (0..9).map(|place| u32::from(case >> place & 1)).collect();
            for backwards in [false, true] {
                let next = run(&stages, &inputs, backwards)[0] & 1;
                assert_eq!(next == 1, life::rule(case), "{case:09b}");
            }
        }
    }

    #[test]
    fn the_circuits_of_all_presets_fit() {
        use crate::{LogicConfig, LogicPreset, Wiring};
        for preset in LogicPreset::ALL {
            let architecture = LogicConfig::of(preset).architecture();
            let wiring = Wiring::new(&architecture, 1);
            let both = vec![1; architecture.gates()];
            let circuit = Circuit::from_functions(&architecture, &wiring, &both).unwrap();
            assert!(StagedCircuit::new(&circuit, |_| 1).is_some(), "{preset:?}");
        }
    }
}
