//! Hard automata on the GPU.

use super::interpreter::{Interpreter, InterpreterBuffers, board_words};
use super::shader::shader;
use crate::error::LogicError;
use crate::gate::FUNCTIONS;
use crate::grid::Grid;
use crate::hard::{Boards, Circuit, UpdateMask};
use std::ops::Range;
use vivarium_gpu::worlds::RANDOM_WGSL;
use vivarium_gpu::{Buffer, Cost, Gpu, GpuError, GpuProgram, GpuRecorder, ShaderPart, word_offsets};

/// Maximum number of automaton steps per submission to the GPU if each step is a separate dispatch (large boards).
const LARGE_STEPS: usize = 16;

word_offsets! {
    /// Word offsets in the settings buffer, which the host writes before each submission.
    mod setting {
        /// Offset of two words: number of automaton steps of the submission, and index (0 or 1) of the state in the
        /// buffer `planes` from which the steps start.
        RUN: 2,
        FIRST_STEP,
        FIRE_KEY: 2,
        FIRE_RATE,
    }
}

/// Number of 32-bit words in the settings buffer.
const SETTINGS: usize = setting::WORDS;

/// Boards and circuit of a hard automaton (discrete gates) on the GPU. The circuit is limited only by workgroup memory,
/// which holds the values of its gates. The results equal the results of [`Boards`] and
/// [`CompiledCircuit`](crate::hard::CompiledCircuit) bit for bit.
pub struct GpuAutomaton {
    gpu: Gpu,
    grid: Grid,
    channels: usize,
    settings: Buffer,
    /// Buffer with two states of all boards as bit planes, `[state][channel][words]`, 32 cells per word. A step reads
    /// one state and writes the other.
    planes: Buffer,
    /// Index of the current state in `planes`, 0 or 1.
    state: usize,
    /// Maximum number of automaton steps of a submission.
    steps: usize,
    /// Recorded dispatches of the automaton steps of a submission. The first program is for synchronous, the second for
    /// asynchronous updates.
    programs: [GpuProgram; 2],
}

impl GpuAutomaton {
    /// Creates an automaton that evaluates `circuit` on the boards of `grid`. All cells are 0.
    ///
    /// # Errors
    /// [`LogicError::Gpu`] if GPU memory is insufficient; [`LogicError::State`] if workgroup memory cannot hold the
    /// circuit values that are live at the same time.
    pub fn new(gpu: &Gpu, circuit: &Circuit, grid: Grid) -> Result<Self, LogicError> {
        let functions: Vec<u32> = (0..FUNCTIONS as u32).collect();
        let functions = gpu.upload("truth tables", &functions)?;
        let (channels, gates) = (circuit.channels(), circuit.gates());
        let Some(interpreter) = Interpreter::new(gpu, circuit, |gate| gates[gate].function.into())? else {
            let problem = "more live values than fit the workgroup memory of the GPU; simplify the circuit";
            return Err(LogicError::State { array: "circuit", problem: problem.into() });
        };
        let steps = interpreter.steps_at_once(grid).max(LARGE_STEPS);
        let words = grid.boards * board_words(grid);
        let settings = gpu.zeros("settings", SETTINGS)?;
        let planes = gpu.zeros("boards", 2 * channels * words)?;
        let mask_words = gpu.zeros("update mask", steps * words)?;
        let record = |mask_offset: Option<usize>| -> Result<GpuProgram, GpuError> {
            let mut recorder = GpuRecorder::new(gpu);
            if mask_offset.is_some() {
                sample_update_mask(&mut recorder, grid, &settings, &mask_words, steps)?;
            }
            let memory = InterpreterBuffers {
                functions: &functions,
                bits: &mask_words,
                mask_offset,
                settings: &settings,
                run: setting::RUN,
                planes: &planes,
                kept: 2,
            };
            interpreter.record(&mut recorder, grid, memory, steps)?;
            recorder.finish()
        };
        let programs = [record(None)?, record(Some(0))?];
        Ok(Self { gpu: gpu.clone(), grid, channels, settings, planes, state: 0, steps, programs })
    }

    /// Returns the number, height, width and boundary condition of the boards.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Uploads the state of `boards` as the current state.
    ///
    /// # Panics
    /// If `boards` has another grid or number of channels than the automaton.
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

    /// Submits `steps` automaton steps with the step numbers `first`, `first` + 1, … and returns without waiting. If
    /// `update_mask` is given, only the cells that the mask samples for a step number are updated in that step.
    ///
    /// # Errors
    /// [`LogicError::Gpu`] if the device was lost.
    pub fn run(
        &mut self,
        steps: usize,
        update_mask: Option<UpdateMask>,
        first: u32,
    ) -> Result<(), LogicError> {
        let program = &self.programs[usize::from(update_mask.is_some())];
        let update_mask = update_mask.unwrap_or(UpdateMask { rate: 1.0, seed: 0 });
        let key = update_mask.key();
        for done in (0..steps).step_by(self.steps) {
            let count = self.steps.min(steps - done);
            let number = first.wrapping_add(done as u32);
            let mut settings = [0u32; SETTINGS];
            settings[setting::RUN..][..2].copy_from_slice(&[count as u32, self.state as u32]);
            settings[setting::FIRST_STEP] = number;
            settings[setting::FIRE_KEY..][..2].copy_from_slice(&[key as u32, (key >> 32) as u32]);
            settings[setting::FIRE_RATE] = update_mask.rate.to_bits();
            self.gpu.write(&self.settings, 0, &settings);
            self.gpu.submit(|encoder| encoder.run(program))?;
            self.state = (self.state + count) % 2;
        }
        Ok(())
    }

    /// Copies the state of the boards after all submitted steps from the device to `boards`. Allocates a staging
    /// buffer.
    ///
    /// # Errors
    /// [`LogicError::Gpu`] if the device was lost.
    ///
    /// # Panics
    /// If `boards` has another grid or number of channels than the automaton.
    pub async fn store(&self, boards: &mut Boards) -> Result<(), LogicError> {
        let words = self.gpu.read(&self.planes, self.present()).await?;
        self.fill(&words, boards);
        Ok(())
    }

    /// Copies the state like [`store`](Self::store), but blocks the calling thread until the data has arrived.
    ///
    /// # Errors
    /// Errors of [`store`](Self::store).
    ///
    /// # Panics
    /// If `boards` has another grid or number of channels than the automaton.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn store_blocking(&self, boards: &mut Boards) -> Result<(), LogicError> {
        let words = self.gpu.read_blocking(&self.planes, self.present())?;
        self.fill(&words, boards);
        Ok(())
    }

    /// Returns the range of words in `planes` that holds the current state of the boards.
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

    /// Blocks until the device has completed all submitted steps.
    ///
    /// # Errors
    /// [`LogicError::Gpu`] if the device was lost.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&self) -> Result<(), LogicError> {
        Ok(self.gpu.wait()?)
    }

    /// Returns the device cost (number of dispatches, number of bytes copied) of a submission of
    /// [`steps_at_once`](Self::steps_at_once) automaton steps.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.programs[0].cost()
    }

    /// Returns the maximum number of automaton steps that one submission to the device runs.
    #[must_use]
    pub fn steps_at_once(&self) -> usize {
        self.steps
    }
}

/// Records the dispatch that samples the update masks (which cells are updated) of `steps` automaton steps and writes
/// them to the buffer `mask_words`.
fn sample_update_mask(
    recorder: &mut GpuRecorder,
    grid: Grid,
    settings: &Buffer,
    mask_words: &Buffer,
    steps: usize,
) -> Result<(), GpuError> {
    let words = grid.boards * board_words(grid);
    let text = vivarium_gpu::shader!("update_mask.wgsl", "sample_update_mask.wgsl");
    shader("update mask", &[RANDOM_WGSL, text])
        .part(&ShaderPart::default().constants(setting::NAMED.iter().copied()))
        .buffers([("settings", settings), ("masks", mask_words)])
        .uniforms([("words", words), ("row_words", grid.width.div_ceil(32)), ("width", grid.width)])
        .record_each(recorder, steps * words)
}
