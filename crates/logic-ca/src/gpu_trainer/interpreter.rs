//! Interpreter kernel: runs hard automata on the GPU; the circuit is data that the kernel reads from a buffer.

use super::shader::shader;
use super::staged_circuit::{LOAD, StagedCircuit, THREADS};
use crate::grid::{Border, Grid};
use crate::hard::Circuit;
use vivarium_gpu::{Buffer, Gpu, GpuError, GpuRecorder, dispatch_size};

/// Maximum number of passes in which a workgroup evaluates the circuit for a whole board; a pass evaluates as many
/// cells as fit workgroup memory. If a board needs more passes, it is divided among workgroups, and each dispatch runs
/// one automaton step.
const MAX_ROUNDS: usize = 8;

/// Maximum number of automaton steps per dispatch. A dispatch of this length takes a few milliseconds on a slow GPU.
const MAX_STEPS: usize = 64;

/// Interpreter kernel and the circuit that it runs, on the device.
pub(super) struct Interpreter {
    stages: StagedCircuit,
    code: Buffer,
    channels: usize,
}

/// Device buffers that the interpreter kernel reads and writes, apart from the circuit.
#[derive(Clone, Copy)]
pub(super) struct InterpreterBuffers<'a> {
    /// Buffer with the truth tables of gate functions. Each gate instruction of the circuit contains the index of its
    /// table.
    pub functions: &'a Buffer,
    /// Buffer with the update masks, `[step][words]`, from word `mask_offset` on; not read if `mask_offset` is `None`.
    pub bits: &'a Buffer,
    pub mask_offset: Option<usize>,
    /// Buffer that holds two settings from word `run` on: the number of automaton steps, and the index in `planes` of
    /// the initial state.
    pub settings: &'a Buffer,
    pub run: usize,
    /// Buffer with the states of the boards as bit planes, `[state][channel][words]`, 32 cells per word.
    pub planes: &'a Buffer,
    /// Number of board states that `planes` holds. The buffer is a ring: step s reads state s mod `kept` and writes the
    /// next state.
    pub kept: usize,
}

impl Interpreter {
    /// Uploads a circuit to the device. Gate i computes the function whose truth table has index `functions(i)` in the
    /// buffer [`InterpreterBuffers::functions`]. Returns `None` if workgroup memory cannot hold the circuit values that
    /// are live at the same time.
    ///
    /// # Errors
    /// [`GpuError`] if GPU memory is insufficient.
    pub fn new(
        gpu: &Gpu,
        circuit: &Circuit,
        functions: impl Fn(usize) -> u32,
    ) -> Result<Option<Self>, GpuError> {
        let Some(stages) = StagedCircuit::new(circuit, functions) else { return Ok(None) };
        let code = gpu.upload("a circuit", &stages.code)?;
        Ok(Some(Self { stages, code, channels: circuit.channels() }))
    }

    /// Returns the maximum number of automaton steps per dispatch on the boards of `grid`.
    pub fn steps_at_once(&self, grid: Grid) -> usize {
        if self.owns_whole_boards(grid) { MAX_STEPS } else { 1 }
    }

    /// Returns whether each workgroup evaluates whole boards rather than parts of boards.
    fn owns_whole_boards(&self, grid: Grid) -> bool {
        board_words(grid).div_ceil(self.stages.wide) <= MAX_ROUNDS
    }

    /// Records the dispatches of up to `steps` automaton steps on the boards of `grid`. The kernel reads the actual
    /// number of steps and the index of the initial state from the settings buffer.
    ///
    /// # Errors
    /// [`GpuError`] if the kernel does not compile.
    pub fn record(
        &self,
        recorder: &mut GpuRecorder,
        grid: Grid,
        memory: InterpreterBuffers,
        steps: usize,
    ) -> Result<(), GpuError> {
        let (wide, at_once) = (self.stages.wide, self.steps_at_once(grid));
        let (row_words, words) = (grid.width.div_ceil(32), grid.boards * board_words(grid));
        let share = if self.owns_whole_boards(grid) {
            board_words(grid) * (wide / board_words(grid)).max(1)
        } else {
            wide
        };
        for first in (0..steps).step_by(at_once) {
            shader("hard automaton", &[vivarium_gpu::shader!("hard.wgsl")])
                .constants([("WIDE", self.stages.wide), ("THREADS", THREADS), ("LOAD", LOAD as usize)])
                .buffers([
                    ("code", &self.code),
                    ("functions", memory.functions),
                    ("bits", memory.bits),
                    ("settings", memory.settings),
                    ("planes", memory.planes),
                ])
                .uniforms([
                    // First step of this dispatch, counted from the first step of the run, and maximum number of steps of
                    // this dispatch.
                    ("first", first),
                    ("most", at_once.min(steps - first)),
                    ("channels", self.channels),
                    ("height", grid.height),
                    ("width", grid.width),
                    ("periodic", usize::from(grid.border == Border::Periodic)),
                    // Number of 32-bit words (one bit per cell) per board row, per bit plane, and per workgroup.
                    ("row_words", row_words),
                    ("words", words),
                    ("share", share),
                    // Number of states in the ring buffer `planes`.
                    ("kept", memory.kept),
                    // Number of instruction stages of the circuit, and offset in `code` of the list of slots that hold
                    // its outputs.
                    ("stages", self.stages.count),
                    ("outputs", self.stages.outputs),
                    // Flag (1 if there are update masks, else 0), and word offset of the update masks in the buffer
                    // `bits`. The masks have the layout [step of the run][words].
                    ("asynchronous", usize::from(memory.mask_offset.is_some())),
                    ("mask_offset", memory.mask_offset.unwrap_or(0)),
                    // Offset in `settings` of two words: number of steps, and index of the initial state in `planes`.
                    ("run", memory.run),
                ])
                .record(recorder, dispatch_size(words.div_ceil(share)))?;
        }
        Ok(())
    }
}

/// Returns the number of 32-bit words that hold one channel of a board, one bit per cell. Every row is padded to whole
/// words.
pub(super) fn board_words(grid: Grid) -> usize {
    grid.height * grid.width.div_ceil(32)
}
