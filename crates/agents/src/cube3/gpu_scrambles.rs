//! Scrambles made, shown and encoded on a GPU.

use super::config::Cube3Config;
use vivarium_gpu::worlds::{Cubes, RowOutput, Shown};
use vivarium_gpu::{Buffer, Gpu, GpuError, Recorder};

/// The samples of gradient steps on the device: those of [`Scrambles`](super::Scrambles), number for number, without one of
/// them crossing the bus.
pub struct GpuScrambles {
    cubes: Cubes,
    /// The seed and the stream of the first scramble, each low word first.
    draws: Buffer,
    /// `[rows, Cubes::WORDS]`.
    states: Buffer,
    /// `[rows]`: the number of the move that undoes the last turn.
    undo: Buffer,
    scrambles: usize,
    depth: usize,
}

impl GpuScrambles {
    /// Bytes that go to the device for a gradient step.
    pub const BYTES: u64 = 16;

    /// Room for those of a config.
    ///
    /// # Errors
    /// [`GpuError`] where there is no room for them.
    pub fn new(gpu: &Gpu, config: &Cube3Config) -> Result<Self, GpuError> {
        let rows = config.batch();
        Ok(Self {
            cubes: Cubes::new(gpu, config.metric, config.symmetries)?,
            draws: gpu.zeros("which scrambles are drawn", 4)?,
            states: gpu.buffer("scrambled cubes", rows * Cubes::WORDS)?,
            undo: gpu.buffer("moves that undo turns", rows)?,
            scrambles: config.scrambles as usize,
            depth: config.depth as usize,
        })
    }

    /// Chooses the step whose samples are made next, as [`Scrambles::draw`](super::Scrambles::draw) does.
    pub fn choose(&self, gpu: &Gpu, seed: u64, step: u64) {
        let first = step.wrapping_mul(self.scrambles as u64);
        let words = [seed, first].map(|word| [word as u32, (word >> 32) as u32]);
        gpu.write(&self.draws, 0, words.as_flattened());
    }

    /// Records what makes the samples that were chosen: encoded states `[rows, INPUTS]` from the first of these words of `inputs`
    /// on, and the numbers of the moves that undo their last turns `[rows]` from the second on.
    ///
    /// # Errors
    /// [`GpuError::Shader`] where the device refuses a kernel.
    pub fn record(
        &self,
        recorder: &mut Recorder,
        inputs: &Buffer,
        [state, undo]: [usize; 2],
    ) -> Result<(), GpuError> {
        let Self { cubes, draws, states, undo: moves, scrambles, depth } = self;
        cubes.scramble(recorder, draws, [states, moves], *scrambles, *depth)?;
        let shown = Shown { states, rows: scrambles * depth, input: (inputs, state) };
        cubes.show(recorder, shown, RowOutput::Move(moves, undo))
    }
}
