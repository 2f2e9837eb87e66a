//! Measurement of the practical peak throughput of fused multiply-adds, the upper bound for matrix products.
//!
//! The loop is in this crate because it must be compiled for speed and for every SIMD level, as the kernels are. Front
//! ends and exhibits, which measure its time, are compiled for size.

use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch};
use std::hint::black_box;

/// Number of independent chains of multiply-adds: enough for two execution units with a latency of four cycles, few
/// enough for sixteen registers.
const CHAINS: usize = 12;

/// Runs `rounds` fused multiply-adds on each of twelve independent SIMD vectors, and returns the number of
/// floating-point operations.
pub fn multiply_adds(level: Level, rounds: usize) -> u64 {
    #[inline(always)]
    fn kernel<S: Simd>(s: S, rounds: usize) -> u64 {
        let factor = S::f32s::splat(s, black_box(0.999));
        let term = S::f32s::splat(s, black_box(0.001));
        let mut chains = [S::f32s::splat(s, 0.5); CHAINS];
        for _ in 0..rounds {
            for chain in &mut chains {
                *chain = chain.mul_add(factor, term);
            }
        }
        let mut total = S::f32s::splat(s, 0.0);
        for chain in chains {
            total += chain;
        }
        black_box(total.reduce_sum());
        (2 * rounds * CHAINS * S::f32s::LEN) as u64
    }
    dispatch!(level, s => kernel(s, rounds))
}
