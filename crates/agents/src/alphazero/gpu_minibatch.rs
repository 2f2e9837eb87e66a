//! Minibatches as they go to the device: of states, legal actions and policies only the numbers that are not 0, as a place and a
//! number each, which a kernel expands there.
//!
//! A sample of backgammon is 2,088 numbers, of which some 65 are not 0: half a kilobyte in place of eight.

use super::game::{Learnable, Row};
use super::gpu_evaluator::record_expansion;
use super::replay::Replay;
use vivarium_gpu::{Buffer, Gpu, GpuError, Recorder};
use vivarium_kernels::gemm::SparseRows;
use vivarium_learn::GpuTrainer;

/// A minibatch for the first inputs of the loss: state, legal actions, policy and heads.
pub(super) struct GpuMinibatch {
    /// All but the heads, of which few are 0.
    sparse: [SparseInput; 3],
    heads: Vec<f32>,
    /// What is written of an input.
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
        let sparse = [G::INPUTS, G::ACTIONS, G::ACTIONS].map(|columns| SparseInput::new(gpu, columns, rows));
        let [state, legal, policy] = sparse;
        let sparse = [state?, legal?, policy?];
        let mut recorder = Recorder::new(gpu);
        for (index, input) in sparse.iter().enumerate() {
            let (arena, words) = trainer.input(index);
            let buffers = [&input.ends, &input.entries, arena];
            record_expansion(&mut recorder, buffers, words.start, input.columns, rows)?;
        }
        trainer.prepare_with(Some(recorder.finish()?));
        Ok(Self { sparse, heads: Vec::with_capacity(rows * G::HEADS), words: Vec::new(), bytes: 0 })
    }

    /// Sends samples of the replay, which the next gradient step begins with.
    pub fn send<G: Learnable>(&mut self, gpu: &Gpu, replay: &Replay<G>, samples: &[u32]) {
        let Self { sparse, heads, words, bytes } = self;
        let [states, legal, policies] = sparse.each_mut().map(|input| &mut input.rows);
        states.clear();
        legal.clear();
        policies.clear();
        heads.clear();
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
        *bytes = sparse.iter().map(|input| input.write(gpu, words)).sum();
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

/// Rows of numbers of which most are 0.
struct SparseInput {
    columns: usize,
    rows: SparseRows,
    /// How many rows there are, and where the entries of each end.
    ends: Buffer,
    /// Place and bits of each number.
    entries: Buffer,
}

impl SparseInput {
    /// With room for rows without any 0.
    fn new(gpu: &Gpu, columns: usize, rows: usize) -> Result<Self, GpuError> {
        Ok(Self {
            columns,
            rows: SparseRows::with_capacity(1, columns),
            ends: gpu.zeros("where the numbers of samples end", rows + 1)?,
            entries: gpu.zeros("numbers of samples", 2 * rows * columns)?,
        })
    }

    /// Writes the rows to the device, and returns how many bytes that are. `words` is scratch memory.
    fn write(&self, gpu: &Gpu, words: &mut Vec<u32>) -> u64 {
        words.clear();
        words.push(self.rows.len() as u32);
        words.extend(self.rows.ends().iter().map(|&end| end as u32));
        gpu.write(&self.ends, 0, words);
        let of_ends = words.len();
        words.clear();
        words.extend(self.rows.entries().iter().flat_map(|&(place, number)| [place, number.to_bits()]));
        gpu.write(&self.entries, 0, words);
        4 * (of_ends + words.len()) as u64
    }
}
