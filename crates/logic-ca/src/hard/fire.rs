//! Which cells fire in a step, where not all do.

use super::boards::{Boards, write_bits};
use crate::circuit::purpose;
use std::ops::Range;
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_kernels::simd::{Level, Simd, SimdBase, SimdMask, dispatch};

/// Cells whose numbers are drawn together; a multiple of 64.
const AT_ONCE: usize = 1024;

/// Asynchronous updates: in every step each cell fires with this probability and else stays as it is.
///
/// Cell `lane` fires in step `step` if uniform number `lane` of stream `step` is below the rate. So it
/// depends on nothing else, and is the same in soft rollouts, in hard ones, and on every engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fire {
    /// The probability that a cell fires in a step.
    pub rate: f32,
    /// From which the numbers are drawn.
    pub seed: u64,
}

impl Fire {
    /// Which cells fire in a run's epoch after `epoch` others.
    pub(crate) fn of_epoch(rate: f32, seed: u64, epoch: u64) -> Self {
        let seed = rng::derive(rng::derive(seed, purpose::FIRE), (epoch >> 32) as u32);
        Self { rate, seed: rng::derive(seed, epoch as u32) }
    }

    /// The seed that the numbers are drawn from.
    pub(crate) fn key(self) -> u64 {
        rng::derive(self.seed, purpose::FIRE)
    }

    /// The uniform numbers of lanes `first`, `first` + 1, …: those below the rate fire. `first` must be even.
    pub fn draw(self, level: Level, step: u32, first: usize, numbers: &mut [f32]) {
        debug_assert!(first.is_multiple_of(2), "numbers are drawn in pairs");
        rng::fill_uniform(level, self.key(), step, (first / 2) as u32, numbers);
    }

    /// Draws a step's firing cells into these rows of the boards.
    pub(super) fn ignite(self, level: Level, cpu: &Cpu, boards: &mut Boards, step: u32, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        let (grid, layout) = (boards.grid(), boards.layout);
        let mut firing = std::mem::take(&mut boards.firing);
        firing.resize(layout.words, 0);
        let width = grid.width;
        if layout.stride.is_multiple_of(64) && cpu.threads() > 1 {
            // Rows that begin with a word can be written apart. A row's margin to the left is not needed
            // here.
            let words = layout.stride / 64;
            let mut lines: Vec<_> = firing[layout.first_word..].chunks_exact_mut(words).collect();
            let line_of = |row: usize| row / grid.height * (grid.height + 2) + row % grid.height;
            let first = line_of(rows.start);
            cpu.for_each(&mut lines[first..=line_of(rows.end - 1)], |line, words| {
                let line = first + line;
                let (board, row) = (line / (grid.height + 2), line % (grid.height + 2));
                if row < grid.height {
                    self.ignite_row(level, step, (board * grid.height + row) * width, width, words, 0);
                }
            });
        } else {
            for row in rows {
                let start = boards.row_start(row);
                self.ignite_row(level, step, row * width, width, &mut firing, start);
            }
        }
        boards.firing = firing;
    }

    /// `count` cells from lane `first` on, to bits from `bit` on.
    fn ignite_row(self, level: Level, step: u32, first: usize, count: usize, plane: &mut [u64], bit: usize) {
        let mut numbers = [0.0; AT_ONCE + 2];
        let mut words = [0; AT_ONCE / 64];
        let odd = first % 2;
        for at in (0..count).step_by(AT_ONCE) {
            let count = AT_ONCE.min(count - at);
            let numbers = &mut numbers[..odd + count];
            self.draw(level, step, first - odd + at, numbers);
            dispatch!(level, s => bits_below(s, &numbers[odd..], self.rate, &mut words));
            for (place, &word) in words[..count.div_ceil(64)].iter().enumerate() {
                write_bits(plane, bit + at + 64 * place, 64.min(count - 64 * place), word);
            }
        }
    }
}

/// A bit for every number, 1 if it is below the rate; 64 a word.
#[inline(always)]
fn bits_below<S: Simd>(s: S, numbers: &[f32], rate: f32, words: &mut [u64]) {
    let rates = S::f32s::splat(s, rate);
    for (numbers, word) in numbers.chunks(64).zip(words) {
        let whole = numbers.chunks_exact(S::f32s::LEN);
        let rest = whole.remainder();
        let mut bits = 0;
        for (place, numbers) in whole.enumerate() {
            bits |= S::f32s::from_slice(s, numbers).simd_lt(rates).to_bitmask() << (place * S::f32s::LEN);
        }
        let done = numbers.len() - rest.len();
        for (place, &number) in rest.iter().enumerate() {
            bits |= u64::from(number < rate) << (done + place);
        }
        *word = bits;
    }
}
