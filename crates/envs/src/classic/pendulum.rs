//! Pendulum-v1: swing up a pendulum with a limited torque and hold it upright.

use super::{clip, wrap};
use crate::space::{ActionSpace, Dimension};
use crate::world::{Transition, World};
use std::f32::consts::PI;
use vivarium_kernels::math;
use vivarium_kernels::simd::{Simd, SimdBase, SimdFloat, SimdMask};

vivarium_config::config! {
    /// Physical parameters of Pendulum.
    #[derive(Clone, Copy)]
    pub struct PendulumParams {
        ["world"]
        /// Gravitational acceleration.
        gravity: f32 = 10.0, "Gravity" in "m/s²", number(0.0, 30.0), live;
        /// Mass of the pendulum.
        mass: f32 = 1.0, "Mass" in "kg", number(0.1, 4.0), live;
        /// Length of the pendulum.
        length: f32 = 1.0, "Length" in "m", number(0.2, 3.0), live;
        /// Torque of the strongest action. With the default gravity, mass and length, about 3.7 N·m lift the pendulum without swinging.
        max_torque: f32 = 2.0, "Maximum torque" in "N·m", number(0.5, 20.0), live;
    }
}

/// Pendulum-v1. The state is the angle (0 is upright) and the angular velocity; the observation is [cos θ, sin θ, θ̇].
///
/// Actions from −2 to 2 map linearly to torques from −`max_torque` to `max_torque` (default: 2 N·m). The reward is
/// −(θ² + 0.1 θ̇² + 0.001 u²) of the state before the step and its torque u. The state stores the angle in [−π, π);
/// Gymnasium stores the unwrapped angle, which has the same dynamics.
#[derive(Debug, Clone, Copy)]
pub struct Pendulum;

/// Bound of the actions: actions are clipped to ±`ACTION_BOUND`.
const ACTION_BOUND: f32 = 2.0;
/// Maximum angular velocity, in rad/s. Larger velocities are clipped.
const MAX_SPEED: f32 = 8.0;
/// Duration of a step, in s.
const DT: f32 = 0.05;

vivarium_config::numbers! {
    /// Constants of Pendulum's dynamics, computed from the physical parameters: `g` is the gravitational acceleration,
    /// `m` and `l` are the pendulum's mass and length.
    #[derive(Debug, Clone, Copy)]
    pub struct PendulumConstants: f32 {
        /// Torque per unit of action, in N·m: `max_torque` / 2.
        torque,
        /// Coefficient of sin θ in the pendulum's angular acceleration: 3 · gravity / (2 · length).
        fall,
        /// Coefficient of the torque in the pendulum's angular acceleration: 3 / (mass · length²).
        turn,
    }
}

impl World for Pendulum {
    type Params = PendulumParams;
    type Constants = PendulumConstants;
    type State<V: Copy + Send + Sync> = [V; 2];
    type Observation<V: Copy + Send + Sync> = [V; 3];

    const NAME: &'static str = "pendulum";
    const TITLE: &'static str = "Pendulum";
    const STATE: &'static [Dimension] = &[
        Dimension::new("angle", "rad", -PI, PI),
        Dimension::new("angular velocity", "rad/s", -MAX_SPEED, MAX_SPEED),
    ];
    const OBSERVATION: &'static [Dimension] = &[
        Dimension::new("cos θ", "", -1.0, 1.0),
        Dimension::new("sin θ", "", -1.0, 1.0),
        Dimension::new("angular velocity", "rad/s", -MAX_SPEED, MAX_SPEED),
    ];
    const MAP: (usize, usize) = (0, 1);
    const ACTIONS: ActionSpace = ActionSpace::Box { low: -ACTION_BOUND, high: ACTION_BOUND };
    const ACTION_LABELS: &'static [&'static str] = &["torque"];
    const PUSH: Dimension = Dimension::new("push", "N·m", -200.0, 200.0);
    const STEP_LIMIT: u32 = 200;
    const SOLVED: f32 = -200.0;
    const RETURNS: (f32, f32) = (-1600.0, 0.0);
    /// Lower bound: 200 steps with θ = π, θ̇ = 8 rad/s and the largest `max_torque`, 20 N·m.
    const RETURN_BOUNDS: (f32, f32) = (-3334.0, 0.0);

    fn constants(params: &PendulumParams) -> PendulumConstants {
        let [gravity, mass, length] = [params.gravity, params.mass, params.length].map(f64::from);
        PendulumConstants {
            torque: params.max_torque / ACTION_BOUND,
            fall: (3.0 * gravity / (2.0 * length)) as f32,
            turn: (3.0 / (mass * length * length)) as f32,
        }
    }

    fn max_force(params: &PendulumParams) -> f32 {
        params.max_torque
    }

    #[inline(always)]
    fn step<S: Simd>(
        s: S,
        c: &PendulumConstants,
        [theta, theta_dot]: [S::f32s; 2],
        action: S::f32s,
        push: Option<S::f32s>,
        _: S::f32s,
    ) -> Transition<Self, S> {
        let splat = |value| S::f32s::splat(s, value);
        let torque = clip(s, action, -ACTION_BOUND, ACTION_BOUND) * splat(c.torque);
        let cost = (theta_dot * theta_dot).mul_add(splat(0.1), theta * theta);
        let cost = (torque * torque).mul_add(splat(0.001), cost);

        let (sin, _) = math::sin_cos(s, theta);
        let pull = push.map_or(
            torque,
            #[inline(always)]
            |push| torque + push,
        );
        let acceleration = sin.mul_add(splat(c.fall), pull * splat(c.turn));
        let theta_dot = clip(s, acceleration.mul_add(splat(DT), theta_dot), -MAX_SPEED, MAX_SPEED);
        let theta = wrap(s, theta_dot.mul_add(splat(DT), theta));
        Transition { state: [theta, theta_dot], reward: -cost, terminated: S::mask32s::splat(s, false) }
    }

    #[inline(always)]
    fn initial<S: Simd>(_: S, _: &Self::Constants, uniform: [S::f32s; 4]) -> [S::f32s; 2] {
        [(uniform[0] - 0.5) * (2.0 * PI), (uniform[1] - 0.5) * 2.0]
    }

    #[inline(always)]
    fn observe<S: Simd>(s: S, [theta, theta_dot]: [S::f32s; 2]) -> [S::f32s; 3] {
        let (sin, cos) = math::sin_cos(s, theta);
        [cos, sin, theta_dot]
    }

    fn normalize([theta, theta_dot]: [f32; 2]) -> [f32; 2] {
        let (turn, half) = (2.0 * std::f64::consts::PI, std::f64::consts::PI);
        [((f64::from(theta) + half).rem_euclid(turn) - half) as f32, theta_dot]
    }
}
