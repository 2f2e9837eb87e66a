//! The head of a language model and its cross-entropy in one: what the logits of all rows over a whole vocabulary would
//! take never lies in memory.
//!
//! Rows are taken in blocks, and for a block the vocabulary in chunks, whose products are all done while the chunk's logits
//! are in the cache. The losses alone need no more than a running maximum and sum of each row (Milakov and Gimelshein 2018).
//! For the gradient a block's logits are kept until its sums are known, which costs less than to compute them again would.

use crate::gemm::{PackedMatrix, gemm, gemm_tn};
use crate::math;
use crate::matrix::{Matrix, MatrixMut};
use crate::simd::{Level, Simd, SimdBase, dispatch, load_partial, store_partial};
use std::ops::Range;

/// Entries of the vocabulary in a chunk: a head's weights \[vocabulary, n\] are packed in chunks of so many rows.
pub const CHUNK: usize = 512;

/// Logits that a block of rows may have: 4 MiB of them.
const LOGITS: usize = 1 << 20;
/// Rows of a block, whatever the vocabulary: fewer would make the gradient of the weights slow, more would gain nothing.
const BLOCK: (usize, usize) = (32, 256);

/// A head's weights W \[vocabulary, n\], packed chunk by chunk for x·Wᵀ, and for dy·W where a gradient is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// [`PackedMatrix::pack_transposed`] of every chunk of rows, in order.
    pub transposed: &'a [PackedMatrix],
    /// [`PackedMatrix::pack`] of every chunk of rows, in order.
    pub forward: &'a [PackedMatrix],
}

impl Head<'_> {
    /// The length of a row of x.
    fn width(&self) -> usize {
        self.transposed[0].k()
    }

    fn vocabulary(&self) -> usize {
        self.transposed.iter().map(PackedMatrix::n).sum()
    }
}

fn block_rows(rows: usize, vocabulary: usize) -> usize {
    (LOGITS / vocabulary).clamp(BLOCK.0, BLOCK.1).min(rows)
}

/// How many numbers of working memory [`losses`] and [`gradient`] need.
#[must_use]
pub fn scratch_len(rows: usize, vocabulary: usize) -> usize {
    block_rows(rows, vocabulary) * (vocabulary + 3)
}

/// The cross-entropy of each row's target: −log softmax(x·Wᵀ) at the target, for x \[rows, n\]. A target is a whole number
/// held as f32; one out of range picks the nearest end. `scratch` holds [`scratch_len`] numbers.
pub fn losses(
    level: Level,
    head: Head<'_>,
    x: &[f32],
    targets: &[f32],
    losses: &mut [f32],
    scratch: &mut [f32],
) {
    let (n, block) = (head.width(), block_rows(targets.len(), head.vocabulary()));
    let blocks = x.chunks(block * n).zip(targets.chunks(block)).zip(losses.chunks_mut(block));
    for ((x, targets), losses) in blocks {
        let (logits, mut sums) = Sums::new(scratch, targets.len(), head.vocabulary());
        let mut first = 0;
        for chunk in head.transposed {
            // All chunks in the same place, where the cache has it.
            sums.add(level, x, chunk, &mut logits[..targets.len() * chunk.n()], targets, first);
            first += chunk.n();
        }
        sums.finish(losses.iter_mut());
    }
}

/// The results of [`gradient`].
#[derive(Debug)]
pub struct HeadGradient<'a> {
    /// The gradient of x, \[rows, n\].
    pub dx: &'a mut [f32],
    /// The losses once more, \[rows\].
    pub losses: &'a mut [f32],
    /// The gradient of the weights, \[vocabulary, n\], which is added to.
    pub dw: &'a mut [f32],
}

/// The gradient of [`losses`], given that of each loss.
pub fn gradient(
    level: Level,
    head: Head<'_>,
    x: &[f32],
    targets: &[f32],
    dlosses: &[f32],
    gradient: HeadGradient<'_>,
    scratch: &mut [f32],
) {
    let HeadGradient { dx, losses, dw } = gradient;
    let (n, block) = (head.width(), block_rows(targets.len(), head.vocabulary()));
    assert_eq!(dw.len(), head.vocabulary() * n, "as many gradients as weights");
    let blocks = x.chunks(block * n).zip(targets.chunks(block)).zip(dlosses.chunks(block));
    let results = dx.chunks_mut(block * n).zip(losses.chunks_mut(block));
    for (((x, targets), dlosses), (dx, losses)) in blocks.zip(results) {
        let rows = targets.len();
        let (logits, mut sums) = Sums::new(scratch, rows, head.vocabulary());
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

/// What is known of a block's rows.
struct Sums<'a> {
    /// Each row's largest logit so far; in the end the logarithm of the sum of all exponentiated ones.
    largest: &'a mut [f32],
    /// The sum of e^(logit − largest) over the logits so far.
    total: &'a mut [f32],
    /// The logit of the target.
    picked: &'a mut [f32],
}

impl<'a> Sums<'a> {
    /// Room for a block's logits, and nothing known.
    fn new(scratch: &'a mut [f32], rows: usize, vocabulary: usize) -> (&'a mut [f32], Self) {
        let (logits, rest) = scratch.split_at_mut(rows * vocabulary);
        let (largest, rest) = rest.split_at_mut(rows);
        let (total, rest) = rest.split_at_mut(rows);
        largest.fill(f32::NEG_INFINITY);
        total.fill(0.0);
        (logits, Self { largest, total, picked: &mut rest[..rows] })
    }

    /// Computes the logits of a chunk that begins at the entry `first`, and takes them into account.
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
        dispatch!(level, s => accumulate(s, n, logits, self.largest, self.total));
        for ((row, &target), picked) in logits.chunks_exact(n).zip(targets).zip(self.picked.iter_mut()) {
            // Later chunks set it again until the target's own, or the last one.
            if let Some(column) = (target as usize).checked_sub(first) {
                *picked = row[column.min(n - 1)];
            }
        }
    }

    /// Gives each row's loss.
    fn finish<'b>(&mut self, losses: impl Iterator<Item = &'b mut f32>) {
        for (((largest, total), picked), loss) in
            self.largest.iter_mut().zip(&*self.total).zip(&*self.picked).zip(losses)
        {
            *largest += total.ln();
            *loss = *largest - picked;
        }
    }

    /// Turns a chunk's logits into their gradients: (probability − one-hot target) · gradient of the loss.
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
        dispatch!(level, s => probabilities(s, n, self.largest, dlosses, logits));
        for ((row, &target), dloss) in logits.chunks_exact_mut(n).zip(targets).zip(dlosses) {
            let target = (target as usize).min(vocabulary - 1);
            if entries.contains(&target) {
                row[target - entries.start] -= dloss;
            }
        }
    }
}

#[inline(always)]
fn accumulate<S: Simd>(s: S, n: usize, logits: &[f32], largest: &mut [f32], total: &mut [f32]) {
    let (lanes, lowest) = (S::f32s::LEN, f32::NEG_INFINITY);
    for ((row, largest), total) in logits.chunks_exact(n).zip(largest).zip(total) {
        let mut found = S::f32s::splat(s, *largest);
        for x in row.chunks(lanes) {
            found = found.max(load_partial(s, x, lowest));
        }
        let found = found.reduce_max();
        let mut sum = S::f32s::splat(s, 0.0);
        for x in row.chunks(lanes) {
            sum += math::exp(s, load_partial(s, x, lowest) - found);
        }
        *total = *total * (*largest - found).exp() + sum.reduce_sum();
        *largest = found;
    }
}

#[inline(always)]
fn probabilities<S: Simd>(s: S, n: usize, log_sums: &[f32], factors: &[f32], logits: &mut [f32]) {
    for ((row, &log_sum), &factor) in logits.chunks_exact_mut(n).zip(log_sums).zip(factors) {
        for x in row.chunks_mut(S::f32s::LEN) {
            store_partial::<S>(math::exp(s, load_partial(s, x, 0.0) - log_sum) * factor, x);
        }
    }
}
