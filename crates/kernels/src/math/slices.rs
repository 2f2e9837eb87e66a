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
    /// Computes eˣ of each element in place; see [`exp`](super::exp).
    exp_in_place, exp
);
in_place!(
    /// Computes ln x of each element in place; see [`ln`](super::ln).
    ln_in_place, ln
);
in_place!(
    /// Computes tanh x of each element in place; see [`tanh`](super::tanh).
    tanh_in_place, tanh
);
in_place!(
    /// Computes the logistic sigmoid 1/(1 + e⁻ˣ) of each element in place; see [`sigmoid`](super::sigmoid).
    sigmoid_in_place, sigmoid
);
in_place!(
    /// Computes sin x of each element in place; see [`sin`](super::sin).
    sin_in_place, sin
);
in_place!(
    /// Computes cos x of each element in place; see [`cos`](super::cos).
    cos_in_place, cos
);
