//! Embedding lookup and its gradient.

use crate::simd::{Level, Simd, SimdBase, dispatch, load_partial, store_partial, zip_slice};

/// Number of SIMD vectors of an output row that are summed in registers at a time.
const VECTORS: usize = 8;

/// Computes sums of table rows: y\[row\] = Σⱼ table\[index\[row, j\]\] for indices \[rows, k\] and a table \[entries,
/// n\]; y is \[rows, n\]. Indices are whole numbers stored as f32 (exact up to 2²⁴); an index out of range is clamped.
///
/// # Panics
/// If `k` or `n` is 0, the table is empty or has a partial row, or `indices` and `y` differ in the number of rows.
pub fn embedding(level: Level, k: usize, n: usize, indices: &[f32], table: &[f32], y: &mut [f32]) {
    assert!(!table.is_empty() && table.len().is_multiple_of(n), "the table is empty or has a partial row");
    assert_eq!(indices.len() / k, y.len() / n, "indices and y differ in the number of rows");
    dispatch!(level, s => sums(s, k, n, indices, table, y));
}

/// Adds the gradient of [`embedding`] to `dtable` \[entries, n\]: dtable\[index\[row, j\]\] += dy\[row\] for each row
/// and each j.
///
/// # Panics
/// If `k` or `n` is 0, the table is empty or has a partial row, or `indices` and `dy` differ in the number of rows.
pub fn embedding_gradient(level: Level, k: usize, n: usize, indices: &[f32], dy: &[f32], dtable: &mut [f32]) {
    assert!(!dtable.is_empty() && dtable.len().is_multiple_of(n), "the table is empty or has a partial row");
    assert_eq!(indices.len() / k, dy.len() / n, "indices and dy differ in the number of rows");
    dispatch!(level, s => scatter(s, k, n, indices, dy, dtable));
}

/// Returns the offset of table row `index` in a table of `entries` rows with `n` elements each. An index out of range
/// is clamped.
#[inline(always)]
fn start(index: f32, n: usize, entries: usize) -> usize {
    (index as usize).min(entries - 1) * n
}

#[inline(always)]
fn sums<S: Simd>(s: S, k: usize, n: usize, indices: &[f32], table: &[f32], y: &mut [f32]) {
    s.vectorize(
        #[inline(always)]
        || {
            let (lanes, entries) = (S::f32s::LEN, table.len() / n);
            for (indices, y) in indices.chunks_exact(k).zip(y.chunks_exact_mut(n)) {
                let mut column = 0;
                while n - column >= VECTORS * lanes {
                    let mut sums = [S::f32s::splat(s, 0.0); VECTORS];
                    for &index in indices {
                        let row = &table[start(index, n, entries) + column..][..VECTORS * lanes];
                        for (sum, part) in sums.iter_mut().zip(row.chunks_exact(lanes)) {
                            *sum += S::f32s::from_slice(s, part);
                        }
                    }
                    for (sum, y) in sums.iter().zip(y[column..].chunks_exact_mut(lanes)) {
                        sum.store_slice(y);
                    }
                    column += VECTORS * lanes;
                }
                for y in y[column..].chunks_mut(lanes) {
                    let mut sum = S::f32s::splat(s, 0.0);
                    for &index in indices {
                        let row = &table[start(index, n, entries) + column..][..y.len()];
                        sum += load_partial(s, row, 0.0);
                    }
                    store_partial::<S>(sum, y);
                    column += lanes;
                }
            }
        },
    );
}

#[inline(always)]
fn scatter<S: Simd>(s: S, k: usize, n: usize, indices: &[f32], dy: &[f32], dtable: &mut [f32]) {
    s.vectorize(
        #[inline(always)]
        || {
            let entries = dtable.len() / n;
            for (indices, dy) in indices.chunks_exact(k).zip(dy.chunks_exact(n)) {
                for &index in indices {
                    let row = &mut dtable[start(index, n, entries)..][..n];
                    zip_slice(
                        s,
                        row,
                        dy,
                        #[inline(always)]
                        |sum, dy| sum + dy,
                    );
                }
            }
        },
    );
}
