//! Helpers of the tests of hard circuits.

use proptest::prelude::*;
use std::ops::{Range, RangeInclusive};
use vivarium_kernels::rng::Stream;
use vivarium_kernels::simd::level;
use vivarium_logic_ca::hard::{Circuit, Gate, UpdateMask};
use vivarium_logic_ca::{Architecture, Grid, Wiring};

/// Returns architecture and wiring of the preset `checkerboard`.
pub fn checkerboard() -> (Architecture, Wiring) {
    let mut update = vec![256; 10];
    update.extend([128, 64, 32, 16, 8, 8]);
    let architecture = Architecture { channels: 8, kernels: 16, perceive: vec![8, 4, 2], update };
    architecture.check().unwrap();
    let wiring = Wiring::new(&architecture, 1);
    (architecture, wiring)
}

/// Returns a checkerboard circuit with the given share of pass-through gates; the other gates have random functions.
pub fn trained_like(pass_through: f32, seed: u64) -> Circuit {
    let (architecture, wiring) = checkerboard();
    let mut stream = Stream::new(seed, 1);
    let mut draw = || if stream.uniform() < pass_through { 3 } else { stream.below(16) as u8 };
    let functions: Vec<u8> = (0..architecture.gates()).map(|_| draw()).collect();
    Circuit::from_functions(&architecture, &wiring, &functions).unwrap()
}

/// Returns a circuit with random gate functions and random wires.
pub fn random_circuit(channels: usize, gates: usize, seed: u64) -> Circuit {
    let mut stream = Stream::new(seed, 2);
    let inputs = 9 * channels;
    let gate = |number: usize| {
        let mut before = || stream.below((inputs + number) as u32);
        let (a, b) = (before(), before());
        Gate { function: stream.below(16) as u8, a, b }
    };
    let gates: Vec<Gate> = (0..gates).map(gate).collect();
    let mut stream = Stream::new(seed, 3);
    let outputs = (0..channels).map(|_| (inputs + gates.len()) as u32 - 1 - stream.below(8)).collect();
    Circuit::new(channels, gates, outputs).unwrap()
}

/// Proptest strategy that generates random circuits, and shrinks failures to fewer gates and channels.
pub fn circuits(channels: RangeInclusive<usize>, gates: Range<usize>) -> impl Strategy<Value = Circuit> {
    let gate = (0u8..16, any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let gates = prop::collection::vec(gate, gates);
    let outputs = prop::collection::vec(any::<prop::sample::Index>(), *channels.end());
    (channels, gates, outputs).prop_map(|(channels, gates, outputs)| {
        let inputs = 9 * channels;
        let total = inputs + gates.len();
        let gates = gates.into_iter().enumerate().map(|(number, (function, a, b))| {
            let wire = |index: prop::sample::Index| index.index(inputs + number) as u32;
            Gate { function, a: wire(a), b: wire(b) }
        });
        let outputs = outputs[..channels].iter().map(|index| index.index(total) as u32).collect();
        Circuit::new(channels, gates.collect(), outputs).unwrap()
    })
}

/// Returns `count` words of 64 random bits.
pub fn random_words(count: usize, stream: &mut Stream) -> Vec<u64> {
    let word = |[low, high]: [u32; 2]| u64::from(high) << 32 | u64::from(low);
    (0..count).map(|_| word(stream.next_block())).collect()
}

/// Reference automaton: looks up the neighbors cell by cell.
pub struct ReferenceAutomaton<'a> {
    pub circuit: &'a Circuit,
    pub grid: Grid,
    /// State of every cell (lane), `[channel][lane]`.
    pub state: Vec<Vec<bool>>,
}

impl<'a> ReferenceAutomaton<'a> {
    pub fn random(circuit: &'a Circuit, grid: Grid, stream: &mut Stream) -> Self {
        let plane = |_| (0..grid.lanes()).map(|_| stream.below(2) == 1).collect();
        let state = (0..circuit.channels()).map(plane).collect();
        Self { circuit, grid, state }
    }

    pub fn step(&mut self, update_mask: Option<UpdateMask>, step: u32) {
        let lanes = self.grid.lanes();
        let mut numbers = vec![0.0; lanes];
        if let Some(update_mask) = update_mask {
            update_mask.draw(level(), step, 0, &mut numbers);
        }
        let mut next = self.state.clone();
        for first in (0..lanes).step_by(64) {
            let count = 64.min(lanes - first);
            let mut inputs = vec![0u64; self.circuit.inputs()];
            for (channel, bits) in self.state.iter().enumerate() {
                for place in 0..9 {
                    for bit in 0..count {
                        let value = self.grid.neighbor(first + bit, place).is_some_and(|lane| bits[lane]);
                        inputs[9 * channel + place] |= u64::from(value) << bit;
                    }
                }
            }
            for (channel, word) in self.circuit.evaluate(&inputs).into_iter().enumerate() {
                for bit in 0..count {
                    if update_mask.is_none_or(|update_mask| numbers[first + bit] < update_mask.rate) {
                        next[channel][first + bit] = word >> bit & 1 == 1;
                    }
                }
            }
        }
        self.state = next;
    }
}
