//! Interpreter kernel: runs hard automata on the GPU; the circuit is data that the kernel reads from a buffer.

use super::staged_circuit::{LOAD, StagedCircuit, THREADS};
use crate::grid::{Border, Grid};
use crate::hard::Circuit;
use vivarium_gpu::{Buffer, Gpu, GpuError, GpuRecorder, Kernel, dispatch_size};

/// Limit up to which a workgroup owns whole boards and runs several steps per dispatch: maximum number of sequential
/// circuit evaluations per board and step.
const MAX_ROUNDS: usize = 8;

/// Maximum number of automaton steps per dispatch, which take a few milliseconds on a slow GPU.
const MAX_STEPS: usize = 64;

/// Interpreter kernel and the circuit that it runs, on the device.
pub(super) struct Interpreter {
    stages: StagedCircuit,
    code: Buffer,
    kernel: Kernel,
    channels: usize,
}

/// Buffers that the interpreter kernel reads and writes.
#[derive(Clone, Copy)]
pub(super) struct InterpreterBuffers<'a> {
    /// Truth tables; each gate instruction contains the index of its table.
    pub functions: &'a Buffer,
    /// Buffer with the update masks, `[step][words]`, from word `mask_offset` on; not read if `mask_offset` is `None`.
    pub bits: &'a Buffer,
    pub mask_offset: Option<usize>,
    /// Buffer with two settings, from word `run` on: number of steps, and index of the initial state in `planes`.
    pub settings: &'a Buffer,
    pub run: usize,
    /// States of the boards as bit planes, `[state][channel][words]`.
    pub planes: &'a Buffer,
    /// Number of states that `planes` holds as a ring buffer.
    pub kept: usize,
}

impl Interpreter {
    /// Uploads a circuit. Gate i uses truth table `functions(i)` of [`InterpreterBuffers::functions`]. Returns `None`
    /// if the live values of the circuit do not fit workgroup memory.
    ///
    /// # Errors
    /// [`GpuError`] if GPU memory is insufficient or the kernel is rejected.
    pub fn new(
        gpu: &Gpu,
        circuit: &Circuit,
        functions: impl Fn(usize) -> u32,
    ) -> Result<Option<Self>, GpuError> {
        let Some(stages) = StagedCircuit::new(circuit, functions) else { return Ok(None) };
        let text = format!(
            "const WIDE = {}u;\nconst THREADS = {THREADS}u;\nconst LOAD = {LOAD}u;\n{}",
            stages.wide,
            vivarium_gpu::shader!("hard.wgsl")
        );
        let kernel = gpu.kernel("hard automaton", &text, &[])?;
        let code = gpu.upload("a circuit", &stages.code)?;
        Ok(Some(Self { stages, code, kernel, channels: circuit.channels() }))
    }

    /// Returns the maximum number of automaton steps per dispatch on the boards of `grid`.
    pub fn steps_at_once(&self, grid: Grid) -> usize {
        if self.owns_whole_boards(grid) { MAX_STEPS } else { 1 }
    }

    /// Returns whether each workgroup evaluates whole boards rather than parts of boards.
    fn owns_whole_boards(&self, grid: Grid) -> bool {
        board_words(grid).div_ceil(self.stages.wide) <= MAX_ROUNDS
    }

    /// Records the dispatches of up to `steps` automaton steps. The kernel reads the actual number of steps and the
    /// index of the initial state from the settings.
    pub fn record(&self, recorder: &mut GpuRecorder, grid: Grid, memory: InterpreterBuffers, steps: usize) {
        let (wide, at_once) = (self.stages.wide, self.steps_at_once(grid));
        let (row_words, words) = (grid.width.div_ceil(32), grid.boards * board_words(grid));
        let share = if self.owns_whole_boards(grid) {
            board_words(grid) * (wide / board_words(grid)).max(1)
        } else {
            wide
        };
        for first in (0..steps).step_by(at_once) {
            let sizes = [
                first,
                at_once.min(steps - first),
                self.channels,
                grid.height,
                grid.width,
                usize::from(grid.border == Border::Periodic),
                row_words,
                words,
                share,
                memory.kept,
                self.stages.count,
                self.stages.outputs,
                usize::from(memory.mask_offset.is_some()),
                memory.mask_offset.unwrap_or(0),
                memory.run,
            ];
            let buffers = [&self.code, memory.functions, memory.bits, memory.settings, memory.planes];
            recorder.dispatch(
                &self.kernel,
                &buffers,
                &sizes.map(|size| size as u32),
                dispatch_size(words.div_ceil(share)),
            );
        }
    }
}

/// Returns the number of words of a board in one channel; every row is padded to whole words of 32 cells.
pub(super) fn board_words(grid: Grid) -> usize {
    grid.height * grid.width.div_ceil(32)
}
