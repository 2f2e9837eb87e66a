//! Fused output head and cross-entropy of a language model. The full logits are never materialized.
//!
//! Rows of x are processed in blocks, and each block in chunks of the vocabulary whose logits stay in the cache. The
//! loss needs only a running maximum and a running sum of each row (online softmax: Milakov and Gimelshein 2018,
//! <https://arxiv.org/abs/1805.02867>). The gradient keeps all logits of a block until the sums are complete, which is
//! faster than to compute them twice.

use crate::gemm::{PackedMatrix, gemm, gemm_tn};
use crate::math;
use crate::matrix::{Matrix, MatrixMut};
use crate::simd::{Level, Simd, SimdBase, dispatch, load_partial, map_slice};
use std::ops::Range;

/// Number of vocabulary entries in a chunk. The weights \[vocabulary, n\] are packed in chunks of this many rows.
pub const CHUNK: usize = 512;

/// Maximum number of logits of the rows that are processed together (4 MiB).
const MAX_LOGITS: usize = 1 << 20;
/// Minimum and maximum number of rows that are processed together. With fewer rows the weight gradient is slow; more
/// rows do not accelerate the gradient.
const BLOCK_ROWS: (usize, usize) = (32, 256);

/// Output head of a language model: weights W \[vocabulary, n\], packed in chunks of rows for the product x·Wᵀ and, for
/// the gradient, for the product dy·W.
#[derive(Clone, Copy, Debug)]
pub struct OutputHead<'a> {
    /// Chunks (blocks of rows) of the head's weight W in vocabulary order, packed by [`PackedMatrix::pack_transposed`]
    /// for the product x·Wᵀ.
    pub transposed: &'a [PackedMatrix],
    /// Chunks (blocks of rows) of the head's weight W in vocabulary order, packed by [`PackedMatrix::pack`] for the
    /// product dy·W. May be empty for [`losses`].
    pub forward: &'a [PackedMatrix],
}

impl OutputHead<'_> {
    /// Returns n, the number of columns of the head's input and of its weights \[vocabulary, n\].
    fn width(&self) -> usize {
        self.transposed[0].k()
    }

    fn vocabulary(&self) -> usize {
        self.transposed.iter().map(PackedMatrix::n).sum()
    }
}

fn block_rows(rows: usize, vocabulary: usize) -> usize {
    (MAX_LOGITS / vocabulary).clamp(BLOCK_ROWS.0, BLOCK_ROWS.1).min(rows)
}

/// Returns the length in f32 values of the scratch memory for [`losses`] and [`gradient`].
#[must_use]
pub fn scratch_len(rows: usize, vocabulary: usize) -> usize {
    block_rows(rows, vocabulary) * (vocabulary + 3)
}

/// Computes the cross-entropy loss of each row: −ln softmax(x·Wᵀ)\[target\], for x \[rows, n\]. Targets are whole
/// numbers stored as f32; a target out of range is clamped. A logit of −∞ has probability 0; the loss is NaN if all
/// logits of a row are −∞. `scratch` has [`scratch_len`] elements.
///
/// # Panics
/// If `scratch` is too short.
pub fn losses(
    level: Level,
    head: OutputHead<'_>,
    x: &[f32],
    targets: &[f32],
    losses: &mut [f32],
    scratch: &mut [f32],
) {
    let (n, block) = (head.width(), block_rows(targets.len(), head.vocabulary()));
    let blocks = x.chunks(block * n).zip(targets.chunks(block)).zip(losses.chunks_mut(block));
    for ((x, targets), losses) in blocks {
        let (logits, mut sums) = OnlineSoftmax::new(scratch, targets.len(), head.vocabulary());
        let mut first = 0;
        for chunk in head.transposed {
            // All chunks use the same memory, which stays in the cache.
            sums.add(level, x, chunk, &mut logits[..targets.len() * chunk.n()], targets, first);
            first += chunk.n();
        }
        sums.finish(losses.iter_mut());
    }
}

/// Output buffers of [`gradient`]: gradients of the head's input x and weight W, and the losses.
#[derive(Debug)]
pub struct HeadGradient<'a> {
    /// Gradient of the head's input, \[rows, n\].
    pub dx: &'a mut [f32],
    /// Cross-entropy loss of each row, \[rows\].
    pub losses: &'a mut [f32],
    /// Weight gradient, \[vocabulary, n\]. [`gradient`] adds to the previous contents.
    pub dw: &'a mut [f32],
}

/// Computes the losses of [`losses`], and their gradients with respect to the head's input x and weight W. `dlosses`
/// \[rows\] is the gradient with respect to each loss.
///
/// # Panics
/// If `scratch` is too short, or `gradient.dw` and W differ in length.
pub fn gradient(
    level: Level,
    head: OutputHead<'_>,
    x: &[f32],
    targets: &[f32],
    dlosses: &[f32],
    gradient: HeadGradient<'_>,
    scratch: &mut [f32],
) {
    let HeadGradient { dx, losses, dw } = gradient;
    let (n, block) = (head.width(), block_rows(targets.len(), head.vocabulary()));
    assert_eq!(dw.len(), head.vocabulary() * n, "dw and the weights differ in length");
    let blocks = x.chunks(block * n).zip(targets.chunks(block)).zip(dlosses.chunks(block));
    let results = dx.chunks_mut(block * n).zip(losses.chunks_mut(block));
    for (((x, targets), dlosses), (dx, losses)) in blocks.zip(results) {
        let rows = targets.len();
        let (logits, mut sums) = OnlineSoftmax::new(scratch, rows, head.vocabulary());
        let mut first = 0;
        for chunk in head.transposed {
            let logits = &mut logits[rows * first..][..rows * chunk.n()];
            sums.add(level, x, chunk, logits, targets, first);
            first += chunk.n();
        }
        sums.finish(losses.iter_mut());
        let mut first = 0;
        for chunk in head.forward {
            let count = chunk.k();
            let logits = &mut logits[rows * first..][..rows * count];
            sums.differentiate(level, logits, targets, dlosses, first..first + count, head.vocabulary());
            let beta = if first == 0 { 0.0 } else { 1.0 };
            let logits = Matrix::new(logits, count);
            gemm(level, rows, logits, chunk, MatrixMut::new(dx, n), beta);
            gemm_tn(level, rows, logits, Matrix::new(x, n), &mut dw[first * n..][..count * n]);
            first += count;
        }
    }
}

/// State of the online softmax over the vocabulary, for a block of rows.
struct OnlineSoftmax<'a> {
    /// Running maximum of the logits of each row. [`finish`](Self::finish) replaces the maximum by the log-sum-exp.
    maximum: &'a mut [f32],
    /// Running sum of e^(logit − maximum) of each row.
    total: &'a mut [f32],
    /// Logit of each row's target.
    target_logit: &'a mut [f32],
}

impl<'a> OnlineSoftmax<'a> {
    /// Divides the scratch memory into logits \[rows, vocabulary\], and the running maximum, sum and target logit of
    /// each row. Returns the logits and the reset state.
    fn new(scratch: &'a mut [f32], rows: usize, vocabulary: usize) -> (&'a mut [f32], Self) {
        let (logits, rest) = scratch.split_at_mut(rows * vocabulary);
        let (maximum, rest) = rest.split_at_mut(rows);
        let (total, rest) = rest.split_at_mut(rows);
        maximum.fill(f32::NEG_INFINITY);
        total.fill(0.0);
        (logits, Self { maximum, total, target_logit: &mut rest[..rows] })
    }

    /// Computes the logits of one chunk of the vocabulary, which starts at entry `first`, and updates the running
    /// maximum, sum and target logit of each row.
    fn add(
        &mut self,
        level: Level,
        x: &[f32],
        chunk: &PackedMatrix,
        logits: &mut [f32],
        targets: &[f32],
        first: usize,
    ) {
        let (k, n) = (chunk.k(), chunk.n());
        gemm(level, targets.len(), Matrix::new(x, k), chunk, MatrixMut::new(logits, n), 0.0);
        dispatch!(level, s => accumulate(s, n, logits, self.maximum, self.total));
        for ((row, &target), target_logit) in
            logits.chunks_exact(n).zip(targets).zip(self.target_logit.iter_mut())
        {
            // A target beyond this chunk stores the chunk's last logit, which the following chunk overwrites.
            if let Some(column) = (target as usize).checked_sub(first) {
                *target_logit = row[column.min(n - 1)];
            }
        }
    }

    /// Computes the cross-entropy loss of each row after all chunks, and replaces each running maximum by the
    /// log-sum-exp.
    fn finish<'b>(&mut self, losses: impl Iterator<Item = &'b mut f32>) {
        for (((maximum, total), target_logit), loss) in
            self.maximum.iter_mut().zip(&*self.total).zip(&*self.target_logit).zip(losses)
        {
            *maximum += total.ln();
            *loss = *maximum - target_logit;
        }
    }

    /// Replaces the logits of the vocabulary chunk `entries` by the gradients of the logits: (softmax −
    /// onehot(target))·dloss.
    fn differentiate(
        &self,
        level: Level,
        logits: &mut [f32],
        targets: &[f32],
        dlosses: &[f32],
        entries: Range<usize>,
        vocabulary: usize,
    ) {
        let n = entries.len();
        dispatch!(level, s => probabilities(s, n, self.maximum, dlosses, logits));
        for ((row, &target), dloss) in logits.chunks_exact_mut(n).zip(targets).zip(dlosses) {
            let target = (target as usize).min(vocabulary - 1);
            if entries.contains(&target) {
                row[target - entries.start] -= dloss;
            }
        }
    }
}

#[inline(always)]
fn accumulate<S: Simd>(s: S, n: usize, logits: &[f32], maximum: &mut [f32], total: &mut [f32]) {
    let (lanes, lowest) = (S::f32s::LEN, f32::NEG_INFINITY);
    for ((row, maximum), total) in logits.chunks_exact(n).zip(maximum).zip(total) {
        let mut found = S::f32s::splat(s, *maximum);
        for x in row.chunks(lanes) {
            found = found.max(load_partial(s, x, lowest));
        }
        let found = found.reduce_max();
        // While all logits are −∞, their sum is 0 relative to any finite number; −∞ − (−∞) would be NaN.
        let shift = if found == lowest { 0.0 } else { found };
        let mut sum = S::f32s::splat(s, 0.0);
        for x in row.chunks(lanes) {
            sum += math::exp(s, load_partial(s, x, lowest) - shift);
        }
        *total = *total * (*maximum - shift).exp() + sum.reduce_sum();
        *maximum = found;
    }
}

#[inline(always)]
fn probabilities<S: Simd>(s: S, n: usize, log_sums: &[f32], factors: &[f32], logits: &mut [f32]) {
    for ((row, &log_sum), &factor) in logits.chunks_exact_mut(n).zip(log_sums).zip(factors) {
        map_slice(
            s,
            row,
            #[inline(always)]
            |x| math::exp(s, x - log_sum) * factor,
        );
    }
}
