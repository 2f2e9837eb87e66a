//! Classic control, with the rules of Gymnasium's `classic_control`.

mod cartpole;
mod mountain_car;
mod pendulum;

pub use cartpole::{CartPole, CartPoleParams};
pub use mountain_car::{MountainCar, MountainCarParams};
pub use pendulum::{Pendulum, PendulumParams};

use vivarium_kernels::simd::{Select, Simd, SimdBase};

/// `x` held between `low` and `high`; NaN stays NaN. Compares and selects: wasm's own minimum and maximum are slow.
#[inline(always)]
fn clip<S: Simd>(s: S, x: S::f32s, low: f32, high: f32) -> S::f32s {
    let (low, high) = (S::f32s::splat(s, low), S::f32s::splat(s, high));
    let x = x.simd_lt(low).select(low, x);
    x.simd_gt(high).select(high, x)
}
