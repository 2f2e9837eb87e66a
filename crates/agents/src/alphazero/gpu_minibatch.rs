//! Upload of AlphaZero minibatches as sparse rows, which a kernel expands to dense rows. A sparse row holds the
//! column and the `f32` bits of each nonzero value.
//!
//! A backgammon sample has 2,088 values, about 65 of which are nonzero: half a kilobyte as sparse rows instead of
//! eight kilobytes.

use super::game::{InputRow, SelfPlayGame};
use super::replay::Replay;
use super::sparse_input::SparseInput;
use vivarium_gpu::{Gpu, GpuError, GpuRecorder};
use vivarium_kernels::gemm::SparseRows;
use vivarium_learn::GpuTrainer;

/// Minibatch for gradient steps on the GPU. States, legal actions and policy targets are uploaded as sparse rows,
/// value targets as dense rows.
pub(super) struct GpuMinibatch {
    /// Sparse rows on the host: states, legal actions, policy targets.
    rows: [SparseRows; 3],
    /// Device buffers of the sparse rows: states, legal actions, policy targets.
    inputs: [SparseInput; 3],
    /// Value targets of the minibatch, `[samples, HEADS]`.
    heads: Vec<f32>,
    /// Scratch memory: column and `f32` bits of each nonzero value that is uploaded.
    entries: Vec<[u32; 2]>,
    words: Vec<u32>,
    /// Number of bytes uploaded for the last minibatch, without the value targets.
    bytes: u64,
}

impl GpuMinibatch {
    /// Creates the buffers for minibatches of `rows` samples. Every gradient step of `trainer` then begins with kernels
    /// that expand the sparse rows to dense rows.
    ///
    /// # Errors
    /// [`GpuError`] if the device has too little memory or rejects a kernel.
    pub fn new<G: SelfPlayGame>(gpu: &Gpu, trainer: &mut GpuTrainer, rows: usize) -> Result<Self, GpuError> {
        let columns = [G::INPUTS, G::ACTIONS, G::ACTIONS];
        let [state, legal, policy] =
            columns.map(|columns| SparseInput::new(gpu, columns, rows, rows * columns));
        let inputs = [state?, legal?, policy?];
        let mut recorder = GpuRecorder::new(gpu);
        for (index, input) in inputs.iter().enumerate() {
            let (arena, words) = trainer.input(index);
            input.record(&mut recorder, arena, words.start)?;
        }
        trainer.set_input_program(Some(recorder.finish()?));
        Ok(Self {
            rows: columns.map(|columns| SparseRows::with_capacity(1, columns)),
            inputs,
            heads: Vec::with_capacity(rows * G::HEADS),
            entries: Vec::new(),
            words: Vec::new(),
            bytes: 0,
        })
    }

    /// Uploads the minibatch of the next gradient step. `samples` holds the indices of its samples in the replay
    /// buffer.
    pub fn send<G: SelfPlayGame>(&mut self, gpu: &Gpu, replay: &Replay<G>, samples: &[u32]) {
        let Self { rows, inputs, heads, entries, words, bytes } = self;
        rows.iter_mut().for_each(SparseRows::clear);
        heads.clear();
        let [states, legal, policies] = rows;
        for &number in samples {
            let (sample, policy) = replay.get(number as usize);
            states.add(G::INPUTS, |row| sample.state.write_inputs(row));
            policies.add(G::ACTIONS, |row| {
                policy.for_each(|entry| InputRow::push(row, usize::from(entry.action), entry.probability()));
            });
            let (_, policy) = replay.get(number as usize);
            legal.add(G::ACTIONS, |row| {
                policy.for_each(|entry| InputRow::push(row, usize::from(entry.action), 1.0))
            });
            heads.extend_from_slice(&sample.heads[..G::HEADS]);
        }
        let mut written = 0;
        for (rows, input) in rows.iter().zip(inputs) {
            entries.clear();
            entries.extend(rows.entries().iter().map(|&(place, number)| [place, number.to_bits()]));
            written += input.write(gpu, rows.ends().iter().copied(), entries, words);
        }
        *bytes = 4 * written as u64;
    }

    /// Returns the value targets of the last minibatch, `[samples, HEADS]`. The trainer uploads these targets together
    /// with the gradient step.
    pub fn heads(&self) -> &[f32] {
        &self.heads
    }

    /// Returns the number of bytes uploaded for the last minibatch, without the value targets.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}
