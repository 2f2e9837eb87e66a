//! Minibatches of scrambled 3×3×3 cubes that a GPU draws, reduces by symmetry, and encodes.

use super::config::Cube3Config;
use vivarium_gpu::worlds::{CubeKernels, CubeRows, RowOutput};
use vivarium_gpu::{Buffer, Gpu, GpuError, GpuRecorder};

/// Minibatches of scrambled cubes that the GPU draws, identical to the minibatches of
/// [`ScrambleBatch`](super::ScrambleBatch).
/// No sample is copied between host and device.
pub struct GpuScrambleBatch {
    cubes: CubeKernels,
    /// Seed of the run's scrambles, and index of the random stream of the minibatch's first scramble: two 32-bit
    /// words each, low word first.
    draws: Buffer,
    /// State of each sample, packed in 32-bit words, `[rows, CubeKernels::WORDS]`.
    states: Buffer,
    /// Action that undoes the last turn of each sample's state, `[rows]`.
    undo: Buffer,
    scrambles: usize,
    depth: usize,
}

impl GpuScrambleBatch {
    /// Number of bytes uploaded per gradient step: seed and stream index, eight bytes each.
    pub const BYTES: u64 = 16;

    /// Allocates the device buffers for minibatches of the size that the config determines.
    ///
    /// # Errors
    /// [`GpuError`] if the device has too little memory.
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

    /// Selects the minibatch of gradient step `step`: uploads the seed, and the index of the random stream of the
    /// minibatch's first scramble. The recorded kernels then draw the same minibatch as
    /// [`ScrambleBatch::draw`](super::ScrambleBatch::draw).
    pub fn choose(&self, gpu: &Gpu, seed: u64, step: u64) {
        let first = step.wrapping_mul(self.scrambles as u64);
        let words = [seed, first].map(|word| [word as u32, (word >> 32) as u32]);
        gpu.write(&self.draws, 0, words.as_flattened());
    }

    /// Records the kernels that draw a minibatch and write it to the buffer `inputs`: encoded states `[rows, INPUTS]`
    /// from 32-bit word `state` on, and actions that undo the last turns `[rows]` from word `undo` on.
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
