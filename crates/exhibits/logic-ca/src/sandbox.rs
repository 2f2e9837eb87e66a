//! The stage: a board of a person's own, stepped by the hard circuit in the world's own time, whatever training does.
//!
//! Its randomness is apart from training's: playing changes nothing that is learned.

use super::initial_state::{self, begin, noise_at};
use super::brush::{self, MAX_RADIUS};
use super::patterns;
use super::simplified_circuit::SimplifiedCircuit;
use crate::protocol::{Paint, StageStart};
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_lab::error::LabError;
use vivarium_logic_ca::config::InitialState;
use vivarium_logic_ca::hard::{Boards, CompiledCircuit, UpdateMask};
use vivarium_logic_ca::{Border, Grid, LogicConfig};

/// The most columns and rows.
pub(crate) const MAX_SIDE: u32 = 1024;

/// Steps per second, until somebody chooses others.
const FIRST_SPEED: f32 = 10.0;

/// The fastest that can be asked for; "as fast as it goes" is faster.
pub(super) const MAX_SPEED: f32 = 10_000.0;

/// The most steps that can be asked for at once.
pub(super) const MAX_STEPS: u32 = 10_000;

/// Gates times cells that one frame evaluates at most: some 5 ms of one thread in a browser. A step of a large board that
/// takes longer is spread over several frames.
const FRAME_WORK: u64 = 1 << 29;

/// Every step costs at least as much as so many gates times cells.
const STEP_WORK: u64 = 1 << 16;

/// To copy the ends of a row to its other side takes as long as so many gates, in every channel.
const ROW_WORK: u64 = 512;

/// To draw whether a cell fires takes as long as so many gates.
const FIRE_WORK: u64 = 512;

/// Purposes of random numbers, apart from the learner's own.
const FIRES: u32 = 110;
const NOISE: u32 = 111;

/// The board and what makes it go.
pub(super) struct Sandbox {
    pub(super) boards: Boards,
    code: CompiledCircuit,
    /// Gates of the code.
    gates: usize,
    cpu: Cpu,
    seed: u64,
    trained: InitialState,
    /// Channels that the target has.
    shown: usize,
    /// Steps per second; `None`: as many as a frame has time for.
    pub(super) speed: Option<f32>,
    pub(super) fire_rate: f32,
    /// Steps that time has brought but that have not been taken, a part of one included.
    pub(super) owed: f32,
    /// Steps that a person asked for and that have not been taken.
    pub(super) asked: u32,
    /// Steps since the stage was started.
    pub(super) step: u32,
    /// Blocks of the boards that have taken the next one already.
    pub(super) stepped: usize,
    /// How often noise was drawn.
    pub(super) drawn: u32,
}

impl Sandbox {
    /// A stage of the size of the boards that are learned from, as they start.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if such a board does not fit memory.
    pub(super) fn new(
        config: &LogicConfig,
        shown: usize,
        seed: u64,
        running: &SimplifiedCircuit,
    ) -> Result<Self, LabError> {
        let boards = boards(begin::grid(config), config.channels as usize)?;
        let mut stage = Self {
            boards,
            code: running.code(),
            gates: running.circuit.gates().len(),
            cpu: Cpu::new(1),
            seed,
            trained: config.start,
            shown,
            speed: Some(FIRST_SPEED),
            fire_rate: config.fire_rate,
            owed: 0.0,
            asked: 0,
            step: 0,
            stepped: 0,
            drawn: 0,
        };
        stage.reset(StageStart::AsTrained);
        Ok(stage)
    }

    pub(super) fn boards(&self) -> &Boards {
        &self.boards
    }

    /// Steps since it was started.
    pub(super) fn step(&self) -> u32 {
        self.step
    }

    /// Runs another circuit from the next step on; one that is under way is begun again.
    pub(super) fn run(&mut self, running: &SimplifiedCircuit) {
        self.stepped = 0;
        self.code = running.code();
        self.gates = running.circuit.gates().len();
    }

    /// How many channels the target has from now on.
    pub(super) fn show(&mut self, channels: usize) {
        self.shown = channels;
    }

    /// Lets `elapsed` seconds pass, as far as there is time for its steps.
    pub(super) fn advance(&mut self, elapsed: f32) {
        // A NaN from outside counts as no time.
        let elapsed = if elapsed > 0.0 { elapsed } else { 0.0 };
        let of_block = self.work_of_block();
        let mut time = FRAME_WORK;
        if let Some(speed) = self.speed {
            // What there is no time for is left out: the stage slows down rather than lagging behind.
            let whole = self.boards.blocks() as u64 * of_block + self.work_of_end();
            let most = (FRAME_WORK / whole).clamp(1, u64::from(MAX_STEPS));
            self.owed = (self.owed + elapsed * speed).min(most as f32 + 1.0);
        }
        let runs = self.speed.is_none() && elapsed > 0.0;
        while time >= of_block.min(FRAME_WORK) && (runs || self.asked > 0 || self.owed >= 1.0) {
            let left = self.boards.blocks() - self.stepped;
            let blocks = ((time / of_block).max(1) as usize).min(left);
            time = time.saturating_sub(blocks as u64 * of_block);
            let fire = (self.fire_rate < 1.0)
                .then(|| UpdateMask { rate: self.fire_rate, seed: rng::derive(self.seed, FIRES) });
            let part = self.stepped..self.stepped + blocks;
            self.code.step_part(&self.cpu, &mut self.boards, fire, self.step, part);
            self.stepped += blocks;
            if blocks == left {
                time = time.saturating_sub(self.work_of_end());
                self.count();
            }
        }
    }

    /// Counts a step that all blocks have taken.
    fn count(&mut self) {
        (self.step, self.stepped) = (self.step.wrapping_add(1), 0);
        if self.asked > 0 {
            self.asked -= 1;
        } else if self.speed.is_some() {
            self.owed -= 1.0;
        }
    }

    /// What it costs to step a block, in gates times cells.
    fn work_of_block(&self) -> u64 {
        let fire = if self.fire_rate < 1.0 { FIRE_WORK } else { 0 };
        // A channel is read and written.
        let of_cell = self.gates as u64 + 4 * self.boards.channels() as u64 + fire;
        Boards::BLOCK_CELLS as u64 * of_cell
    }

    /// What else a step costs, however few gates there are.
    fn work_of_end(&self) -> u64 {
        STEP_WORK + (self.boards.grid().height * self.boards.channels()) as u64 * ROW_WORK
    }

    /// # Errors
    /// [`LabError::Invalid`] for a side that is out of range or a board that does not fit memory.
    pub(super) fn resize(&mut self, width: u32, height: u32) -> Result<(), LabError> {
        for (field, side) in [("width", width), ("height", height)] {
            if !(1..=MAX_SIDE).contains(&side) {
                let allowed = format!("a stage has 1 to {LARGEST_SIDE} columns and rows");
                return Err(LabError::invalid(field, side.to_string(), allowed));
            }
        }
        let (before, channels) = (self.boards.grid(), self.boards.channels());
        let grid = Grid { width: width as usize, height: height as usize, ..before };
        let mut boards = boards(grid, channels)?;
        // Places that both have: where a cell was, and where it is then.
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
        (self.boards, self.stepped) = (boards, 0);
        Ok(())
    }

    /// # Errors
    /// [`LabError::Invalid`] for a speed that is out of range.
    pub(super) fn set_speed(&mut self, speed: Option<f32>) -> Result<(), LabError> {
        if let Some(speed) = speed.filter(|speed| !(0.0..=MAX_SPEED).contains(speed)) {
            let allowed = format!("it must be a number from 0 to {FASTEST}, or null for as fast as it goes");
            return Err(LabError::invalid("steps_per_second", speed.to_string(), allowed));
        }
        (self.speed, self.owed) = (speed, 0.0);
        Ok(())
    }

    /// # Errors
    /// [`LabError::Invalid`] for a rate that is out of range.
    pub(super) fn set_fire(&mut self, rate: f32) -> Result<(), LabError> {
        if !(0.0..=1.0).contains(&rate) {
            return Err(LabError::invalid("rate", rate.to_string(), "it must be a number from 0 to 1"));
        }
        (self.fire_rate, self.stepped) = (rate, 0);
        Ok(())
    }

    /// # Errors
    /// [`LabError::Invalid`] for a number that is out of range.
    pub(super) fn take_steps(&mut self, steps: u32) -> Result<(), LabError> {
        if !(1..=MAX_STEPS).contains(&steps) {
            let allowed = format!("it must be a whole number from 1 to {MOST_STEPS}");
            return Err(LabError::invalid("steps", steps.to_string(), allowed));
        }
        self.asked = (self.asked + steps).min(MAX_STEPS);
        Ok(())
    }

    /// Starts anew.
    pub(super) fn reset(&mut self, start: StageStart) {
        let start = match start {
            StageStart::AsTrained => self.trained,
            StageStart::Noise => InitialState::Random,
            StageStart::Zeros => InitialState::Zeros,
            StageStart::Seed => InitialState::Seed,
        };
        self.clear();
        let seed = self.noise();
        begin(&mut self.boards, start, seed);
    }

    /// Sets all cells to zero, and counts steps anew.
    pub(super) fn clear(&mut self) {
        self.boards.clear();
        (self.step, self.stepped, self.owed, self.asked) = (0, 0, 0.0, 0);
    }

    /// Draws a stroke.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a place far off, a radius that is out of range or a channel that there is not.
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
            let allowed = format!("it must be a number from 0 to {LARGEST_RADIUS}");
            return Err(LabError::invalid("radius", radius.to_string(), allowed));
        }
        let channels = match channel {
            Some(channel) => {
                self.check_channel(channel)?;
                channel as usize..channel as usize + 1
            }
            // A hole is one in all that a cell knows; a drawing is one that is seen.
            None if matches!(paint, Paint::Erase | Paint::Noise) => 0..self.boards.channels(),
            None => 0..self.shown,
        };
        let (noise, grid) = (self.noise(), self.boards.grid());
        for lane in brush::touched(&grid, from, to, radius) {
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

    /// Puts a pattern of Life on the stage; what of it lies beyond a fixed border is left out.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a name or a place that there is not.
    pub(super) fn place(&mut self, name: &str, x: u32, y: u32) -> Result<(), LabError> {
        let rows = patterns::find(name).ok_or_else(|| {
            let allowed = format!("the patterns are {}", patterns::names().collect::<Vec<_>>().join(", "));
            LabError::invalid("pattern", vivarium_lab::config::shorten(name), allowed)
        })?;
        let grid = self.boards.grid();
        for (field, at, len) in [("x", x, grid.width), ("y", y, grid.height)] {
            if at as usize >= len {
                let allowed = format!("the stage has {len} of them, counted from 0");
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

    /// A seed for noise that was never drawn before.
    fn noise(&mut self) -> u64 {
        self.drawn = self.drawn.wrapping_add(1);
        rng::derive(rng::derive(self.seed, NOISE), self.drawn)
    }
}

/// A board, or the lab's words for why there cannot be one.
fn boards(grid: Grid, channels: usize) -> Result<Boards, LabError> {
    Boards::new(grid, channels).map_err(|error| {
        LabError::invalid("width", format!("{}×{}", grid.width, grid.height), error.to_string())
    })
}
