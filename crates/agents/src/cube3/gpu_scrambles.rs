//! Scrambles that are drawn, reduced by symmetry and encoded on a GPU.

use super::config::Cube3Config;
use vivarium_gpu::worlds::{CubeKernels, CubeRows, RowOutput};
use vivarium_gpu::{Buffer, Gpu, GpuError, GpuRecorder};

/// Minibatches of scrambles on the GPU, identical to [`ScrambleBatch`](super::ScrambleBatch). No sample is
/// transferred.
pub struct GpuScrambleBatch {
    cubes: CubeKernels,
    /// Seed, and index of the random stream of the first scramble: two words each, low word first.
    draws: Buffer,
    /// Scrambled states, packed in words, `[rows, CubeKernels::WORDS]`.
    states: Buffer,
    /// Action that undoes the last turn of each state, `[rows]`.
    undo: Buffer,
    scrambles: usize,
    depth: usize,
}

impl GpuScrambleBatch {
    /// Number of bytes uploaded per gradient step.
    pub const BYTES: u64 = 16;

    /// Allocates the buffers for a config.
    ///
    /// # Errors
    /// [`GpuError`] if the buffers do not fit.
    pub fn new(gpu: &Gpu, config: &Cube3Config) -> Result<Self, GpuError> {
        let rows = config.batch();
        Ok(Self {
            cubes: CubeKernels::new(gpu, config.metric, config.symmetries)?,
            draws: gpu.zeros("scramble seed and stream", 4)?,
            states: gpu.buffer("scrambled cubes", rows * CubeKernels::WORDS)?,
            undo: gpu.buffer("inverse turns", rows)?,
            scrambles: config.scrambles as usize,
            depth: config.depth as usize,
        })
    }

    /// Uploads the seed and the index of the first random stream of gradient step `step`. The recorded kernels then
    /// draw the same minibatch as [`ScrambleBatch::draw`](super::ScrambleBatch::draw).
    pub fn choose(&self, gpu: &Gpu, seed: u64, step: u64) {
        let first = step.wrapping_mul(self.scrambles as u64);
        let words = [seed, first].map(|word| [word as u32, (word >> 32) as u32]);
        gpu.write(&self.draws, 0, words.as_flattened());
    }

    /// Records the kernels that draw the minibatch. Encoded states `[rows, INPUTS]` are written to `inputs` at word
    /// `state`, the actions that undo the last turns `[rows]` at word `undo`.
    ///
    /// # Errors
    /// [`GpuError::Shader`] if the device rejects a kernel.
    pub fn record(
        &self,
        recorder: &mut GpuRecorder,
        inputs: &Buffer,
        [state, undo]: [usize; 2],
    ) -> Result<(), GpuError> {
        let Self { cubes, draws, states, undo: moves, scrambles, depth } = self;
        cubes.scramble(recorder, draws, [states, moves], *scrambles, *depth)?;
        let shown = CubeRows { states, rows: scrambles * depth, input: (inputs, state) };
        cubes.encode(recorder, shown, RowOutput::Move(moves, undo))
    }
}
