//! Batches of samples in row-major arrays.

use std::ops::Range;
use vivarium_graph::{Chunks, Cpu};
use vivarium_kernels::AlignedVec;

/// A batch: `N` row-major arrays with one row for each sample, such as the inputs of a loss.
#[derive(Clone, Debug)]
pub struct SampleBatch<const N: usize> {
    widths: [usize; N],
    columns: [AlignedVec<f32>; N],
}

impl<const N: usize> SampleBatch<N> {
    /// Creates a batch of zeros, in which array `i` has the shape `[rows, widths[i]]`.
    pub fn new(rows: usize, widths: [usize; N]) -> Self {
        Self { widths, columns: widths.map(|width| AlignedVec::zeros(rows * width)) }
    }

    /// Returns the array with index `index` (from 0), row-major with one row for each sample.
    pub fn column(&self, index: usize) -> &[f32] {
        &self.columns[index]
    }

    /// Returns the array with index `index` (from 0) for writing, row-major with one row for each sample.
    pub fn column_mut(&mut self, index: usize) -> &mut [f32] {
        &mut self.columns[index]
    }

    /// Returns the rows (samples) with the indices `rows` of each array, row-major.
    pub fn rows(&self, rows: Range<usize>) -> [&[f32]; N] {
        std::array::from_fn(|index| {
            let width = self.widths[index];
            &self.columns[index][rows.start * width..rows.end * width]
        })
    }

    /// Fills the first `rows` rows on all threads, in blocks of `block` rows (the last block may be shorter). `fill`
    /// receives the index of the block's first row, and the rows of the block in each array.
    ///
    /// # Panics
    /// If the batch has fewer rows.
    pub fn fill(
        &mut self,
        cpu: &Cpu,
        rows: usize,
        block: usize,
        fill: impl Fn(usize, [&mut [f32]; N]) + Sync,
    ) {
        let block = block.max(1);
        let mut columns = self.columns.iter_mut().zip(self.widths);
        let blocks: [_; N] = std::array::from_fn(|_| {
            let (column, width) = columns.next().expect("a batch has N columns");
            Chunks { slice: &mut column[..rows * width], len: block * width }
        });
        cpu.for_each_part(blocks, |index, blocks| fill(index * block, blocks.map(|block| block.slice)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_filled_once() {
        for threads in [1, 3] {
            for (rows, block) in [(0, 4), (1, 4), (4, 4), (9, 4), (37, 5)] {
                let mut batch = SampleBatch::new(40, [1, 3]);
                batch.fill(&Cpu::new(threads), rows, block, |first, [narrow, wide]| {
                    assert!(first.is_multiple_of(block) && narrow.len() == block.min(rows - first));
                    narrow.iter_mut().enumerate().for_each(|(row, x)| *x += (first + row + 1) as f32);
                    wide.iter_mut().enumerate().for_each(|(at, x)| *x += (3 * first + at + 1) as f32);
                });
                let expected = |len| (0..120).map(|i| if i < len { i as f32 + 1.0 } else { 0.0 }).collect();
                let [narrow, wide]: [Vec<f32>; 2] = [expected(rows), expected(3 * rows)];
                assert_eq!((batch.column(0), batch.column(1)), (&narrow[..40], &wide[..]));
                assert_eq!(batch.rows(2..4), [&narrow[2..4], &wide[6..12]]);
            }
        }
    }
}
