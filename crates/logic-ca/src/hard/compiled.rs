//! Compiled hard circuits: bit-sliced simulation of boards, in parallel.

use super::boards::{BLOCK, Boards};
use super::circuit::Circuit;
use super::kernel::{self, HardStep, SlotMemory};
use super::schedule::Schedule;
use super::update_mask::UpdateMask;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use vivarium_graph::Cpu;
use vivarium_kernels::simd::{Level, dispatch};

/// Minimum number of blocks of cells per thread. With fewer blocks, synchronization takes longer than parallel
/// evaluation saves.
const MIN_BLOCKS: usize = 16;

/// Circuit compiled to an instruction schedule that steps [`Boards`].
#[derive(Debug)]
pub struct CompiledCircuit {
    channels: usize,
    schedule: Schedule,
    /// Memory for the values of the circuit's inputs and gates, one entry per thread. The threads evaluate different
    /// blocks of cells.
    slots: Vec<Mutex<SlotMemory>>,
}

impl CompiledCircuit {
    /// Compiles a circuit. All of its gates will be evaluated; call [`Circuit::simplified`] first to remove redundant
    /// gates.
    #[must_use]
    pub fn new(circuit: &Circuit) -> Self {
        Self { channels: circuit.channels(), schedule: Schedule::new(circuit), slots: Vec::new() }
    }

    /// Replaces the compiled circuit by `circuit`, which must have the same number of channels; keeps the slot memory.
    ///
    /// # Panics
    /// If the number of channels differs.
    pub fn replace(&mut self, circuit: &Circuit) {
        assert_eq!(circuit.channels(), self.channels, "a circuit over the same channels");
        self.schedule = Schedule::new(circuit);
    }

    /// Returns the number of slots, storage places for the values of a block of cells: the maximum number of values
    /// that are live at the same time. Each slot takes 128 bytes of cache.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.schedule.slots
    }

    /// Runs one automaton step on all boards. If `update_mask` is given, only the cells that the mask samples for step
    /// number `step` are updated.
    ///
    /// # Panics
    /// If boards and circuit differ in the number of channels.
    pub fn step(&mut self, cpu: &Cpu, boards: &mut Boards, update_mask: Option<UpdateMask>, step: u32) {
        self.step_part(cpu, boards, update_mask, step, 0..boards.blocks());
    }

    /// Runs the part of an automaton step on the cells of the given [blocks](Boards::blocks). The parts of a step must
    /// be run in order, with the same circuit and `update_mask`. The current state of the boards changes when the last
    /// block is done.
    ///
    /// # Panics
    /// If boards and circuit differ in the number of channels, or a block is out of range.
    pub fn step_part(
        &mut self,
        cpu: &Cpu,
        boards: &mut Boards,
        update_mask: Option<UpdateMask>,
        step: u32,
        blocks: Range<usize>,
    ) {
        self.step_at(cpu.level(), cpu, boards, update_mask, step, blocks);
    }

    fn step_at(
        &mut self,
        level: Level,
        cpu: &Cpu,
        boards: &mut Boards,
        update_mask: Option<UpdateMask>,
        step: u32,
        blocks: Range<usize>,
    ) {
        assert_eq!(boards.channels(), self.channels, "boards with the channels of the circuit");
        if let Some(update_mask) = update_mask {
            update_mask.sample_update_mask(level, cpu, boards, step, boards.rows_in(&blocks));
        }
        let layout = boards.layout;
        let bands = cpu.threads().min(blocks.len() / MIN_BLOCKS).max(1);
        while self.slots.len() < bands {
            self.slots.push(Mutex::new(SlotMemory::new()));
        }
        let step = HardStep {
            schedule: &self.schedule,
            planes: &boards.planes,
            words: layout.words,
            cells: &boards.cells,
            mask_words: update_mask.map(|_| &boards.mask_words[..]),
            shifts: kernel::neighbor_shifts(layout.stride),
        };
        let range = layout.first_word + blocks.start * BLOCK..layout.first_word + blocks.end * BLOCK;
        // Each thread steps a band of successive blocks, for all channels. The bands have nearly equal sizes.
        let bound = |band: usize| blocks.len() * band / bands * BLOCK;
        let mut outputs: Vec<Vec<&mut [u64]>> =
            (0..bands).map(|_| Vec::with_capacity(self.channels)).collect();
        for plane in boards.next.chunks_exact_mut(layout.words) {
            let mut rest = &mut plane[range.clone()];
            for (band, outputs) in outputs.iter_mut().enumerate() {
                let (mine, others) = rest.split_at_mut(bound(band + 1) - bound(band));
                outputs.push(mine);
                rest = others;
            }
        }
        let slots = &self.slots;
        cpu.for_each(&mut outputs, |band, outputs| {
            let mut slots = slots[band].lock().unwrap_or_else(PoisonError::into_inner);
            let first = range.start + bound(band);
            dispatch!(level, s => step.run(s, first, &mut slots, outputs));
        });
        if blocks.end == layout.blocks {
            boards.advance(cpu);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Border, Grid};
    use crate::hard::Gate;
    use vivarium_kernels::rng::Stream;
    use vivarium_kernels::simd::levels;

    /// Compares all SIMD levels with each other; `tests/integration/hard.rs` compares the best level with a reference
    /// implementation.
    #[test]
    fn all_simd_levels_agree() {
        let mut stream = Stream::new(1, 0);
        let gate = |number: u32| {
            let (a, b) = (stream.below(27 + number), stream.below(27 + number));
            Gate { function: (number % 16) as u8, a, b }
        };
        let gates: Vec<Gate> = (0..160).map(gate).collect();
        let circuit = Circuit::new(3, gates, vec![186, 180, 170]).unwrap();
        let cpu = Cpu::new(1);
        for width in [3, 64, 131, 1100] {
            let grid = Grid { boards: 2, height: 5, width, border: Border::Periodic };
            let run = |level| {
                let mut boards = Boards::new(grid, 3).unwrap();
                let mut stream = Stream::new(2, 0);
                for channel in 0..3 {
                    boards.set_channel(channel, (0..grid.lanes()).map(|_| stream.below(2) == 1));
                }
                let mut code = CompiledCircuit::new(&circuit);
                for step in 0..4 {
                    let update_mask = (step % 2 == 1).then_some(UpdateMask { rate: 0.6, seed: 3 });
                    let blocks = 0..boards.blocks();
                    code.step_at(level, &cpu, &mut boards, update_mask, step, blocks);
                }
                (0..3).flat_map(|channel| boards.channel(channel).collect::<Vec<_>>()).collect::<Vec<_>>()
            };
            let best = run(levels()[0]);
            assert!(best.contains(&true) && best.contains(&false));
            for level in levels() {
                assert!(run(level) == best, "{level:?}, width {width}");
            }
        }
    }
}
