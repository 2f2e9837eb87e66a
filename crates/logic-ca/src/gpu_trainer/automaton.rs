//! Hard automata on the device: any circuit on boards of any size.

use super::interpreter::{Interpreter, Memory, board_words};
use crate::error::LogicError;
use crate::gate::FUNCTIONS;
use crate::grid::Grid;
use crate::hard::{Boards, Circuit, Fire};
use std::ops::Range;
use vivarium_gpu::worlds::RANDOM_WGSL;
use vivarium_gpu::{Buffer, Cost, Gpu, GpuError, Program, Recorder, constants, words};

/// The most steps of a submission where each of them is a dispatch.
const LARGE_STEPS: usize = 16;

words! {
    /// Words of the settings of a run.
    mod setting {
        /// Steps, and where the state is kept that it begins with.
        RUN = 0,
        FIRST_STEP = 2,
        FIRE_KEY = 3,
        FIRE_RATE = 5,
    }
}

/// Words of all settings.
const SETTINGS: usize = setting::FIRE_RATE + 1;

/// Boards of bits under a circuit, on the device: the counterpart of [`Boards`] and [`Code`](crate::hard::Code), and the same
/// bit for bit.
pub struct Automaton {
    gpu: Gpu,
    grid: Grid,
    channels: usize,
    settings: Buffer,
    /// Two states, `[state][channel][words]`.
    planes: Buffer,
    /// Which of them is the present one.
    state: usize,
    /// The most steps that a program takes.
    steps: usize,
    /// Steps in which all cells fire, and steps in which those do that are drawn.
    programs: [Program; 2],
}

impl Automaton {
    /// A circuit on boards on which all bits are 0.
    ///
    /// # Errors
    /// [`LogicError::Gpu`] where there is no room, [`LogicError::State`] if the circuit has more values at a time than a
    /// workgroup's memory holds.
    pub fn new(gpu: &Gpu, circuit: &Circuit, grid: Grid) -> Result<Self, LogicError> {
        let functions: Vec<u32> = (0..FUNCTIONS as u32).collect();
        let functions = gpu.upload("truth tables", &functions)?;
        let (channels, gates) = (circuit.channels(), circuit.gates());
        let Some(interpreter) = Interpreter::new(gpu, circuit, |gate| gates[gate].function.into())? else {
            let problem =
                "it has more values at a time than a workgroup of the GPU has memory for; simplify it";
            return Err(LogicError::State { array: "the circuit", problem: problem.into() });
        };
        let steps = interpreter.steps_at_once(grid).max(LARGE_STEPS);
        let words = grid.boards * board_words(grid);
        let settings = gpu.zeros("settings", SETTINGS)?;
        let planes = gpu.zeros("boards", 2 * channels * words)?;
        let firing = gpu.zeros("firing cells", steps * words)?;
        let record = |fired: Option<usize>| -> Result<Program, GpuError> {
            let mut recorder = Recorder::new(gpu);
            if fired.is_some() {
                ignite(&mut recorder, grid, &settings, &firing, steps)?;
            }
            let memory = Memory {
                functions: &functions,
                bits: &firing,
                fired,
                settings: &settings,
                run: setting::RUN,
                planes: &planes,
                kept: 2,
            };
            interpreter.record(&mut recorder, grid, memory, steps);
            recorder.finish()
        };
        let programs = [record(None)?, record(Some(0))?];
        Ok(Self { gpu: gpu.clone(), grid, channels, settings, planes, state: 0, steps, programs })
    }

    /// The boards.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Takes over the bits of boards.
    ///
    /// # Panics
    /// If their sizes or channels are others.
    pub fn load(&mut self, boards: &Boards) {
        assert_eq!(
            (boards.grid(), boards.channels()),
            (self.grid, self.channels),
            "boards of the same sizes"
        );
        let (rows, row_words) = (self.grid.boards * self.grid.height, self.grid.width.div_ceil(32));
        let mut words = Vec::with_capacity(self.channels * rows * row_words);
        for channel in 0..self.channels {
            for row in 0..rows {
                let halves =
                    boards.row_words(channel, row).flat_map(|word| [word as u32, (word >> 32) as u32]);
                words.extend(halves.take(row_words));
            }
        }
        self.gpu.write(&self.planes, self.present().start, &words);
    }

    /// Hands the device steps number `first`, `first` + 1, … to do; does not wait for them. With `fire`, those cells fire
    /// that fire in the steps of these numbers.
    ///
    /// # Errors
    /// [`LogicError::Gpu`] where the device was lost.
    pub fn run(&mut self, steps: usize, fire: Option<Fire>, first: u32) -> Result<(), LogicError> {
        let program = &self.programs[usize::from(fire.is_some())];
        let fire = fire.unwrap_or(Fire { rate: 1.0, seed: 0 });
        let key = fire.key();
        for done in (0..steps).step_by(self.steps) {
            let count = self.steps.min(steps - done);
            let number = first.wrapping_add(done as u32);
            let settings: [u32; SETTINGS] = [
                count as u32,
                self.state as u32,
                number,
                key as u32,
                (key >> 32) as u32,
                fire.rate.to_bits(),
            ];
            self.gpu.write(&self.settings, 0, &settings);
            self.gpu.submit(|encoder| encoder.run(program))?;
            self.state = (self.state + count) % 2;
        }
        Ok(())
    }

    /// Writes the present bits into boards, once all steps are done. Makes a staging buffer: for now and then.
    ///
    /// # Errors
    /// [`LogicError::Gpu`] where the device was lost.
    ///
    /// # Panics
    /// If the boards' sizes or channels are others.
    pub async fn store(&self, boards: &mut Boards) -> Result<(), LogicError> {
        let words = self.gpu.read(&self.planes, self.present()).await?;
        self.fill(&words, boards);
        Ok(())
    }

    /// [`store`](Self::store) on the calling thread.
    ///
    /// # Errors
    /// Those of [`store`](Self::store).
    ///
    /// # Panics
    /// As [`store`](Self::store).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn store_blocking(&self, boards: &mut Boards) -> Result<(), LogicError> {
        let words = self.gpu.read_blocking(&self.planes, self.present())?;
        self.fill(&words, boards);
        Ok(())
    }

    /// Words of the present state.
    fn present(&self) -> Range<usize> {
        let len = self.channels * self.grid.boards * board_words(self.grid);
        self.state * len..(self.state + 1) * len
    }

    fn fill(&self, words: &[u32], boards: &mut Boards) {
        assert_eq!(
            (boards.grid(), boards.channels()),
            (self.grid, self.channels),
            "boards of the same sizes"
        );
        let (width, row_words) = (self.grid.width, self.grid.width.div_ceil(32));
        for (channel, plane) in words.chunks_exact(words.len() / self.channels).enumerate() {
            let bits = plane
                .chunks_exact(row_words)
                .flat_map(|row| (0..width).map(move |column| row[column / 32] >> (column % 32) & 1 == 1));
            boards.set_channel(channel, bits);
        }
    }

    /// Waits on the calling thread until all steps are done.
    ///
    /// # Errors
    /// [`LogicError::Gpu`] where the device was lost.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&self) -> Result<(), LogicError> {
        Ok(self.gpu.wait()?)
    }

    /// What a submission of [`steps_at_once`](Self::steps_at_once) steps asks of the device.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.programs[0].cost()
    }

    /// The most steps of one submission.
    #[must_use]
    pub fn steps_at_once(&self) -> usize {
        self.steps
    }
}

/// Records the draw of the cells that fire.
fn ignite(
    recorder: &mut Recorder,
    grid: Grid,
    settings: &Buffer,
    firing: &Buffer,
    steps: usize,
) -> Result<(), GpuError> {
    let constants = constants(setting::NAMED);
    let rules = [vivarium_gpu::shader!("fire.wgsl"), vivarium_gpu::shader!("ignite.wgsl")];
    let text = [&*constants, RANDOM_WGSL, rules[0], rules[1]];
    let words = grid.boards * board_words(grid);
    let sizes = [("words", words), ("row_words", grid.width.div_ceil(32)), ("width", grid.width)];
    recorder.for_each("firing cells", &text, &[settings, firing], &sizes, steps * words)
}
