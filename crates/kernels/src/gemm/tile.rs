//! Register tiles, the inner loops of all matrix products.

use super::pack::PackedMatrix;
use crate::matrix::{Matrix, MatrixMut};
use crate::prefetch::prefetch;
use crate::simd::{Simd, SimdBase, SimdFloat};

/// Final operation of a matrix product: how the product x·W is written to the result matrix y.
#[derive(Clone, Copy)]
pub(crate) enum Finish<'a> {
    /// Overwrites the result: y = x·W.
    Store,
    /// Overwrites the result with the product plus a bias b: y = x·W + b. The bias has one element for each column.
    Bias(&'a [f32]),
    /// Adds the product to the previous result, multiplied by β: y = x·W + β·y.
    Accumulate(f32),
}

impl Finish<'_> {
    /// Returns the final operation for the submatrix of the result that starts at column `column`. A bias loses its
    /// first `column` elements; other operations are unchanged.
    #[inline(always)]
    pub(super) fn at_column(self, column: usize) -> Self {
        match self {
            Finish::Bias(bias) => Finish::Bias(&bias[column..]),
            other => other,
        }
    }
}

/// Arguments of a product x·W over `rows` rows of x.
pub(super) struct GemmArguments<'a> {
    pub rows: usize,
    pub x: Matrix<'a>,
    pub w: &'a PackedMatrix,
    pub finish: Finish<'a>,
    pub y: MatrixMut<'a>,
}

/// Adds one term of the inner dimension to the sums of a tile of x·W: element `$a` of row `$i` of x, times the row `$w`
/// of W.
macro_rules! add_step {
    ($s:ident, $sums:ident, $w:expr, |$i:ident| $a:expr) => {{
        let (w, lanes) = ($w, S::f32s::LEN);
        let mut columns = [S::f32s::splat($s, 0.0); NV];
        for v in 0..NV {
            columns[v] = S::f32s::from_slice($s, &w[v * lanes..][..lanes]);
        }
        for $i in 0..MR {
            let a = S::f32s::splat($s, $a);
            for v in 0..NV {
                $sums[$i][v] = a.mul_add(columns[v], $sums[$i][v]);
            }
        }
    }};
}

/// Computes one tile of the product x·W: `MR` rows by `NV` SIMD vectors of columns, over the whole inner dimension.
/// `finish` states how the tile is written to y. `panel` holds the columns of W for the tile, row by row.
///
/// The compiler keeps the sums in registers only if no run-time value indexes them and no path, even unused, takes
/// their address. Therefore a tile is always written whole, and tiles at the edge of y use scratch memory.
#[inline(always)]
pub(crate) fn tile<S: Simd, const MR: usize, const NV: usize>(
    s: S,
    x: Matrix<'_>,
    panel: &[f32],
    finish: Finish<'_>,
    y: MatrixMut<'_>,
) {
    s.vectorize(
        #[inline(always)]
        || {
            let lanes = S::f32s::LEN;
            let mut sums = [[S::f32s::splat(s, 0.0); NV]; MR];
            let mut rows = [&x.data[..0]; MR];
            for (i, row) in rows.iter_mut().enumerate() {
                *row = &x.data[i * x.stride..][..x.columns];
            }
            for (p, w) in panel.chunks_exact(NV * lanes).take(x.columns).enumerate() {
                add_step!(s, sums, w, |i| rows[i][p]);
            }
            finish_tile(s, sums, finish, y);
        },
    );
}

/// Computes one tile of the product x·W as [`tile`] does, from interleaved rows of x: for each index of the inner
/// dimension, `x` holds the elements of all `MR` rows. `panel` has rows of `width` elements, of which the tile takes
/// the columns from `column` on.
#[inline(always)]
pub(super) fn tile_packed<S: Simd, const MR: usize, const NV: usize>(
    s: S,
    x: &[f32],
    panel: &[f32],
    width: usize,
    column: usize,
    finish: Finish<'_>,
    y: MatrixMut<'_>,
) {
    s.vectorize(
        #[inline(always)]
        || {
            let lanes = S::f32s::LEN;
            assert!(column + NV * lanes <= width);
            let mut sums = [[S::f32s::splat(s, 0.0); NV]; MR];
            for (x, w) in x.chunks_exact(MR).zip(panel.chunks_exact(width)) {
                add_step!(s, sums, &w[column..column + NV * lanes], |i| x[i]);
            }
            finish_tile(s, sums, finish, y);
        },
    );
}

/// Computes one tile of aᵀ·b, where a and b have `rows` ≥ 1 rows: `MR` columns of `a` by `NV` SIMD vectors of columns
/// of `b`.
///
/// The tile is always written whole, as in [`tile`].
#[inline(always)]
pub(crate) fn tile_tn<S: Simd, const MR: usize, const NV: usize>(
    s: S,
    rows: usize,
    a: Matrix<'_>,
    b: Matrix<'_>,
    finish: Finish<'_>,
    y: MatrixMut<'_>,
) {
    s.vectorize(
        #[inline(always)]
        || {
            let lanes = S::f32s::LEN;
            let mut sums = [[S::f32s::splat(s, 0.0); NV]; MR];
            if matches!(finish, Finish::Accumulate(_)) {
                // Prefetch y while the products are summed: a large y is not in the L2 cache.
                for i in 0..MR {
                    for v in 0..NV {
                        prefetch(y.data, i * y.stride + v * lanes);
                    }
                }
            }
            macro_rules! step {
                ($a:expr, $b:expr) => {{
                    let (a, b) = (&$a[..MR], &$b[..NV * lanes]);
                    add_step!(s, sums, b, |i| a[i]);
                }};
            }
            // The last row may be shorter than the stride. All earlier rows are whole, which saves bounds checks.
            let last = rows - 1;
            let whole = a.data[..last * a.stride].chunks_exact(a.stride);
            for (a, b) in whole.zip(b.data[..last * b.stride].chunks_exact(b.stride)) {
                step!(a, b);
            }
            step!(a.data[last * a.stride..], b.data[last * b.stride..]);
            finish_tile(s, sums, finish, y);
        },
    );
}

#[inline(always)]
fn finish_tile<S: Simd, const MR: usize, const NV: usize>(
    s: S,
    sums: [[S::f32s; NV]; MR],
    finish: Finish<'_>,
    y: MatrixMut<'_>,
) {
    let lanes = S::f32s::LEN;
    for i in 0..MR {
        let y = &mut y.data[i * y.stride..][..NV * lanes];
        for v in 0..NV {
            let y = &mut y[v * lanes..][..lanes];
            let result = match finish {
                Finish::Store => sums[i][v],
                Finish::Bias(bias) => sums[i][v] + S::f32s::from_slice(s, &bias[v * lanes..][..lanes]),
                Finish::Accumulate(beta) => {
                    S::f32s::from_slice(s, y).mul_add(S::f32s::splat(s, beta), sums[i][v])
                }
            };
            result.store_slice(y);
        }
    }
}

/// Writes a scratch tile at the edge of a product to the result matrix y, as `finish` states. The scratch tile has rows
/// of `width` elements, of which the elements beyond the columns of y are ignored.
#[inline(always)]
pub(super) fn finish_edge(rows: usize, scratch: &[f32], width: usize, finish: Finish<'_>, y: MatrixMut<'_>) {
    for i in 0..rows {
        let product = &scratch[i * width..][..y.columns];
        let y = &mut y.data[i * y.stride..][..y.columns];
        match finish {
            Finish::Store => y.copy_from_slice(product),
            Finish::Bias(bias) => {
                for ((y, p), b) in y.iter_mut().zip(product).zip(bias) {
                    *y = p + b;
                }
            }
            Finish::Accumulate(beta) => {
                for (y, p) in y.iter_mut().zip(product) {
                    *y = beta * *y + p;
                }
            }
        }
    }
}

/// Maximum number of elements in a tile: 8 rows by two vectors of 16 `f32` values.
pub(super) const MAX_TILE: usize = 8 * 32;

/// Divides `$rows` rows into tiles, and runs `$tile` with first row `$row` and height `$height` of each. Tiles are as
/// high as the registers allow; lower tiles cover the remaining rows.
macro_rules! each_tile {
    ($rows:expr, $lanes:expr, |$row:ident, $height:ident| $tile:expr) => {{
        let mut $row = 0;
        macro_rules! while_room {
            ($h:literal) => {
                while_room!($h, $rows)
            };
            ($h:literal, $end:expr) => {
                while $end - $row >= $h {
                    const $height: usize = $h;
                    $tile;
                    $row += $h;
                }
            };
        }
        match $lanes {
            16 => while_room!(8),
            8 => while_room!(6),
            // NEON has twice the registers and twice the execution units of other instruction sets with vectors of
            // four.
            _ if cfg!(target_arch = "aarch64") => while_room!(8),
            // Twelve sums, two vectors of columns and one element of x use the fifteen registers that V8 allocates. The
            // registers suffice only if each element is read right before its use, in the order written here. The wasm
            // build prevents LLVM from reordering; otherwise V8 spills registers, at half the speed. Without fused
            // multiply-add, products need registers as well.
            _ if cfg!(target_feature = "relaxed-simd") => {
                // Two tiles of about four rows are faster than a remainder of one or two rows.
                let end = if matches!($rows % 6, 1 | 2) { $rows.saturating_sub(3) } else { $rows };
                while_room!(6, end);
            }
            _ => {}
        }
        while_room!(4);
        while_room!(3);
        while_room!(2);
        while_room!(1);
    }};
}
pub(crate) use each_tile;
