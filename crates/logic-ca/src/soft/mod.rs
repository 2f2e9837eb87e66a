//! Soft rollouts: the automaton with values between 0 and 1, and the gradient of a loss on its last state.
//!
//! Lanes are the cells of all boards, in blocks of [`LANES`]; a step takes every block through the whole circuit in one
//! thread's cache, and blocks are independent of each other. The states of all steps are kept; the values inside the
//! circuit are not, they are computed again on the way back. Every cut into blocks and groups, and the order in
//! which sums are added, follow from the shapes alone: the result does not depend on the number of threads.

mod block;
mod layer;

use crate::gate::Coefficients;
use crate::grid::Grid;
use crate::parallel::{Parts, for_each_part};
use crate::program::Program;
use crate::wiring::NEIGHBORHOOD;
use block::{Above, Arena, Step};
pub use layer::{LANES, Row};
use std::sync::{Mutex, MutexGuard, PoisonError};
use vivarium_graph::Cpu;
use vivarium_kernels::simd::dispatch;

/// Blocks are cut into at most this many groups; each has sums of its own, and is worked on by one thread.
pub(crate) const MAX_GROUPS: usize = 16;

/// A rollout of a given number of steps on given boards. See the [module](self).
///
/// The caller sets the start ([`set_start`](Self::set_start)) and the coefficients, takes all steps
/// [`forward`](Self::forward), writes the gradient of the loss ([`set_loss_gradient`](Self::set_loss_gradient)) and
/// takes all steps [`backward`](Self::backward), the last one first; then the [`sums`](Self::add_up) are complete.
#[derive(Debug)]
pub struct Rollout {
    program: Program,
    grid: Grid,
    blocks: usize,
    group: usize,
    sources: Vec<Vec<u32>>,
    /// `[steps + 1][block][channel]`, with a block of zeros behind the last one.
    states: Vec<Vec<Row>>,
    /// `[steps][block]`; empty where all cells fire.
    fired: Vec<Vec<Row>>,
    /// `[block][channel]`.
    loss_gradient: Vec<Row>,
    /// `[block][channel][place]`, with a block of zeros behind the last one; of the step just done and of the one before.
    neighborhoods: [Vec<Row>; 2],
    coefficients: Vec<Coefficients>,
    /// `[group][gate]`.
    group_sums: Vec<Coefficients>,
    arenas: Vec<Mutex<Arena>>,
}

impl Rollout {
    /// Memory for `steps` steps of this circuit on these boards.
    ///
    /// `asynchronous`: cells may rest in a step; see [`set_fired`](Self::set_fired).
    #[must_use]
    pub fn new(program: Program, grid: Grid, steps: usize, asynchronous: bool) -> Self {
        let (channels, gates) = (program.channels, program.gates());
        let blocks = grid.lanes().div_ceil(LANES);
        let group = blocks.div_ceil(MAX_GROUPS).max(1);
        let groups = blocks.div_ceil(group);
        let nobody = blocks * LANES;
        let source = |lane, place| match lane < grid.lanes() {
            true => grid.neighbor(lane, place).unwrap_or(nobody),
            false => nobody,
        };
        let sources = |place| (0..nobody).map(|lane| source(lane, place) as u32).collect();
        let rows = |count| vec![Row::ZERO; count];
        Self {
            grid,
            blocks,
            group,
            sources: (0..NEIGHBORHOOD).map(sources).collect(),
            states: vec![rows((blocks + 1) * channels); steps + 1],
            fired: if asynchronous { vec![rows(blocks); steps] } else { Vec::new() },
            loss_gradient: rows(blocks * channels),
            neighborhoods: [(); 2].map(|()| rows((blocks + 1) * channels * NEIGHBORHOOD)),
            coefficients: vec![[0.0; 4]; gates],
            group_sums: vec![[0.0; 4]; groups * gates],
            arenas: Vec::new(),
            program,
        }
    }

    /// Steps of the rollout.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.states.len() - 1
    }

    /// The boards.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The value of a channel of a cell after `step` steps; 0 is the start.
    #[must_use]
    pub fn value(&self, step: usize, channel: usize, lane: usize) -> f32 {
        self.states[step][lane / LANES * self.program.channels + channel].0[lane % LANES]
    }

    /// A channel of the first `out.len()` lanes after `step` steps, 0 as 0 and 1 as 255.
    pub(crate) fn first_values(&self, step: usize, channel: usize, out: &mut [u8]) {
        for (block, out) in out.chunks_mut(LANES).enumerate() {
            let row = &self.states[step][block * self.program.channels + channel].0;
            for (out, value) in out.iter_mut().zip(row) {
                *out = (value * 255.0 + 0.5) as u8;
            }
        }
    }

    /// Sets channel `channel` of the start, one value per lane.
    pub fn set_start(&mut self, channel: usize, values: impl Iterator<Item = f32>) {
        let channels = self.program.channels;
        set_lanes(&mut self.states[0], channels, channel, values);
    }

    /// Sets which cells fire in a step: 1 those that do, 0 those that rest, one value per lane.
    ///
    /// # Panics
    /// If the rollout is not asynchronous.
    pub fn set_fired(&mut self, step: usize, values: impl Iterator<Item = f32>) {
        set_lanes(&mut self.fired[step], 1, 0, values);
    }

    /// Whether a cell fires in step `step`.
    #[must_use]
    pub fn fires(&self, step: usize, lane: usize) -> bool {
        self.fired.get(step).is_none_or(|fired| fired[lane / LANES].0[lane % LANES] != 0.0)
    }

    /// Sets the gradient of the loss with respect to channel `channel` of the last state, one value per lane. Where it
    /// was never set it is 0.
    pub fn set_loss_gradient(&mut self, channel: usize, values: impl Iterator<Item = f32>) {
        let channels = self.program.channels;
        set_lanes(&mut self.loss_gradient, channels, channel, values);
    }

    /// [`set_loss_gradient`](Self::set_loss_gradient) for one lane.
    pub fn set_lane_loss_gradient(&mut self, channel: usize, lane: usize, value: f32) {
        self.loss_gradient[lane / LANES * self.program.channels + channel].0[lane % LANES] = value;
    }

    /// The coefficients of all gates, to be set before the first step forward.
    pub fn coefficients_mut(&mut self) -> &mut [Coefficients] {
        &mut self.coefficients
    }

    /// Takes step `step`, from 0.
    pub fn forward(&mut self, cpu: &Cpu, step: usize) {
        self.fit(cpu);
        let (before, after) = self.states.split_at_mut(step + 1);
        let shared = Step {
            program: &self.program,
            coefficients: &self.coefficients,
            sources: &self.sources,
            state: &before[step],
            fired: self.fired.get(step).map(Vec::as_slice),
        };
        let (channels, group, level) = (self.program.channels, self.group, cpu.level());
        let parts = Parts { items: &mut after[0][..self.blocks * channels], len: group * channels };
        let (groups, arenas) = (self.blocks.div_ceil(group), &self.arenas);
        for_each_part(cpu, groups, parts, Parts { items: &mut [(); 0], len: 0 }, &|number, next, _| {
            let arena = &mut *arena(arenas);
            for (place, next) in next.chunks_exact_mut(channels).enumerate() {
                let block = number * group + place;
                dispatch!(level, s => shared.forward(s, block, arena, next));
            }
        });
    }

    /// Rounds the state after `step` steps to bits. On the way back the gradient passes as if it had not been.
    pub fn round(&mut self, step: usize) {
        for value in self.states[step].iter_mut().flat_map(|row| &mut row.0) {
            *value = if *value > 0.5 { 1.0 } else { 0.0 };
        }
    }

    /// Goes back through step `step`, which must be the last one or the one before that of the previous call.
    pub fn backward(&mut self, cpu: &Cpu, step: usize) {
        self.fit(cpu);
        let last = step + 1 == self.steps();
        if last {
            self.group_sums.fill([0.0; 4]);
        }
        let [above, below] = &mut self.neighborhoods;
        std::mem::swap(above, below);
        let above = if last { Above::Loss(&self.loss_gradient) } else { Above::Neighborhoods(above) };
        let shared = Step {
            program: &self.program,
            coefficients: &self.coefficients,
            sources: &self.sources,
            state: &self.states[step],
            fired: self.fired.get(step).map(Vec::as_slice),
        };
        let (group, level, gates) = (self.group, cpu.level(), self.coefficients.len());
        let rows = self.program.channels * NEIGHBORHOOD;
        let parts = Parts { items: &mut below[..self.blocks * rows], len: group * rows };
        let sums = Parts { items: &mut self.group_sums, len: gates };
        let (groups, arenas) = (self.blocks.div_ceil(group), &self.arenas);
        for_each_part(cpu, groups, parts, sums, &|number, below, sums| {
            let arena = &mut *arena(arenas);
            for (place, below) in below.chunks_exact_mut(rows).enumerate() {
                let block = number * group + place;
                dispatch!(level, s => shared.backward(s, block, above, arena, below, sums));
            }
        });
    }

    /// Σg, Σg·a, Σg·b, Σg·a·b of every gate over all cells and steps, into `total`.
    pub fn add_up(&self, total: &mut [Coefficients]) {
        total.fill([0.0; 4]);
        for group in self.group_sums.chunks_exact(total.len()) {
            for (total, sums) in total.iter_mut().zip(group) {
                for (total, sum) in total.iter_mut().zip(sums) {
                    *total += sum;
                }
            }
        }
    }

    /// The gradient with respect to the start, once all steps have been taken back.
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

    /// Has an arena for every thread.
    fn fit(&mut self, cpu: &Cpu) {
        while self.arenas.len() < cpu.threads() {
            self.arenas.push(Mutex::new(Arena::new(&self.program)));
        }
    }
}

/// Writes one value per lane into a channel of `[block][channel]` rows.
fn set_lanes(rows: &mut [Row], channels: usize, channel: usize, values: impl Iterator<Item = f32>) {
    for (lane, value) in values.enumerate() {
        rows[lane / LANES * channels + channel].0[lane % LANES] = value;
    }
}

/// The memory of the thread that asks. Only this thread locks it, so that nobody ever waits.
fn arena(arenas: &[Mutex<Arena>]) -> MutexGuard<'_, Arena> {
    let index = rayon::current_thread_index().unwrap_or(0) % arenas.len();
    arenas[index].lock().unwrap_or_else(PoisonError::into_inner)
}
