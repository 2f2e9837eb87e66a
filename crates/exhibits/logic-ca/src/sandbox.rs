//! Sandbox: an interactive board on which a simplified circuit runs at a speed in steps per second, independently of
//! training.
//!
//! The sandbox has its own random streams, so it does not affect training.

use super::brush::{self, MAX_RADIUS};
use super::initial_state::{self, noise_at, set_initial_state};
use super::patterns;
use super::simplified_circuit::SimplifiedCircuit;
use crate::protocol::{Paint, SandboxStart};
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_lab::error::LabError;
use vivarium_logic_ca::config::InitialState;
use vivarium_logic_ca::hard::{Boards, CompiledCircuit, UpdateMask};
use vivarium_logic_ca::{Border, Grid, LogicConfig};

/// Maximum number of columns and of rows of the sandbox, the user's interactive board.
pub(crate) const MAX_SIDE: u32 = 1024;

/// Default speed of the sandbox (the user's interactive board) in automaton steps per second.
const DEFAULT_SPEED: f32 = 10.0;

/// Maximum speed of the sandbox in automaton steps per second, if a number is set. At the setting "maximum speed"
/// (`None`) only [`FRAME_WORK`] limits the speed.
pub(super) const MAX_SPEED: f32 = 10_000.0;

/// Maximum number of automaton steps that one command may request.
pub(super) const MAX_STEPS: u32 = 10_000;

/// Maximum work of the sandbox per frame, in gates × cells: about 5 ms on one thread in a browser. An automaton step
/// with more work, on a large board, is distributed over several frames.
const FRAME_WORK: u64 = 1 << 29;

/// Part of the cost of an automaton step that does not depend on the board size, expressed in gate evaluations (gates ×
/// cells).
const STEP_WORK: u64 = 1 << 16;

/// Cost of copying the margins (copies of cells beyond the edges of the board) of one row and channel, expressed in
/// gate evaluations.
const ROW_WORK: u64 = 512;

/// Cost of sampling whether one cell is updated in an automaton step, expressed in gate evaluations.
const MASK_WORK: u64 = 512;

/// Number of the random stream from which the seed of the update masks is derived.
const UPDATE_MASK: u32 = 110;
/// Number of the random stream from which the seeds of random bits that the user requests are derived.
const NOISE: u32 = 111;

/// Sandbox: the user's interactive board, with the compiled circuit that updates its cells.
pub(super) struct Sandbox {
    pub(super) boards: Boards,
    compiled: CompiledCircuit,
    /// Number of gates of the circuit that updates the board.
    gates: usize,
    cpu: Cpu,
    seed: u64,
    /// Initial state of the training boards, one of the initial states to which the user can reset the sandbox.
    trained: InitialState,
    /// Number of target channels of a cell (which are compared with the target). Drawing affects only these channels by
    /// default.
    shown: usize,
    /// Automaton steps per second; `None` for maximum speed.
    pub(super) speed: Option<f32>,
    pub(super) fire_rate: f32,
    /// Number of automaton steps, including a fraction, that are due by the elapsed time and the speed.
    pub(super) due_steps: f32,
    /// Number of automaton steps that the user has requested by commands and that are not yet done.
    pub(super) requested_steps: u32,
    /// Number of completed automaton steps since the last reset of the sandbox.
    pub(super) step: u32,
    /// Number of [blocks](Boards::blocks) of cells that the automaton step in progress has updated.
    pub(super) done_blocks: usize,
    /// Number of seeds derived so far for random bits, which is the index of the latest seed.
    pub(super) noise_draws: u32,
}

impl Sandbox {
    /// Creates a sandbox with the size, border and initial state of the training boards. `shown` is the number of
    /// target channels of a cell (which are compared with the target).
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the board exceeds the memory limit.
    pub(super) fn new(
        config: &LogicConfig,
        shown: usize,
        seed: u64,
        simplified: &SimplifiedCircuit,
    ) -> Result<Self, LabError> {
        let boards = boards(initial_state::grid(config), config.channels as usize)?;
        let mut sandbox = Self {
            boards,
            compiled: simplified.compile(),
            gates: simplified.circuit.gates().len(),
            cpu: Cpu::new(1),
            seed,
            trained: config.start,
            shown,
            speed: Some(DEFAULT_SPEED),
            fire_rate: config.fire_rate,
            due_steps: 0.0,
            requested_steps: 0,
            step: 0,
            done_blocks: 0,
            noise_draws: 0,
        };
        sandbox.reset(SandboxStart::AsTrained);
        Ok(sandbox)
    }

    pub(super) fn boards(&self) -> &Boards {
        &self.boards
    }

    /// Returns the number of completed automaton steps of the interactive board since its last reset.
    pub(super) fn step(&self) -> u32 {
        self.step
    }

    /// Replaces the circuit that updates the cells of the board. An automaton step in progress restarts with the new
    /// circuit.
    pub(super) fn run(&mut self, simplified: &SimplifiedCircuit) {
        self.done_blocks = 0;
        self.compiled = simplified.compile();
        self.gates = simplified.circuit.gates().len();
    }

    /// Sets the number of target channels of a cell (which are compared with the target). Drawing affects only these
    /// channels by default.
    pub(super) fn set_target_channels(&mut self, channels: usize) {
        self.shown = channels;
    }

    /// Runs the automaton steps of the board that are due after another `elapsed` seconds, with at most the work
    /// [`FRAME_WORK`].
    pub(super) fn advance(&mut self, elapsed: f32) {
        // A NaN or negative time counts as 0.
        let elapsed = if elapsed > 0.0 { elapsed } else { 0.0 };
        let of_block = self.work_of_block();
        let mut budget = FRAME_WORK;
        if let Some(speed) = self.speed {
            // Steps beyond the budget are dropped: the sandbox slows down instead of lagging behind.
            let whole = self.boards.blocks() as u64 * of_block + self.work_of_end();
            let most = (FRAME_WORK / whole).clamp(1, u64::from(MAX_STEPS));
            self.due_steps = (self.due_steps + elapsed * speed).min(most as f32 + 1.0);
        }
        let runs = self.speed.is_none() && elapsed > 0.0;
        while budget >= of_block.min(FRAME_WORK)
            && (runs || self.requested_steps > 0 || self.due_steps >= 1.0)
        {
            let left = self.boards.blocks() - self.done_blocks;
            let blocks = ((budget / of_block).max(1) as usize).min(left);
            budget = budget.saturating_sub(blocks as u64 * of_block);
            let fire = (self.fire_rate < 1.0)
                .then(|| UpdateMask { rate: self.fire_rate, seed: rng::derive(self.seed, UPDATE_MASK) });
            let part = self.done_blocks..self.done_blocks + blocks;
            self.compiled.step_part(&self.cpu, &mut self.boards, fire, self.step, part);
            self.done_blocks += blocks;
            if blocks == left {
                budget = budget.saturating_sub(self.work_of_end());
                self.count();
            }
        }
    }

    /// Updates the counters of completed, due and requested automaton steps after a step is complete.
    fn count(&mut self) {
        (self.step, self.done_blocks) = (self.step.wrapping_add(1), 0);
        if self.requested_steps > 0 {
            self.requested_steps -= 1;
        } else if self.speed.is_some() {
            self.due_steps -= 1.0;
        }
    }

    /// Returns the cost of updating one [block](Boards::blocks) of cells, expressed in gate evaluations (gates ×
    /// cells).
    fn work_of_block(&self) -> u64 {
        let fire = if self.fire_rate < 1.0 { MASK_WORK } else { 0 };
        // Each channel is read and written.
        let of_cell = self.gates as u64 + 4 * self.boards.channels() as u64 + fire;
        Boards::BLOCK_CELLS as u64 * of_cell
    }

    /// Returns the cost of an automaton step beyond the cost of its [blocks](Boards::blocks), expressed in gate
    /// evaluations (gates × cells).
    fn work_of_end(&self) -> u64 {
        STEP_WORK + (self.boards.grid().height * self.boards.channels()) as u64 * ROW_WORK
    }

    /// Resizes the sandbox board and keeps its content centered.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a side is out of range or the board exceeds the memory limit.
    pub(super) fn resize(&mut self, width: u32, height: u32) -> Result<(), LabError> {
        for (field, side) in [("width", width), ("height", height)] {
            if !(1..=MAX_SIDE).contains(&side) {
                let allowed = format!("the sandbox may have 1 to {MAX_SIDE} columns and rows");
                return Err(LabError::invalid(field, side.to_string(), allowed));
            }
        }
        let (before, channels) = (self.boards.grid(), self.boards.channels());
        let grid = Grid { width: width as usize, height: height as usize, ..before };
        let mut boards = boards(grid, channels)?;
        // Pairs (old index, new index) of the rows or columns that both boards have.
        let shared = |before: usize, len: usize| {
            let moved = move |at: usize| {
                (at + before / 2).checked_sub(len / 2).filter(|&was| was < before).map(|was| (was, at))
            };
            (0..len).filter_map(moved)
        };
        for channel in 0..channels {
            for (was_row, row) in shared(before.height, grid.height) {
                for (was_column, column) in shared(before.width, grid.width) {
                    if self.boards.get(channel, was_row * before.width + was_column) {
                        boards.set(channel, row * grid.width + column, true);
                    }
                }
            }
        }
        (self.boards, self.done_blocks) = (boards, 0);
        Ok(())
    }

    /// Sets the speed of the sandbox in automaton steps per second; `None` for maximum speed.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the speed is out of range.
    pub(super) fn set_speed(&mut self, speed: Option<f32>) -> Result<(), LabError> {
        if let Some(speed) = speed.filter(|speed| !(0.0..=MAX_SPEED).contains(speed)) {
            let allowed = format!("it must be a number from 0 to {MAX_SPEED}, or null for maximum speed");
            return Err(LabError::invalid("steps_per_second", speed.to_string(), allowed));
        }
        (self.speed, self.due_steps) = (speed, 0.0);
        Ok(())
    }

    /// Sets the fire rate of the sandbox: the probability that a cell is updated in an automaton step.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the rate is out of range.
    pub(super) fn set_fire_rate(&mut self, rate: f32) -> Result<(), LabError> {
        if !(0.0..=1.0).contains(&rate) {
            return Err(LabError::invalid("rate", rate.to_string(), "it must be a number from 0 to 1"));
        }
        (self.fire_rate, self.done_blocks) = (rate, 0);
        Ok(())
    }

    /// Requests `steps` automaton steps in addition to the steps that the board's speed makes due. The requested steps
    /// run in the next frames.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the number is out of range.
    pub(super) fn request_steps(&mut self, steps: u32) -> Result<(), LabError> {
        if !(1..=MAX_STEPS).contains(&steps) {
            let allowed = format!("it must be a whole number from 1 to {MAX_STEPS}");
            return Err(LabError::invalid("steps", steps.to_string(), allowed));
        }
        self.requested_steps = (self.requested_steps + steps).min(MAX_STEPS);
        Ok(())
    }

    /// Resets the sandbox board to the initial state `start`, and the step counter to 0.
    pub(super) fn reset(&mut self, start: SandboxStart) {
        let start = match start {
            SandboxStart::AsTrained => self.trained,
            SandboxStart::Noise => InitialState::Random,
            SandboxStart::Zeros => InitialState::Zeros,
            SandboxStart::Seed => InitialState::Seed,
        };
        self.clear();
        let seed = self.noise();
        set_initial_state(&mut self.boards, start, seed);
    }

    /// Sets all cells of the interactive board to 0, and the counters of automaton steps to 0.
    pub(super) fn clear(&mut self) {
        self.boards.clear();
        (self.step, self.done_blocks, self.due_steps, self.requested_steps) = (0, 0, 0.0, 0);
    }

    /// Applies a brush stroke from `from` to `to`, (column, row) in cells, to channel `channel`. `None` stands for all
    /// channels, or for the target channels (which are compared with the target) if `paint` is `Draw` or `Invert`.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a coordinate, the radius or the channel is out of range.
    pub(super) fn brush(
        &mut self,
        from: [f32; 2],
        to: [f32; 2],
        radius: f32,
        paint: Paint,
        channel: Option<u32>,
    ) -> Result<(), LabError> {
        let near = -(MAX_SIDE as f32)..=2.0 * MAX_SIDE as f32;
        for (field, point) in [("from", from), ("to", to)] {
            if !point.iter().all(|place| near.contains(place)) {
                let allowed = format!("both must be numbers from {} to {}", near.start(), near.end());
                return Err(LabError::invalid(field, format!("{point:?}"), allowed));
            }
        }
        if !(0.0..=MAX_RADIUS).contains(&radius) {
            let allowed = format!("it must be a number from 0 to {MAX_RADIUS}");
            return Err(LabError::invalid("radius", radius.to_string(), allowed));
        }
        let channels = match channel {
            Some(channel) => {
                self.check_channel(channel)?;
                channel as usize..channel as usize + 1
            }
            // Erasing and noise affect all channels, drawing only the target channels.
            None if matches!(paint, Paint::Erase | Paint::Noise) => 0..self.boards.channels(),
            None => 0..self.shown,
        };
        let (noise, grid) = (self.noise(), self.boards.grid());
        for lane in brush::cells_of_stroke(&grid, from, to, radius) {
            for channel in channels.clone() {
                let bit = match paint {
                    Paint::Erase => false,
                    Paint::Draw => true,
                    Paint::Invert => !self.boards.get(channel, lane),
                    Paint::Noise => noise_at(noise, &grid, channel, lane),
                };
                self.boards.set(channel, lane, bit);
            }
        }
        Ok(())
    }

    fn check_channel(&self, channel: u32) -> Result<(), LabError> {
        let channels = self.boards.channels();
        if channel as usize >= channels {
            let allowed = format!("cells have {channels} channels, counted from 0");
            return Err(LabError::invalid("channel", channel.to_string(), allowed));
        }
        Ok(())
    }

    /// Places the Game of Life pattern `name` in channel 0, centered at the cell in column `x` and row `y`. A fixed
    /// border clips the pattern.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for an unknown pattern or a cell outside of the board.
    pub(super) fn place(&mut self, name: &str, x: u32, y: u32) -> Result<(), LabError> {
        let rows = patterns::find(name).ok_or_else(|| {
            let allowed = format!("the patterns are {}", patterns::names().collect::<Vec<_>>().join(", "));
            LabError::invalid("pattern", vivarium_lab::config::shorten(name), allowed)
        })?;
        let grid = self.boards.grid();
        for (field, at, len) in [("x", x, grid.width), ("y", y, grid.height)] {
            if at as usize >= len {
                let allowed = format!("it must be from 0 to {}", len - 1);
                return Err(LabError::invalid(field, at.to_string(), allowed));
            }
        }
        let on = |at: usize, middle: u32, size: usize, len: usize| {
            let at = middle as usize + at + len * size - size / 2;
            match grid.border {
                Border::Periodic => Some(at % len),
                Border::Fixed => at.checked_sub(len * size).filter(|&at| at < len),
            }
        };
        for (row, line) in rows.iter().enumerate() {
            let Some(row) = on(row, y, rows.len(), grid.height) else { continue };
            for (column, cell) in line.bytes().enumerate() {
                if let Some(column) = on(column, x, line.len(), grid.width) {
                    self.boards.set(0, row * grid.width + column, cell == b'#');
                }
            }
        }
        Ok(())
    }

    /// Returns a new seed for random bits that the user requests, different in each call.
    fn noise(&mut self) -> u64 {
        self.noise_draws = self.noise_draws.wrapping_add(1);
        rng::derive(rng::derive(self.seed, NOISE), self.noise_draws)
    }
}

/// Creates a board of geometry `grid` with all cells 0.
///
/// # Errors
/// [`LabError::Invalid`] if the board exceeds the memory limit.
fn boards(grid: Grid, channels: usize) -> Result<Boards, LabError> {
    Boards::new(grid, channels).map_err(|error| {
        LabError::invalid("width", format!("{}×{}", grid.width, grid.height), error.to_string())
    })
}
