//! The register tile, where all the time of a product is spent.

use super::pack::PackedMatrix;
use crate::matrix::{Matrix, MatrixMut};
use crate::prefetch::prefetch;
use crate::simd::{Simd, SimdBase, SimdFloat};

/// What becomes of a finished product x·W on its way into y.
#[derive(Clone, Copy)]
pub(crate) enum Finish<'a> {
    /// y = x·W.
    Store,
    /// y = x·W + b, with b as long as the tile is wide.
    Bias(&'a [f32]),
    /// y = x·W + β·y.
    Accumulate(f32),
}

impl Finish<'_> {
    /// The same for the columns from this one on.
    #[inline(always)]
    pub(super) fn at_column(self, column: usize) -> Self {
        match self {
            Finish::Bias(bias) => Finish::Bias(&bias[column..]),
            other => other,
        }
    }
}

/// A product x·W of some rows, and what becomes of it.
pub(super) struct Product<'a> {
    pub rows: usize,
    pub x: Matrix<'a>,
    pub w: &'a PackedMatrix,
    pub finish: Finish<'a>,
    pub y: MatrixMut<'a>,
}

/// Adds to the sums of a tile one step of the inner dimension: `$a`, the number of x in row `$i`, times a row `$w` of W.
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

/// One tile of y: `MR` rows by `NV` vectors of columns, over all columns of x. `panel` holds a row of the tile's columns for
/// each of them.
///
/// The accumulators stay in registers only as long as nothing indexes them by a run-time value or takes their address,
/// not even on a path that is never taken: so a tile is always written whole, and edges go through a scratch tile.
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

/// [`tile`] with x copied next to each other first: `x` holds, for each of the k steps, the numbers of all `MR` rows.
/// `panel` holds rows of `width` numbers, of which the tile's columns begin at `column`.
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

/// One tile of xᵀ·dy: `MR` columns of `a` by `NV` vectors of columns of `b`, over `rows` rows (at least one) of both.
///
/// As in [`tile`], the tile is always written whole.
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
                // What is added to comes while the products are summed: a large y lies beyond the second-level cache.
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
            // The last row on its own: the others are whole rows, whose lengths need no check at every step.
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

/// Takes the columns of a scratch tile that y has.
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

/// The most elements of a tile, and so of a scratch tile: 8 rows by two vectors of 16.
pub(super) const LARGEST: usize = 8 * 32;

/// Runs `$tile` for each tile of rows: the tallest that the registers hold, then lower ones for what remains.
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
            // NEON has twice the registers of the others with vectors of four, and twice the pipes to fill.
            _ if cfg!(target_arch = "aarch64") => while_room!(8),
            // Twelve sums, two vectors of columns and one number of x: just the fifteen registers that V8 has to give.
            // They suffice only if each number is read right before it is used, in the order written here, to which the
            // build of the modules holds LLVM; in another order V8 spills, which halves the speed. Without fused
            // multiply-adds the products need registers, too.
            _ if cfg!(target_feature = "relaxed-simd") => {
                // Where a single row or two would remain, two tiles of about four rows are quicker at the end.
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
