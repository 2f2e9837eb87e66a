//! Forward and backward kernels of one layer of soft gates over a block of lanes.

use crate::gate::Coefficients;
use vivarium_kernels::simd::{Simd, SimdBase, SimdFloat, sums_of_each};

/// Number of lanes (cells) of a block: two AVX-512 vectors. Larger blocks amortize the reads of wires and coefficients
/// and the horizontal sums; with 32 lanes the rows of a circuit still fit the L2 cache.
pub const LANES: usize = 32;

/// Row of values, one per lane (cell) of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct CellRow(pub [f32; LANES]);

impl CellRow {
    /// A row of zeros.
    pub const ZERO: Self = Self([0.0; LANES]);
}

/// Broadcasts each of the four coefficients of a gate to a vector. The function does not use `array::map`: without
/// cross-crate optimization, `map` is a call that passes its vectors through memory.
#[inline(always)]
fn splats<S: Simd>(s: S, [c0, c1, c2, c3]: Coefficients) -> [S::f32s; 4] {
    [S::f32s::splat(s, c0), S::f32s::splat(s, c1), S::f32s::splat(s, c2), S::f32s::splat(s, c3)]
}

/// Computes the output row c₀ + c₁·a + c₂·b + c₃·a·b of every gate of the layer from its input rows a and b.
#[inline(always)]
pub fn forward<S: Simd>(
    s: S,
    wires: &[[u32; 2]],
    coefficients: &[Coefficients],
    inputs: &[CellRow],
    outputs: &mut [CellRow],
) {
    let len = S::f32s::LEN;
    for ((&[a, b], c), out) in wires.iter().zip(coefficients).zip(outputs) {
        let (a, b) = (&inputs[a as usize].0, &inputs[b as usize].0);
        let [c0, c1, c2, c3] = splats(s, *c);
        for lane in (0..LANES).step_by(len) {
            let a = S::f32s::from_slice(s, &a[lane..lane + len]);
            let b = S::f32s::from_slice(s, &b[lane..lane + len]);
            let out = &mut out.0[lane..lane + len];
            a.mul_add(c3, c2).mul_add(b, a.mul_add(c1, c0)).store_slice(out);
        }
    }
}

/// Backpropagates the output gradient g of every gate: adds ∂/∂a = g·(c₁ + c₃·b) and ∂/∂b = g·(c₂ + c₃·a) to the input
/// gradients, and Σg, Σg·a, Σg·b, Σg·a·b over the lanes to the gate's sums.
#[inline(always)]
pub fn backward<S: Simd>(
    s: S,
    wires: &[[u32; 2]],
    coefficients: &[Coefficients],
    inputs: &[CellRow],
    output_gradients: &[CellRow],
    input_gradients: &mut [CellRow],
    sums: &mut [Coefficients],
) {
    let len = S::f32s::LEN;
    let zero = S::f32s::splat(s, 0.0);
    for (((&[a, b], c), g), sums) in wires.iter().zip(coefficients).zip(output_gradients).zip(sums) {
        let (a_row, b_row) = (a as usize, b as usize);
        let (a, b) = (&inputs[a_row].0, &inputs[b_row].0);
        let [_, c1, c2, c3] = splats(s, *c);
        let [mut sum, mut sum_a, mut sum_b, mut sum_ab] = [zero; 4];
        for lane in (0..LANES).step_by(len) {
            let a = S::f32s::from_slice(s, &a[lane..lane + len]);
            let b = S::f32s::from_slice(s, &b[lane..lane + len]);
            let g = S::f32s::from_slice(s, &g.0[lane..lane + len]);
            let ga = g * a;
            sum += g;
            sum_a += ga;
            sum_b = g.mul_add(b, sum_b);
            sum_ab = ga.mul_add(b, sum_ab);
            let into = &mut input_gradients[a_row].0[lane..lane + len];
            g.mul_add(b.mul_add(c3, c1), S::f32s::from_slice(s, into)).store_slice(into);
            let into = &mut input_gradients[b_row].0[lane..lane + len];
            g.mul_add(a.mul_add(c3, c2), S::f32s::from_slice(s, into)).store_slice(into);
        }
        let totals: [f32; 4] = sums_of_each(s, [sum, sum_a, sum_b, sum_ab]);
        for (sum, total) in sums.iter_mut().zip(totals) {
            *sum += total;
        }
    }
}
