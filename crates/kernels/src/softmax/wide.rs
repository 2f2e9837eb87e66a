//! Softmax of wide rows, vectorized along the row.

use crate::math;
use crate::simd::{
    Simd, SimdBase, SimdFloat, load_partial, map_slice, map_slices, store_partial, zip_slices,
};

#[inline(always)]
pub(super) fn forward<S: Simd, const LOG: bool>(s: S, x: &[f32], y: &mut [f32]) {
    let lanes = S::f32s::LEN;
    let lowest = f32::NEG_INFINITY;
    let mut max = S::f32s::splat(s, lowest);
    for x in x.chunks(lanes) {
        max = max.max(load_partial(s, x, lowest));
    }
    let max = max.reduce_max();

    // Padding lanes are −∞, whose exponential is zero.
    let mut total = S::f32s::splat(s, 0.0);
    for (x, y) in x.chunks(lanes).zip(y.chunks_mut(lanes)) {
        let e = math::exp(s, load_partial(s, x, lowest) - max);
        total += e;
        if !LOG {
            store_partial::<S>(e, y);
        }
    }
    let total = total.reduce_sum();

    if LOG {
        let shift = max + total.ln();
        map_slices(
            s,
            x,
            y,
            #[inline(always)]
            |x| x - shift,
        );
    } else {
        let factor = 1.0 / total;
        map_slice(
            s,
            y,
            #[inline(always)]
            |y| y * factor,
        );
    }
}

#[inline(always)]
pub(super) fn backward<S: Simd, const LOG: bool>(s: S, y: &[f32], dy: &[f32], dx: &mut [f32]) {
    let lanes = S::f32s::LEN;
    let mut total = S::f32s::splat(s, 0.0);
    for (y, dy) in y.chunks(lanes).zip(dy.chunks(lanes)) {
        let dy = load_partial(s, dy, 0.0);
        total = if LOG { total + dy } else { load_partial(s, y, 0.0).mul_add(dy, total) };
    }
    let total = S::f32s::splat(s, total.reduce_sum());
    zip_slices(
        s,
        y,
        dy,
        dx,
        #[inline(always)]
        |y, dy| if LOG { dy - math::exp(s, y) * total } else { y * (dy - total) },
    );
}
