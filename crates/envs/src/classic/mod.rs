//! Classic-control environments, with the dynamics of Gymnasium's
//! [`classic_control`](https://gymnasium.farama.org/environments/classic_control/).

mod acrobot;
mod cartpole;
mod frozen_lake;
mod lake_map;
mod mountain_car;
mod pendulum;

pub use acrobot::*;
pub use cartpole::*;
pub use frozen_lake::*;
pub use lake_map::*;
pub use mountain_car::*;
pub use pendulum::*;

use std::f32::consts::PI;
use vivarium_kernels::simd::{Select, Simd, SimdBase, SimdFloat};

/// Table of the classic-control environments. Calls a macro with one row per source file: the name of the file and the
/// types of its environments. `for_each_world!([rules] input)` expands to `rules! { { input } cartpole: CartPole; … }`.
#[macro_export]
macro_rules! for_each_world {
    ([$($callback:tt)+] $($input:tt)*) => {
        $($callback)+! {
            { $($input)* }
            cartpole: CartPole;
            mountain_car: MountainCar;
            pendulum: Pendulum;
            acrobot: Acrobot;
            frozen_lake: FrozenLake, FrozenLake8x8;
        }
    };
}

/// Calls a function that is generic over [`World`](crate::World) once per classic-control environment, as in
/// `each_world!(measure(reporter))`. Evaluates to the array of the results.
#[macro_export]
macro_rules! each_world {
    ($function:ident $arguments:tt) => {
        $crate::for_each_world!([$crate::call_for_worlds] $function $arguments)
    };
}

/// Expansion of [`each_world!`]: calls the function once for each environment in the table [`for_each_world!`].
#[doc(hidden)]
#[macro_export]
macro_rules! call_for_worlds {
    ({ $function:ident $arguments:tt } $($file:ident: $($world:ident),+;)+) => {
        [$($($function::<$crate::$world> $arguments),+),+]
    };
}

/// Clamps `x` to `low` and `high`; NaN stays NaN. Uses compare and select, because wasm's `min` and `max` are slow.
#[inline(always)]
fn clip<S: Simd>(s: S, x: S::f32s, low: f32, high: f32) -> S::f32s {
    let (low, high) = (S::f32s::splat(s, low), S::f32s::splat(s, high));
    let x = x.simd_lt(low).select(low, x);
    x.simd_gt(high).select(high, x)
}

/// Wraps an angle in radians to [−π, π]. Exact only for angles of a few turns.
#[inline(always)]
fn wrap<S: Simd>(s: S, theta: S::f32s) -> S::f32s {
    // Cody–Waite reduction: 2π in two parts, the first exact when multiplied by a small integer.
    const TURN: f32 = 6.281_25;
    const REST: f32 = (std::f64::consts::TAU - 6.281_25) as f32;
    let turns = (theta * (0.5 / PI) + 0.5).floor();
    let theta = turns.mul_add(S::f32s::splat(s, -TURN), theta);
    turns.mul_add(S::f32s::splat(s, -REST), theta)
}
