//! Training boards of the local search, bit-packed: a 64-bit word holds the same row of several boards.

use super::netlist::{EvaluationPlan, GateOperation};
use crate::circuit::NEIGHBORHOOD;
use crate::config::LogicConfig;
use crate::epoch_batch::EpochBatch;
use crate::grid::{Border, Grid};
use crate::target::TargetPattern;
use vivarium_kernels::simd::{self, Simd, dispatch};

/// Maximum number of columns of a board, because a row must fit a 64-bit word.
pub const MAX_WIDTH: usize = 64;

/// Number of 64-bit words (one bit per cell) for which each gate is evaluated at a time: one AVX-512 vector.
const BLOCK: usize = 8;

type WordBlock = [u64; BLOCK];

/// Training boards of the local search, from several epochs: initial states, update masks and targets as bit planes.
///
/// As many boards as fit a 64-bit word side by side form a *group*: word r of the group holds row r of all its boards.
/// The groups follow each other in a bit plane, and at least one zero word follows the last group.
#[derive(Debug)]
pub struct TrainingBoards {
    config: LogicConfig,
    batch: EpochBatch,
    groups: usize,
    /// Number of 64-bit words per bit plane; a multiple of [`BLOCK`].
    words: usize,
    /// Initial states of the boards as bit planes, `[channel][words]`.
    start: Vec<Vec<u64>>,
    /// Target bits of the last state as bit planes, `[target channel][words]`.
    target_bits: Vec<Vec<u64>>,
    /// Update masks as bit planes, `[step][words]`: 1 for cells that are updated in the step. Empty for synchronous
    /// updates.
    update_mask: Vec<Vec<u64>>,
    /// Bit mask of one plane: 1 for bits that are cells of a board, 0 for unused bits.
    cells: Vec<u64>,
    /// Table of neighbor rows, `[3][words]`: for each word of a bit plane, the indices of the words that hold the row
    /// above, the row itself, and the row below.
    rows: [Vec<u32>; 3],
    /// Two bit masks of a word: the bits in the first column, and the bits in the last column, of all boards that share
    /// the word.
    edges: [u64; 2],
}

/// Scratch memory for the evaluation of a circuit on the training boards: bit planes of the current and of the next
/// state, and the values of all gates for one block of 64-bit words.
#[derive(Debug, Default)]
pub struct SearchScratch {
    state: Vec<u64>,
    next: Vec<u64>,
    values: Vec<WordBlock>,
}

/// Returns the number of 64-bit words in a bit plane that holds the boards of `epochs` epochs.
fn words_of(config: &LogicConfig, epochs: u64) -> u64 {
    let groups = (epochs * u64::from(config.batch)).div_ceil(64 / u64::from(config.width));
    (groups * u64::from(config.height) + 1).next_multiple_of(BLOCK as u64)
}

/// Returns an estimate of the memory, in bytes, of the training boards of `epochs` epochs.
pub fn needed(config: &LogicConfig, epochs: u64) -> u64 {
    let mask_words = if config.fire_rate < 1.0 { config.steps } else { 0 };
    // Planes of the initial state, the target, the update masks and the cell mask. The indices of adjacent rows follow.
    let planes = u64::from(2 * config.channels + mask_words + 1);
    words_of(config, epochs) * (planes * size_of::<u64>() as u64 + 3 * size_of::<u32>() as u64)
}

/// Returns an estimate of the scratch memory, in bytes, with which one circuit is evaluated on the boards of `epochs`
/// epochs.
pub fn needed_to_step(config: &LogicConfig, epochs: u64) -> u64 {
    let planes = 2 * u64::from(config.channels);
    let loads = config.channels as usize * NEIGHBORHOOD;
    let values = loads + config.architecture().gates_per_cell();
    words_of(config, epochs) * planes * size_of::<u64>() as u64 + (values * size_of::<WordBlock>()) as u64
}

impl TrainingBoards {
    /// Creates an empty set of training boards; [`draw`](Self::draw) fills the set.
    pub fn new(config: &LogicConfig, seed: u64) -> Self {
        Self {
            batch: EpochBatch::new(config, config.grid(), seed),
            config: config.clone(),
            groups: 0,
            words: 0,
            start: Vec::new(),
            target_bits: Vec::new(),
            update_mask: Vec::new(),
            cells: Vec::new(),
            rows: Default::default(),
            edges: [0; 2],
        }
    }

    /// Returns the number of channels that are compared with the target.
    pub fn target_channels(&self) -> usize {
        self.target_bits.len()
    }

    /// Replaces the training boards by the boards of the given epochs, sampled again from the seed. `target` is the
    /// target pattern, or `None` for the Game of Life.
    pub fn draw(&mut self, epochs: &[u64], target: Option<&TargetPattern>) {
        let grid = self.config.grid();
        self.lay_out(grid, epochs.len() * grid.boards);
        let steps = self.batch.steps;
        let empty = |planes: usize| vec![vec![0; self.words]; planes];
        (self.start, self.cells) = (empty(self.config.channels as usize), vec![0; self.words]);
        self.target_bits = Vec::new();
        self.update_mask = empty(if self.config.fire_rate < 1.0 { steps } else { 0 });
        let mut numbers = vec![0.0; grid.lanes()];
        for (place, &epoch) in epochs.iter().enumerate() {
            self.batch.draw(epoch, target);
            self.target_bits.resize(self.batch.target_bits.len(), vec![0; self.words]);
            let first = place * grid.boards;
            let planes = self.start.iter_mut().chain(&mut self.target_bits);
            for (plane, bits) in planes.zip(self.batch.start.iter().chain(&self.batch.target_bits)) {
                pack(grid, first, bits.iter().copied(), plane);
            }
            pack(grid, first, std::iter::repeat_n(true, grid.lanes()), &mut self.cells);
            if let Some(update_mask) = self.batch.update_mask {
                for (step, plane) in self.update_mask.iter_mut().enumerate() {
                    update_mask.draw(simd::level(), step as u32, 0, &mut numbers);
                    pack(grid, first, numbers.iter().map(|&number| number < update_mask.rate), plane);
                }
            }
        }
    }

    /// Computes the bit layout of a plane with `boards` boards: number of groups, row indices and edge masks.
    fn lay_out(&mut self, grid: Grid, boards: usize) {
        let (height, side_by_side) = (grid.height, 64 / grid.width);
        self.groups = boards.div_ceil(side_by_side);
        let seen = self.groups * height;
        self.words = (seen + 1).next_multiple_of(BLOCK);
        let at = |word: usize, by: isize| {
            let (group, row) = (word / height, (word % height) as isize + by);
            let row = match grid.border {
                Border::Periodic => row.rem_euclid(height as isize),
                Border::Fixed if row < 0 || row >= height as isize => return seen as u32,
                Border::Fixed => row,
            };
            (group * height + row as usize) as u32
        };
        self.rows = [-1, 0, 1].map(|by| {
            (0..self.words).map(|word| if word < seen { at(word, by) } else { seen as u32 }).collect()
        });
        let column = |column: usize| (0..side_by_side).map(|board| 1 << (board * grid.width + column)).sum();
        self.edges = [column(0), column(grid.width - 1)];
    }

    /// Runs the circuit of `plan` on all training boards for all automaton steps. Returns the number of wrong bits in
    /// the last state, summed over the boards.
    pub fn wrong_bits(&self, plan: &EvaluationPlan, scratch: &mut SearchScratch) -> u32 {
        dispatch!(simd::level(), s => self.count_wrong_bits(s, plan, scratch))
    }

    #[inline(always)]
    fn count_wrong_bits<S: Simd>(&self, _: S, plan: &EvaluationPlan, scratch: &mut SearchScratch) -> u32 {
        let SearchScratch { state, next, values } = scratch;
        let words = self.words;
        state.resize(self.start.len() * words, 0);
        next.resize(state.len(), 0);
        for &(channel, _) in &plan.outputs {
            let channel = channel as usize;
            state[channel * words..][..words].copy_from_slice(&self.start[channel]);
        }
        values.resize(plan.loads.len() + plan.gates.len(), [0; BLOCK]);
        for step in 0..self.batch.steps {
            for first in (0..words).step_by(BLOCK) {
                for (&(channel, place), value) in plan.loads.iter().zip(&mut *values) {
                    let plane = &state[channel as usize * words..][..words];
                    self.load(plane, place as usize, first, value);
                }
                for (out, operation) in (plan.loads.len()..).zip(&plan.gates) {
                    values[out] = evaluate(operation, values);
                }
                for &(channel, slot) in &plan.outputs {
                    let at = channel as usize * words + first;
                    let new = &values[slot as usize];
                    match self.update_mask.get(step) {
                        None => next[at..at + BLOCK].copy_from_slice(new),
                        Some(update_mask) => {
                            for (word, new) in new.iter().enumerate() {
                                let update_mask = update_mask[first + word];
                                next[at + word] = state[at + word] & !update_mask | new & update_mask;
                            }
                        }
                    }
                }
            }
            std::mem::swap(state, next);
            // The words after the boards must stay zero.
            for &(channel, _) in &plan.outputs {
                let seen = self.groups * self.config.height as usize;
                state[channel as usize * words..][seen..words].fill(0);
            }
        }
        let wrong = self.target_bits.iter().zip(state.chunks_exact(words)).map(|(target_bits, state)| {
            let words = target_bits.iter().zip(state).zip(&self.cells);
            words.map(|((target_bits, got), cells)| ((target_bits ^ got) & cells).count_ones()).sum::<u32>()
        });
        wrong.sum()
    }

    /// Loads, for all cells of the block that begins at word `first` of `plane`, the neighbors at neighborhood position
    /// `place` (0 to 8) into `value`.
    #[inline(always)]
    fn load(&self, plane: &[u64], place: usize, first: usize, value: &mut WordBlock) {
        let side = NEIGHBORHOOD.isqrt();
        let rows = &self.rows[place / side][first..first + BLOCK];
        for (value, &row) in value.iter_mut().zip(rows) {
            *value = plane[row as usize];
        }
        let [left, right] = self.edges;
        let (periodic, width) = (self.config.border == Border::Periodic, self.config.width);
        for value in value {
            let (row, around) = (*value, |beyond: u64| if periodic { beyond } else { 0 });
            *value = match place % side {
                0 => row << 1 & !left | around(row >> (width - 1) & left),
                1 => row,
                _ => row >> 1 & !right | around(row << (width - 1) & right),
            };
        }
    }
}

/// Evaluates a gate bitwise for all cells of a block. `values` holds the circuit values of the block, `[slot]`: inputs
/// and results of gates.
#[inline(always)]
fn evaluate(&GateOperation { function, a, b }: &GateOperation, values: &[WordBlock]) -> WordBlock {
    let corner = |number: u8| if function >> number & 1 == 1 { u64::MAX } else { 0 };
    let corners = [corner(0), corner(1), corner(2), corner(3)];
    let (a, b) = (&values[a as usize], &values[b as usize]);
    std::array::from_fn(|word| {
        let (a, b) = (a[word], b[word]);
        corners[0] & a & b | corners[1] & a & !b | corners[2] & !a & b | corners[3] & !a & !b
    })
}

/// Packs the cells of the boards of one epoch, one value of `bits` per cell, into `plane`. The epoch's first board has
/// the index `first` among all training boards.
fn pack(grid: Grid, first: usize, bits: impl Iterator<Item = bool>, plane: &mut [u64]) {
    let side_by_side = 64 / grid.width;
    for (lane, bit) in bits.enumerate() {
        let (board, cell) = (first + lane / grid.cells(), lane % grid.cells());
        let (row, column) = (cell / grid.width, cell % grid.width);
        let word = board / side_by_side * grid.height + row;
        plane[word] |= u64::from(bit) << (board % side_by_side * grid.width + column);
    }
}
#[cfg(test)]
impl TrainingBoards {
    /// Returns the memory of all bit planes and row indices of the training boards, in bytes.
    pub fn bytes(&self) -> u64 {
        let planes = self.start.iter().chain(&self.target_bits).chain(&self.update_mask).chain([&self.cells]);
        let rows = self.rows.iter().map(|row| size_of_val(&row[..]));
        (planes.map(|plane| size_of_val(&plane[..])).sum::<usize>() + rows.sum::<usize>()) as u64
    }
}

#[cfg(test)]
impl SearchScratch {
    /// Returns the memory of the scratch arrays, in bytes.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&self.state[..]) + size_of_val(&self.next[..]) + size_of_val(&self.values[..])) as u64
    }
}
