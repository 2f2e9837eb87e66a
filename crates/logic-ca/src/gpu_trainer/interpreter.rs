//! The kernel that steps hard automata, with a circuit for it to interpret.

use super::stages::{LOAD, Stages, THREADS};
use crate::grid::{Border, Grid};
use crate::hard::Circuit;
use vivarium_gpu::{Buffer, Gpu, GpuError, Kernel, Recorder, spread};

/// The most rounds of words that a workgroup takes one after the other, for the sake of taking many steps at once.
const MOST_ROUNDS: usize = 8;

/// The most steps of a dispatch: some milliseconds on a slow GPU.
const MOST_STEPS: usize = 64;

/// A circuit on the device.
pub(super) struct Interpreter {
    stages: Stages,
    code: Buffer,
    kernel: Kernel,
    channels: usize,
}

/// The memory that an interpreter works on.
#[derive(Clone, Copy)]
pub(super) struct Memory<'a> {
    /// The truth tables that gates name.
    pub functions: &'a Buffer,
    /// Which cells fire, `[step][words]` from word `fired` on; only if that is some.
    pub bits: &'a Buffer,
    pub fired: Option<usize>,
    /// From word `run` on: how many steps the run has, and where the state is kept that it begins with.
    pub settings: &'a Buffer,
    pub run: usize,
    /// `[state][channel][words]`.
    pub planes: &'a Buffer,
    /// How many states there is room for.
    pub kept: usize,
}

impl Interpreter {
    /// Puts a circuit there, whose gate number i has function number `functions(i)` of [`Memory::functions`]; `None` if it
    /// has too many values for a workgroup.
    ///
    /// # Errors
    /// [`GpuError`] where there is no room, or the kernel is refused.
    pub fn new(
        gpu: &Gpu,
        circuit: &Circuit,
        functions: impl Fn(usize) -> u32,
    ) -> Result<Option<Self>, GpuError> {
        let Some(stages) = Stages::new(circuit, functions) else { return Ok(None) };
        let text = format!(
            "const WIDE = {}u;\nconst THREADS = {THREADS}u;\nconst LOAD = {LOAD}u;\n{}",
            stages.wide,
            vivarium_gpu::shader!("hard.wgsl")
        );
        let kernel = gpu.kernel("hard automaton", &text, &[])?;
        let code = gpu.upload("a circuit", &stages.code)?;
        Ok(Some(Self { stages, code, kernel, channels: circuit.channels() }))
    }

    /// How many steps one dispatch takes on these boards.
    pub fn steps_at_once(&self, grid: Grid) -> usize {
        if self.alone(grid) { MOST_STEPS } else { 1 }
    }

    /// Whether a workgroup has whole boards to itself.
    fn alone(&self, grid: Grid) -> bool {
        board_words(grid).div_ceil(self.stages.wide) <= MOST_ROUNDS
    }

    /// Records a run of up to `steps` steps; how many they are, and where they begin, the settings say.
    pub fn record(&self, recorder: &mut Recorder, grid: Grid, memory: Memory, steps: usize) {
        let (wide, at_once) = (self.stages.wide, self.steps_at_once(grid));
        let (row_words, words) = (grid.width.div_ceil(32), grid.boards * board_words(grid));
        let share =
            if self.alone(grid) { board_words(grid) * (wide / board_words(grid)).max(1) } else { wide };
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
                usize::from(memory.fired.is_some()),
                memory.fired.unwrap_or(0),
                memory.run,
            ];
            let buffers = [&self.code, memory.functions, memory.bits, memory.settings, memory.planes];
            recorder.dispatch(
                &self.kernel,
                &buffers,
                &sizes.map(|size| size as u32),
                spread(words.div_ceil(share)),
            );
        }
    }
}

/// Words of a board in one channel: its rows, each a whole number of words.
pub(super) fn board_words(grid: Grid) -> usize {
    grid.height * grid.width.div_ceil(32)
}
