//! A circuit ready to step boards.

use super::boards::{BLOCK, Boards};
use super::circuit::Circuit;
use super::fire::Fire;
use super::kernel::{self, Slots, Step};
use super::schedule::Schedule;
use std::sync::{Mutex, PoisonError};
use vivarium_graph::Cpu;
use vivarium_kernels::simd::dispatch;

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
    /// Compiles a circuit. All its gates are evaluated: it is the caller who [simplifies](Circuit::simplified).
    #[must_use]
    pub fn new(circuit: &Circuit) -> Self {
        Self { channels: circuit.channels(), schedule: Schedule::new(circuit), slots: Vec::new() }
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
        assert_eq!(boards.channels(), self.channels, "boards with the channels of the circuit");
        if let Some(fire) = fire {
            fire.ignite(cpu, boards, step);
        }
        let layout = boards.layout;
        let bands = cpu.threads().min(layout.blocks / FEWEST_BLOCKS).max(1);
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
        let range = layout.first_word..layout.first_word + layout.blocks * BLOCK;
        // Bands of successive blocks, as nearly equal as may be: for each the words of all channels.
        let bound = |band: usize| layout.blocks * band / bands * BLOCK;
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
        let (level, slots) = (cpu.level(), &self.slots);
        cpu.for_each(&mut outputs, |band, outputs| {
            let mut slots = slots[band].lock().unwrap_or_else(PoisonError::into_inner);
            let first = layout.first_word + bound(band);
            dispatch!(level, s => step.run(s, first, &mut slots, outputs));
        });
        boards.advance(cpu);
    }
}
