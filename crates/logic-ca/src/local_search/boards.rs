//! The boards that circuits are tried on, packed so that a word holds a row of several boards.

use super::netlist::{Operation, Plan};
use crate::config::LogicConfig;
use crate::grid::{Border, Grid};
use crate::target::Target;
use crate::task::Task;
use crate::wiring::NEIGHBORHOOD;
use vivarium_kernels::simd::{self, Simd, dispatch};

/// The most columns of a board.
pub const WIDEST: usize = 64;

/// Words that are evaluated together.
const BLOCK: usize = 8;

type Words = [u64; BLOCK];

/// Boards of some epochs: how they start, which cells fire, and what they are to become.
///
/// The same row of several boards lies side by side in a word; the rows of such a group follow each other, and then those of
/// the next group. Behind them is a row of zeros, at least one.
#[derive(Debug)]
pub struct TrainingBoards {
    config: LogicConfig,
    task: Task,
    groups: usize,
    /// Words of a plane; a multiple of [`BLOCK`].
    words: usize,
    /// `[channel][words]`.
    start: Vec<Vec<u64>>,
    /// `[target channel][words]`.
    wanted: Vec<Vec<u64>>,
    /// `[step][words]`; empty where all cells fire.
    fired: Vec<Vec<u64>>,
    /// 1 where there is a cell.
    cells: Vec<u64>,
    /// The words above, beside and below each word.
    rows: [Vec<u32>; 3],
    /// The first and the last column of every board in a word.
    edges: [u64; 2],
}

/// What trying a circuit needs: its boards' present state and the next one, and the values of a block.
#[derive(Debug, Default)]
pub struct Scratch {
    state: Vec<u64>,
    next: Vec<u64>,
    values: Vec<Words>,
}

/// Words of a plane of the boards of so many epochs.
fn words_of(config: &LogicConfig, epochs: u64) -> u64 {
    let groups = (epochs * u64::from(config.batch)).div_ceil(64 / u64::from(config.width));
    (groups * u64::from(config.height) + 1).next_multiple_of(BLOCK as u64)
}

/// Bytes that the boards of so many epochs take.
pub fn needed(config: &LogicConfig, epochs: u64) -> u64 {
    let firing = if config.fire_rate < 1.0 { config.steps } else { 0 };
    // The start, what is wanted, who fires, which cells there are; and the rows beside each.
    let planes = u64::from(2 * config.channels + firing + 1);
    words_of(config, epochs) * (planes * size_of::<u64>() as u64 + 3 * size_of::<u32>() as u64)
}

/// Bytes that it takes to step them.
pub fn needed_to_step(config: &LogicConfig, epochs: u64) -> u64 {
    let planes = 2 * u64::from(config.channels);
    let loads = config.channels as usize * NEIGHBORHOOD;
    let values = loads + config.architecture().gates_per_cell();
    words_of(config, epochs) * planes * size_of::<u64>() as u64 + (values * size_of::<Words>()) as u64
}

impl TrainingBoards {
    /// No boards yet.
    pub fn new(config: &LogicConfig, seed: u64) -> Self {
        Self {
            task: Task::new(config, config.grid(), seed),
            config: config.clone(),
            groups: 0,
            words: 0,
            start: Vec::new(),
            wanted: Vec::new(),
            fired: Vec::new(),
            cells: Vec::new(),
            rows: Default::default(),
            edges: [0; 2],
        }
    }

    /// How many channels are wanted.
    pub fn wanted_channels(&self) -> usize {
        self.wanted.len()
    }

    /// Draws the boards of these epochs.
    pub fn draw(&mut self, epochs: &[u64], target: Option<&Target>) {
        let grid = self.config.grid();
        self.lay_out(grid, epochs.len() * grid.boards);
        let steps = self.task.steps;
        let empty = |planes: usize| vec![vec![0; self.words]; planes];
        (self.start, self.cells) = (empty(self.config.channels as usize), vec![0; self.words]);
        self.wanted = Vec::new();
        self.fired = empty(if self.config.fire_rate < 1.0 { steps } else { 0 });
        let mut numbers = vec![0.0; grid.lanes()];
        for (place, &epoch) in epochs.iter().enumerate() {
            self.task.draw(epoch, target);
            self.wanted.resize(self.task.wanted.len(), vec![0; self.words]);
            let first = place * grid.boards;
            let planes = self.start.iter_mut().chain(&mut self.wanted);
            for (plane, bits) in planes.zip(self.task.start.iter().chain(&self.task.wanted)) {
                pack(grid, first, bits.iter().copied(), plane);
            }
            pack(grid, first, std::iter::repeat_n(true, grid.lanes()), &mut self.cells);
            if let Some(fire) = self.task.fire {
                for (step, plane) in self.fired.iter_mut().enumerate() {
                    fire.draw(simd::level(), step as u32, 0, &mut numbers);
                    pack(grid, first, numbers.iter().map(|&number| number < fire.rate), plane);
                }
            }
        }
    }

    /// Where so many boards lie.
    fn lay_out(&mut self, grid: Grid, boards: usize) {
        let (height, side_by_side) = (grid.height, 64 / grid.width);
        self.groups = boards.div_ceil(side_by_side);
        let used = self.groups * height;
        self.words = (used + 1).next_multiple_of(BLOCK);
        let at = |word: usize, by: isize| {
            let (group, row) = (word / height, (word % height) as isize + by);
            let row = match grid.border {
                Border::Periodic => row.rem_euclid(height as isize),
                Border::Fixed if row < 0 || row >= height as isize => return used as u32,
                Border::Fixed => row,
            };
            (group * height + row as usize) as u32
        };
        self.rows = [-1, 0, 1].map(|by| {
            (0..self.words).map(|word| if word < used { at(word, by) } else { used as u32 }).collect()
        });
        let column = |column: usize| (0..side_by_side).map(|board| 1 << (board * grid.width + column)).sum();
        self.edges = [column(0), column(grid.width - 1)];
    }

    /// How many bits the circuit of a plan gets wrong.
    pub fn wrong_bits(&self, plan: &Plan, scratch: &mut Scratch) -> u32 {
        dispatch!(simd::level(), s => self.count_wrong_bits(s, plan, scratch))
    }

    #[inline(always)]
    fn count_wrong_bits<S: Simd>(&self, _: S, plan: &Plan, scratch: &mut Scratch) -> u32 {
        let Scratch { state, next, values } = scratch;
        let words = self.words;
        state.resize(self.start.len() * words, 0);
        next.resize(state.len(), 0);
        for &(channel, _) in &plan.outputs {
            let channel = channel as usize;
            state[channel * words..][..words].copy_from_slice(&self.start[channel]);
        }
        values.resize(plan.loads.len() + plan.gates.len(), [0; BLOCK]);
        for step in 0..self.task.steps {
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
                    match self.fired.get(step) {
                        None => next[at..at + BLOCK].copy_from_slice(new),
                        Some(fired) => {
                            for (word, new) in new.iter().enumerate() {
                                let fired = fired[first + word];
                                next[at + word] = state[at + word] & !fired | new & fired;
                            }
                        }
                    }
                }
            }
            std::mem::swap(state, next);
            // Nothing but zeros may come from behind the boards.
            for &(channel, _) in &plan.outputs {
                let used = self.groups * self.config.height as usize;
                state[channel as usize * words..][used..words].fill(0);
            }
        }
        let wrong = self.wanted.iter().zip(state.chunks_exact(words)).map(|(wanted, state)| {
            let words = wanted.iter().zip(state).zip(&self.cells);
            words.map(|((wanted, got), cells)| ((wanted ^ got) & cells).count_ones()).sum::<u32>()
        });
        wrong.sum()
    }

    /// The neighbors at a place of a block of cells.
    #[inline(always)]
    fn load(&self, plane: &[u64], place: usize, first: usize, value: &mut Words) {
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

/// The value of a gate, bit by bit.
#[inline(always)]
fn evaluate(&Operation { function, a, b }: &Operation, values: &[Words]) -> Words {
    let corner = |number: u8| if function >> number & 1 == 1 { u64::MAX } else { 0 };
    let corners = [corner(0), corner(1), corner(2), corner(3)];
    let (a, b) = (&values[a as usize], &values[b as usize]);
    std::array::from_fn(|word| {
        let (a, b) = (a[word], b[word]);
        corners[0] & a & b | corners[1] & a & !b | corners[2] & !a & b | corners[3] & !a & !b
    })
}

/// Puts the cells of an epoch's boards where they lie, the first of them being board number `first`.
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
    /// The bytes that its planes and rows take.
    pub fn bytes(&self) -> u64 {
        let planes = self.start.iter().chain(&self.wanted).chain(&self.fired).chain([&self.cells]);
        let rows = self.rows.iter().map(|row| size_of_val(&row[..]));
        (planes.map(|plane| size_of_val(&plane[..])).sum::<usize>() + rows.sum::<usize>()) as u64
    }
}

#[cfg(test)]
impl Scratch {
    /// The bytes that it takes.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&self.state[..]) + size_of_val(&self.next[..]) + size_of_val(&self.values[..])) as u64
    }
}
