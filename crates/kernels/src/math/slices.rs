//! Elementary functions over slices, in place.

use crate::simd::{Level, Simd, SimdBase, dispatch, load_partial, store_partial};

macro_rules! in_place {
    ($(#[$doc:meta])* $name:ident, $function:ident) => {
        $(#[$doc])*
        pub fn $name(level: Level, x: &mut [f32]) {
            #[inline(always)]
            fn kernel<S: Simd>(s: S, x: &mut [f32]) {
                let mut vectors = x.chunks_exact_mut(S::f32s::LEN);
                for chunk in &mut vectors {
                    super::$function(s, S::f32s::from_slice(s, chunk)).store_slice(chunk);
                }
                let rest = vectors.into_remainder();
                store_partial::<S>(super::$function(s, load_partial(s, rest, 0.0)), rest);
            }
            dispatch!(level, s => kernel(s, x))
        }
    };
}

in_place!(
    /// x ← eˣ; see [`exp`](super::exp).
    exp_in_place, exp
);
in_place!(
    /// x ← ln x; see [`ln`](super::ln).
    ln_in_place, ln
);
in_place!(
    /// x ← tanh x; see [`tanh`](super::tanh).
    tanh_in_place, tanh
);
in_place!(
    /// x ← 1/(1 + e⁻ˣ); see [`sigmoid`](super::sigmoid).
    sigmoid_in_place, sigmoid
);
in_place!(
    /// x ← sin x; see [`sin`](super::sin).
    sin_in_place, sin
);
in_place!(
    /// x ← cos x; see [`cos`](super::cos).
    cos_in_place, cos
);
