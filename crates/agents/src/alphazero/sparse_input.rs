//! Rows of numbers of which most are 0, on their way to the device: of each number that is not, place and bits, which a kernel
//! expands there.

use vivarium_gpu::{Buffer, Gpu, GpuError, Recorder, spread};

/// Where such rows are written.
pub(super) struct SparseInput {
    /// How many rows there are, and where the entries of each end.
    ends: Buffer,
    /// Place and bits of each number.
    entries: Buffer,
    columns: usize,
    rows: usize,
}

impl SparseInput {
    /// With room for so many rows of `columns` numbers each, and for so many entries in all of them.
    ///
    /// # Errors
    /// [`GpuError`] where they do not fit on the device.
    pub fn new(gpu: &Gpu, columns: usize, rows: usize, entries: usize) -> Result<Self, GpuError> {
        Ok(Self {
            ends: gpu.zeros("where the numbers of rows end", rows + 1)?,
            entries: gpu.zeros("numbers of rows", 2 * entries)?,
            columns,
            rows,
        })
    }

    /// Records what writes the rows with their zeros into an arena, from its word `first` on.
    ///
    /// # Errors
    /// [`GpuError`] where the device refuses the kernel.
    pub fn record(&self, recorder: &mut Recorder, arena: &Buffer, first: usize) -> Result<(), GpuError> {
        let expand = [vivarium_gpu::shader!("expand.wgsl")];
        let words = [("columns", self.columns), ("first", first)];
        recorder.run("expand", &expand, &[&self.ends, &self.entries, arena], &words, spread(self.rows))
    }

    /// Writes rows to the device, of which the entries of each end there, and returns how many words that are. `words` is scratch
    /// memory.
    pub fn write(
        &self,
        gpu: &Gpu,
        ends: impl ExactSizeIterator<Item = usize>,
        entries: &[[u32; 2]],
        words: &mut Vec<u32>,
    ) -> usize {
        words.clear();
        words.push(ends.len() as u32);
        words.extend(ends.map(|end| end as u32));
        gpu.write(&self.ends, 0, words);
        gpu.write(&self.entries, 0, entries.as_flattened());
        words.len() + 2 * entries.len()
    }
}
