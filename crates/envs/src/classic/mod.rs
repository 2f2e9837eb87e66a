//! Classic control, with the rules of Gymnasium's `classic_control`.

mod acrobot;
mod cartpole;
mod mountain_car;
mod pendulum;

pub use acrobot::{Acrobot, AcrobotParams};
pub use cartpole::{CartPole, CartPoleParams};
pub use mountain_car::{MountainCar, MountainCarParams};
pub use pendulum::{Pendulum, PendulumParams};

use std::f32::consts::PI;
use vivarium_kernels::simd::{Select, Simd, SimdBase, SimdFloat};

/// Calls a generic function for every world of classic control, such as `each_world!(measure(reporter))`; gives an array
/// of what it returned.
#[macro_export]
macro_rules! each_world {
    ($function:ident($($argument:expr),*)) => {
        [
            $function::<$crate::CartPole>($($argument),*),
            $function::<$crate::MountainCar>($($argument),*),
            $function::<$crate::Pendulum>($($argument),*),
            $function::<$crate::Acrobot>($($argument),*),
        ]
    };
}

/// `x` held between `low` and `high`; NaN stays NaN. Compares and selects: wasm's own minimum and maximum are slow.
#[inline(always)]
fn clip<S: Simd>(s: S, x: S::f32s, low: f32, high: f32) -> S::f32s {
    let (low, high) = (S::f32s::splat(s, low), S::f32s::splat(s, high));
    let x = x.simd_lt(low).select(low, x);
    x.simd_gt(high).select(high, x)
}

/// The same angle in [−π, π], for an angle less than some turns away.
#[inline(always)]
fn wrap<S: Simd>(s: S, theta: S::f32s) -> S::f32s {
    // 2π in two parts, the first short enough that its product with a small whole number is exact.
    const TURN: f32 = 6.281_25;
    const REST: f32 = (std::f64::consts::TAU - 6.281_25) as f32;
    let turns = (theta * (0.5 / PI) + 0.5).floor();
    let theta = turns.mul_add(S::f32s::splat(s, -TURN), theta);
    turns.mul_add(S::f32s::splat(s, -REST), theta)
}
