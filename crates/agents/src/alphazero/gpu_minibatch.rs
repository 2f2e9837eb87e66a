//! Minibatches as they go to the device: of states, legal actions and policies only the numbers that are not 0, as a place and a
//! number each, which a kernel expands there.
//!
//! A sample of backgammon is 2,088 numbers, of which some 65 are not 0: half a kilobyte in place of eight.

use super::game::{Learnable, Row};
use super::replay::Replay;
use super::sparse_input::SparseInput;
use vivarium_gpu::{Gpu, GpuError, Recorder};
use vivarium_kernels::gemm::SparseRows;
use vivarium_learn::GpuTrainer;

/// A minibatch for the first inputs of the loss: state, legal actions, policy and heads.
pub(super) struct GpuMinibatch {
    /// States, legal actions and policies.
    rows: [SparseRows; 3],
    /// Where each of these goes.
    inputs: [SparseInput; 3],
    /// These go as they are, for few of them are 0.
    heads: Vec<f32>,
    /// Scratch memory for what is written.
    entries: Vec<[u32; 2]>,
    words: Vec<u32>,
    /// Bytes that the last one took on the way to the device.
    bytes: u64,
}

impl GpuMinibatch {
    /// Has the gradient steps of a trainer begin with the expansion of minibatches of so many rows.
    ///
    /// # Errors
    /// [`GpuError`] where they do not fit on the device, or a kernel is refused.
    pub fn new<G: Learnable>(gpu: &Gpu, trainer: &mut GpuTrainer, rows: usize) -> Result<Self, GpuError> {
        let columns = [G::INPUTS, G::ACTIONS, G::ACTIONS];
        let [state, legal, policy] =
            columns.map(|columns| SparseInput::new(gpu, columns, rows, rows * columns));
        let inputs = [state?, legal?, policy?];
        let mut recorder = Recorder::new(gpu);
        for (index, input) in inputs.iter().enumerate() {
            let (arena, words) = trainer.input(index);
            input.record(&mut recorder, arena, words.start)?;
        }
        trainer.prepare_with(Some(recorder.finish()?));
        Ok(Self {
            rows: columns.map(|columns| SparseRows::with_capacity(1, columns)),
            inputs,
            heads: Vec::with_capacity(rows * G::HEADS),
            entries: Vec::new(),
            words: Vec::new(),
            bytes: 0,
        })
    }

    /// Sends samples of the replay, which the next gradient step begins with.
    pub fn send<G: Learnable>(&mut self, gpu: &Gpu, replay: &Replay<G>, samples: &[u32]) {
        let Self { rows, inputs, heads, entries, words, bytes } = self;
        rows.iter_mut().for_each(SparseRows::clear);
        heads.clear();
        let [states, legal, policies] = rows;
        for &number in samples {
            let (sample, shares) = replay.get(number as usize);
            states.add(G::INPUTS, |row| sample.state.describe(row));
            policies.add(G::ACTIONS, |row| {
                shares.for_each(|share| Row::push(row, usize::from(share.action), share.probability()));
            });
            let (_, shares) = replay.get(number as usize);
            legal.add(G::ACTIONS, |row| {
                shares.for_each(|share| Row::push(row, usize::from(share.action), 1.0))
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

    /// The heads of the samples that were sent last, which go with the gradient step.
    pub fn heads(&self) -> &[f32] {
        &self.heads
    }

    /// Bytes that the last samples took on the way to the device, but for their heads.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}
