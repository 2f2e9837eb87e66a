//! A circuit ready to step boards.

use super::boards::{BLOCK, Boards};
use super::circuit::Circuit;
use super::fire::Fire;
use super::kernel::{self, Slots, Step};
use super::schedule::Schedule;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use vivarium_graph::Cpu;
use vivarium_kernels::simd::{Level, dispatch};

/// Blocks that a thread does at least: below, sharing costs more than it gains.
const FEWEST_BLOCKS: usize = 16;

/// A circuit compiled for stepping [`Boards`].
#[derive(Debug)]
pub struct Code {
    channels: usize,
    schedule: Schedule,
    /// The slots of every thread.
    slots: Vec<Mutex<Slots>>,
}

impl Code {
    /// Compiles a circuit. All its gates are evaluated: it is the caller who
    /// [simplifies](Circuit::simplified).
    #[must_use]
    pub fn new(circuit: &Circuit) -> Self {
        Self { channels: circuit.channels(), schedule: Schedule::new(circuit), slots: Vec::new() }
    }

    /// Takes another circuit over the same channels in place of its own, and keeps its memory.
    ///
    /// # Panics
    /// If the circuit has another number of channels.
    pub fn replace(&mut self, circuit: &Circuit) {
        assert_eq!(circuit.channels(), self.channels, "a circuit over the same channels");
        self.schedule = Schedule::new(circuit);
    }

    /// How many values are kept at once; each takes 128 bytes of cache.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.schedule.slots
    }

    /// All cells take step number `step`; with `fire`, those that fire in it do.
    ///
    /// # Panics
    /// If the boards have another number of channels than the circuit.
    pub fn step(&mut self, cpu: &Cpu, boards: &mut Boards, fire: Option<Fire>, step: u32) {
        self.step_part(cpu, boards, fire, step, 0..boards.blocks());
    }

    /// Takes a part of a step: that of these [blocks](Boards::blocks). The boards stay as they are until the last block
    /// is done; the parts of a step come one after another, with the same circuit and the same `fire`.
    ///
    /// # Panics
    /// If the boards have another number of channels than the circuit, or fewer blocks.
    pub fn step_part(
        &mut self,
        cpu: &Cpu,
        boards: &mut Boards,
        fire: Option<Fire>,
        step: u32,
        blocks: Range<usize>,
    ) {
        self.step_at(cpu.level(), cpu, boards, fire, step, blocks);
    }

    fn step_at(
        &mut self,
        level: Level,
        cpu: &Cpu,
        boards: &mut Boards,
        fire: Option<Fire>,
        step: u32,
        blocks: Range<usize>,
    ) {
        assert_eq!(boards.channels(), self.channels, "boards with the channels of the circuit");
        if let Some(fire) = fire {
            fire.ignite(level, cpu, boards, step, boards.rows_in(&blocks));
        }
        let layout = boards.layout;
        let bands = cpu.threads().min(blocks.len() / FEWEST_BLOCKS).max(1);
        while self.slots.len() < bands {
            self.slots.push(Mutex::new(Slots::new()));
        }
        let step = Step {
            schedule: &self.schedule,
            planes: &boards.planes,
            words: layout.words,
            cells: &boards.cells,
            firing: fire.map(|_| &boards.firing[..]),
            places: kernel::places(layout.stride),
        };
        let range = layout.first_word + blocks.start * BLOCK..layout.first_word + blocks.end * BLOCK;
        // Bands of successive blocks, as nearly equal as may be: for each the words of all channels.
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

    /// That the best level is right is tested against the slow automaton, in `tests/integration/hard.rs`.
    #[test]
    fn all_levels_step_alike() {
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
                let mut code = Code::new(&circuit);
                for step in 0..4 {
                    let fire = (step % 2 == 1).then_some(Fire { rate: 0.6, seed: 3 });
                    let blocks = 0..boards.blocks();
                    code.step_at(level, &cpu, &mut boards, fire, step, blocks);
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
