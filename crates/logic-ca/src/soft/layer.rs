//! A layer of soft gates over a block of lanes, forward and backward.

use crate::gate::Coefficients;
use vivarium_kernels::simd::{Simd, SimdBase, SimdFloat, sums_of_each};

/// Lanes of a block: two of the widest vectors, so that reading a gate's wires and coefficients, and adding up its sums
/// across lanes, is paid for once in a while, and a circuit's rows still fit the L2 cache.
pub const LANES: usize = 32;

/// One value in each lane of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Row(pub [f32; LANES]);

impl Row {
    /// All lanes zero.
    pub const ZERO: Self = Self([0.0; LANES]);
}

/// A gate's coefficients, each in all lanes of a vector. One by one: without optimization across crates `array::map` is a call, and its
/// vectors go through memory.
#[inline(always)]
fn splats<S: Simd>(s: S, [c0, c1, c2, c3]: Coefficients) -> [S::f32s; 4] {
    [S::f32s::splat(s, c0), S::f32s::splat(s, c1), S::f32s::splat(s, c2), S::f32s::splat(s, c3)]
}

/// Writes a row for every gate: c₀ + c₁·a + c₂·b + c₃·a·b.
#[inline(always)]
pub fn forward<S: Simd>(
    s: S,
    wires: &[[u32; 2]],
    coefficients: &[Coefficients],
    inputs: &[Row],
    outputs: &mut [Row],
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

/// From the gradient g of every gate's output: adds to the gradients of the rows that it read,
/// ∂/∂a = g·(c₁ + c₃·b) and ∂/∂b = g·(c₂ + c₃·a), and Σg, Σg·a, Σg·b, Σg·a·b over the lanes to the gate's sums.
#[inline(always)]
pub fn backward<S: Simd>(
    s: S,
    wires: &[[u32; 2]],
    coefficients: &[Coefficients],
    inputs: &[Row],
    output_gradients: &[Row],
    input_gradients: &mut [Row],
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
