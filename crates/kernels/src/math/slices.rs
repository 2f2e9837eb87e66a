//! Elementary functions over slices, in place.

use crate::simd::{Level, Simd, dispatch, map_slice};

macro_rules! in_place {
    ($(#[$doc:meta])* $name:ident, $function:ident) => {
        $(#[$doc])*
        pub fn $name(level: Level, x: &mut [f32]) {
            #[inline(always)]
            fn kernel<S: Simd>(s: S, x: &mut [f32]) {
                map_slice(
                    s,
                    x,
                    #[inline(always)]
                    |x| super::$function(s, x),
                );
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
