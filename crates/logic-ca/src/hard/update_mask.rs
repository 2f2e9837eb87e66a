//! Random update masks of asynchronous automata.

use super::boards::{Boards, write_bits};
use crate::circuit::rng_stream;
use std::ops::Range;
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_kernels::simd::{Level, Simd, SimdBase, SimdMask, dispatch};

/// Number of cells whose random numbers are generated in one call; a multiple of 64.
const AT_ONCE: usize = 1024;

/// Random choice of the cells that an asynchronous automaton updates: in each step every cell is updated with
/// probability `rate`, else it keeps its state.
///
/// The cell `lane` of the boards is updated in step `step` if the uniform random number `lane` of random stream `step`
/// is below `rate`. Therefore rollouts with soft gates and with hard gates have the same masks, on the CPU and on the
/// GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpdateMask {
    /// Probability that a cell is updated in a step (fire rate).
    pub rate: f32,
    /// Seed from which the random streams of all steps are derived.
    pub seed: u64,
}

impl UpdateMask {
    /// Creates the update mask of epoch `epoch` in the run with seed `seed`. `rate` is the fire rate.
    pub(crate) fn of_epoch(rate: f32, seed: u64, epoch: u64) -> Self {
        let seed = rng::derive(rng::derive(seed, rng_stream::UPDATE_MASK), (epoch >> 32) as u32);
        Self { rate, seed: rng::derive(seed, epoch as u32) }
    }

    /// Returns the key of the random number generator, derived from the mask's seed.
    pub(crate) fn key(self) -> u64 {
        rng::derive(self.seed, rng_stream::UPDATE_MASK)
    }

    /// Fills `numbers` with the uniform random numbers of lanes (cells) `first`, `first` + 1, … in step `step`. Lanes
    /// with a number below the rate are updated. `first` must be even.
    pub fn draw(self, level: Level, step: u32, first: usize, numbers: &mut [f32]) {
        debug_assert!(first.is_multiple_of(2), "numbers are drawn in pairs");
        rng::fill_uniform(level, self.key(), step, (first / 2) as u32, numbers);
    }

    /// Samples which cells are updated in step `step`, for the given rows of `boards`, and stores the mask in the
    /// boards. Rows are numbered over all boards.
    pub(super) fn sample_update_mask(
        self,
        level: Level,
        cpu: &Cpu,
        boards: &mut Boards,
        step: u32,
        rows: Range<usize>,
    ) {
        if rows.is_empty() {
            return;
        }
        let (grid, layout) = (boards.grid(), boards.layout);
        let mut mask_words = std::mem::take(&mut boards.mask_words);
        mask_words.resize(layout.words, 0);
        let width = grid.width;
        if layout.stride.is_multiple_of(64) && cpu.threads() > 1 {
            // Word-aligned rows can be written in parallel. The left margin of a row is not needed here.
            let words = layout.stride / 64;
            let mut lines: Vec<_> = mask_words[layout.first_word..].chunks_exact_mut(words).collect();
            let line_of = |row: usize| row / grid.height * (grid.height + 2) + row % grid.height;
            let first = line_of(rows.start);
            cpu.for_each(&mut lines[first..=line_of(rows.end - 1)], |line, words| {
                let line = first + line;
                let (board, row) = (line / (grid.height + 2), line % (grid.height + 2));
                if row < grid.height {
                    self.sample_row(level, step, (board * grid.height + row) * width, width, words, 0);
                }
            });
        } else {
            for row in rows {
                let start = boards.row_start(row);
                self.sample_row(level, step, row * width, width, &mut mask_words, start);
            }
        }
        boards.mask_words = mask_words;
    }

    /// Samples the mask bits of `count` successive cells of a board row, beginning with lane `first`, and writes them
    /// to the bit plane `plane` from bit index `bit` on.
    fn sample_row(self, level: Level, step: u32, first: usize, count: usize, plane: &mut [u64], bit: usize) {
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

/// Compares `numbers` with `rate` and writes one bit per number to `words`, 64 numbers per word: 1 if the number is
/// below the rate.
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
