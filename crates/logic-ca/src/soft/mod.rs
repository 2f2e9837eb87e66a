//! Soft rollouts: forward pass of the relaxed automaton (cell values in [0, 1]) and backpropagation through time over
//! its steps.
//!
//! A lane is one cell of one board. Lanes are processed in independent blocks of [`LANES`]; a thread evaluates the
//! whole circuit for one block, so that its values stay in the cache. Only the states after each step are stored. The
//! backward pass recomputes the values inside the circuit (activation checkpointing). The partition into blocks and
//! groups and the summation order depend on the shapes alone, so results are independent of the number of threads.

mod block;

use crate::circuit::NEIGHBORHOOD;
use crate::gate::Coefficients;
use crate::grid::Grid;
use crate::layered_circuit::LayeredCircuit;
use block::{BlockScratch, SoftStep, UpstreamGradient};
pub use block::{CellRow, LANES};
use std::sync::{Mutex, MutexGuard, PoisonError};
use vivarium_graph::{Chunks, Cpu};
use vivarium_kernels::simd::dispatch;

/// Maximum number of groups into which the blocks of cells are divided. A group is the unit of parallel work and has
/// its own partial gradient sums of the gates.
pub(crate) const MAX_GROUPS: usize = 16;

/// Differentiable rollout of a fixed number of steps on boards of a fixed size. See the [module](self).
///
/// Usage: set the initial state ([`set_start`](Self::set_start)) and the gate [coefficients](Self::coefficients_mut),
/// run all steps [`forward`](Self::forward), set the gradient of the loss
/// ([`set_loss_gradient`](Self::set_loss_gradient)), run all steps [`backward`](Self::backward) in reverse order, and
/// read the [`gate_sums`](Self::gate_sums).
#[derive(Debug)]
pub struct CellRollout {
    program: LayeredCircuit,
    grid: Grid,
    blocks: usize,
    group: usize,
    /// For each neighborhood position and lane (cell), the lane of the neighbor, `[position][lane]`. A neighbor beyond
    /// a fixed border has a lane in the block of zeros after the last block.
    sources: Vec<Vec<u32>>,
    /// States of the cells before the first and after every step, `[steps + 1][block][channel]`. Each state is followed
    /// by a block of zeros, which stands for the cells beyond a fixed border.
    states: Vec<Vec<CellRow>>,
    /// Update masks, `[steps][block]`: 1 for cells that are updated in the step, else 0; empty for synchronous updates.
    update_mask: Vec<Vec<CellRow>>,
    /// Gradient of the loss with respect to the last state, `[block][channel]`.
    loss_gradient: Vec<CellRow>,
    /// Gradients of the neighborhood values that a step reads, for two successive steps, each
    /// `[block][channel][position]` and followed by a block of zeros.
    neighborhoods: [Vec<CellRow>; 2],
    coefficients: Vec<Coefficients>,
    /// Gradient sums Σg, Σg·a, Σg·b, Σg·a·b of the gates over the cells of each group of blocks, `[group][gate]`. The
    /// sum over the groups is the full gradient.
    group_sums: Vec<Coefficients>,
    scratch: Vec<Mutex<BlockScratch>>,
}

impl CellRollout {
    /// Allocates a rollout of `steps` automaton steps of the circuit `program` on the boards of `grid`.
    ///
    /// If `asynchronous` is true, each step has an [update mask](Self::set_update_mask).
    #[must_use]
    pub fn new(program: LayeredCircuit, grid: Grid, steps: usize, asynchronous: bool) -> Self {
        let (channels, gates) = (program.channels, program.gates());
        let blocks = grid.lanes().div_ceil(LANES);
        let group = blocks.div_ceil(MAX_GROUPS).max(1);
        let groups = blocks.div_ceil(group);
        let no_neighbor = blocks * LANES;
        let source = |lane, place| match lane < grid.lanes() {
            true => grid.neighbor(lane, place).unwrap_or(no_neighbor),
            false => no_neighbor,
        };
        let sources = |place| (0..no_neighbor).map(|lane| source(lane, place) as u32).collect();
        let rows = |count| vec![CellRow::ZERO; count];
        Self {
            grid,
            blocks,
            group,
            sources: (0..NEIGHBORHOOD).map(sources).collect(),
            states: vec![rows((blocks + 1) * channels); steps + 1],
            update_mask: if asynchronous { vec![rows(blocks); steps] } else { Vec::new() },
            loss_gradient: rows(blocks * channels),
            neighborhoods: [(); 2].map(|()| rows((blocks + 1) * channels * NEIGHBORHOOD)),
            coefficients: vec![[0.0; 4]; gates],
            group_sums: vec![[0.0; 4]; groups * gates],
            scratch: Vec::new(),
            program,
        }
    }

    /// Returns the number of automaton steps of the rollout.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.states.len() - 1
    }

    /// Returns the number, height, width and boundary condition of the boards.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns the value, in \[0, 1\], of a channel of the cell `lane` after `step` steps; step 0 is the initial state.
    #[must_use]
    pub fn value(&self, step: usize, channel: usize, lane: usize) -> f32 {
        self.states[step][lane / LANES * self.program.channels + channel].0[lane % LANES]
    }

    /// Writes to `out` the values of a channel after `step` steps, for the first `out.len()` lanes (cells). The values
    /// are scaled from [0, 1] to bytes from 0 to 255.
    pub(crate) fn first_values(&self, step: usize, channel: usize, out: &mut [u8]) {
        for (block, out) in out.chunks_mut(LANES).enumerate() {
            let row = &self.states[step][block * self.program.channels + channel].0;
            for (out, value) in out.iter_mut().zip(row) {
                *out = (value * 255.0 + 0.5) as u8;
            }
        }
    }

    /// Sets a channel of the initial state of all boards, one value per lane (cell).
    pub fn set_start(&mut self, channel: usize, values: impl Iterator<Item = f32>) {
        let channels = self.program.channels;
        set_lanes(&mut self.states[0], channels, channel, values);
    }

    /// Sets the update mask of a step, one value per lane (cell): 1 for cells that are updated, 0 for cells that keep
    /// their state.
    ///
    /// # Panics
    /// If the rollout is not asynchronous.
    pub fn set_update_mask(&mut self, step: usize, values: impl Iterator<Item = f32>) {
        set_lanes(&mut self.update_mask[step], 1, 0, values);
    }

    /// Returns whether the cell `lane` is updated in step `step`, counted from 0.
    #[must_use]
    pub fn fires(&self, step: usize, lane: usize) -> bool {
        self.update_mask.get(step).is_none_or(|update_mask| update_mask[lane / LANES].0[lane % LANES] != 0.0)
    }

    /// Sets the gradient of the loss with respect to a channel of the last state, one value per lane (cell). The
    /// gradient is 0 until it is set.
    pub fn set_loss_gradient(&mut self, channel: usize, values: impl Iterator<Item = f32>) {
        let channels = self.program.channels;
        set_lanes(&mut self.loss_gradient, channels, channel, values);
    }

    /// Sets the gradient of the loss with respect to one channel of the cell `lane` in the last state.
    pub fn set_lane_loss_gradient(&mut self, channel: usize, lane: usize, value: f32) {
        self.loss_gradient[lane / LANES * self.program.channels + channel].0[lane % LANES] = value;
    }

    /// Returns a mutable view of the coefficients of all gates, in [gate order](crate::circuit). Set them before the
    /// first forward step.
    pub fn coefficients_mut(&mut self) -> &mut [Coefficients] {
        &mut self.coefficients
    }

    /// Computes the state after step `step`, counted from 0, from the state before it.
    pub fn forward(&mut self, cpu: &Cpu, step: usize) {
        self.ensure_scratch(cpu);
        let (before, after) = self.states.split_at_mut(step + 1);
        let shared = SoftStep {
            program: &self.program,
            coefficients: &self.coefficients,
            sources: &self.sources,
            state: &before[step],
            update_mask: self.update_mask.get(step).map(Vec::as_slice),
        };
        let (channels, group, level) = (self.program.channels, self.group, cpu.level());
        let parts = Chunks { slice: &mut after[0][..self.blocks * channels], len: group * channels };
        let scratches = &self.scratch;
        cpu.for_each_part(parts, |number, next| {
            let scratch = &mut *thread_scratch(scratches);
            for (place, next) in next.slice.chunks_exact_mut(channels).enumerate() {
                let block = number * group + place;
                dispatch!(level, s => shared.forward(s, block, scratch, next));
            }
        });
    }

    /// Rounds the cells' values after `step` steps to 0 or 1, for a hardened (discretized) step. The backward pass
    /// ignores the rounding (straight-through estimator).
    pub fn round(&mut self, step: usize) {
        for value in self.states[step].iter_mut().flat_map(|row| &mut row.0) {
            *value = if *value > 0.5 { 1.0 } else { 0.0 };
        }
    }

    /// Backpropagates through step `step`, counted from 0, and accumulates the gradient sums of the gates. Steps must
    /// be processed in reverse order, beginning with the last step.
    pub fn backward(&mut self, cpu: &Cpu, step: usize) {
        self.ensure_scratch(cpu);
        let last = step + 1 == self.steps();
        if last {
            self.group_sums.fill([0.0; 4]);
        }
        let [above, below] = &mut self.neighborhoods;
        std::mem::swap(above, below);
        let above = if last {
            UpstreamGradient::Loss(&self.loss_gradient)
        } else {
            UpstreamGradient::Neighborhoods(above)
        };
        let shared = SoftStep {
            program: &self.program,
            coefficients: &self.coefficients,
            sources: &self.sources,
            state: &self.states[step],
            update_mask: self.update_mask.get(step).map(Vec::as_slice),
        };
        let (group, level, gates) = (self.group, cpu.level(), self.coefficients.len());
        let rows = self.program.channels * NEIGHBORHOOD;
        let parts = Chunks { slice: &mut below[..self.blocks * rows], len: group * rows };
        let sums = Chunks { slice: &mut self.group_sums[..], len: gates };
        let scratches = &self.scratch;
        cpu.for_each_part((parts, sums), |number, (below, sums)| {
            let scratch = &mut *thread_scratch(scratches);
            for (place, below) in below.slice.chunks_exact_mut(rows).enumerate() {
                let block = number * group + place;
                dispatch!(level, s => shared.backward(s, block, above, scratch, below, sums.slice));
            }
        });
    }

    /// Writes Σg, Σg·a, Σg·b, Σg·a·b over all cells and steps to `total`, `[gate]`. Here a and b are the inputs of a
    /// gate, and g is the gradient of its output.
    pub fn gate_sums(&self, total: &mut [Coefficients]) {
        total.fill([0.0; 4]);
        for group in self.group_sums.chunks_exact(total.len()) {
            for (total, sums) in total.iter_mut().zip(group) {
                for (total, sum) in total.iter_mut().zip(sums) {
                    *total += sum;
                }
            }
        }
    }

    /// Returns the gradient of the loss with respect to a channel of the cell `lane` in the initial state. Requires
    /// that all backward steps are done.
    #[must_use]
    pub fn start_gradient(&self, channel: usize, lane: usize) -> f32 {
        let channels = self.program.channels;
        let from = |place: usize| {
            let reader = self.sources[NEIGHBORHOOD - 1 - place][lane] as usize;
            let row = (reader / LANES * channels + channel) * NEIGHBORHOOD + place;
            self.neighborhoods[1][row].0[reader % LANES]
        };
        (0..NEIGHBORHOOD).map(from).sum()
    }

    /// Allocates the scratch memory of a block's forward and backward pass for every thread of `cpu` that has none.
    fn ensure_scratch(&mut self, cpu: &Cpu) {
        while self.scratch.len() < cpu.threads() {
            self.scratch.push(Mutex::new(BlockScratch::new(&self.program)));
        }
    }
}

/// Writes `values`, one per lane (cell), to channel `channel` of `rows`, `[block][channel]`. A cell has `channels`
/// channels.
fn set_lanes(rows: &mut [CellRow], channels: usize, channel: usize, values: impl Iterator<Item = f32>) {
    for (lane, value) in values.enumerate() {
        rows[lane / LANES * channels + channel].0[lane % LANES] = value;
    }
}

/// Locks and returns the scratch memory of the calling thread. The lock is never contended, because each thread has its
/// own entry of `scratches`.
fn thread_scratch(scratches: &[Mutex<BlockScratch>]) -> MutexGuard<'_, BlockScratch> {
    let index = rayon::current_thread_index().unwrap_or(0) % scratches.len();
    scratches[index].lock().unwrap_or_else(PoisonError::into_inner)
}
