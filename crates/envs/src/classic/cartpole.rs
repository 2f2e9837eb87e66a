//! CartPole-v1: balance a pole on a cart that is pushed left or right.

use crate::space::{ActionSpace, Dimension};
use crate::world::{Transition, World};
use vivarium_kernels::math;
use vivarium_kernels::simd::{Simd, SimdBase, SimdFloat, SimdMask};

vivarium_config::config! {
    /// Physical parameters of CartPole.
    #[derive(Clone, Copy)]
    pub struct CartPoleParams {
        ["world"]
        /// Gravitational acceleration: 9.8 on Earth, 1.6 on the Moon.
        gravity: f32 = 9.8, "Gravity" in "m/s²", number(0.0, 30.0), live;
        /// Force of an action on the cart.
        force: f32 = 10.0, "Force" in "N", number(1.0, 40.0), live;
        /// Half of the pole's length. A short pole falls faster.
        pole_half_length: f32 = 0.5, "Half pole length" in "m", number(0.1, 2.0), live;
        /// Mass of the pole. A heavy pole drags the cart along.
        pole_mass: f32 = 0.1, "Pole mass" in "kg", number(0.01, 2.0), live;
        /// Mass of the cart. A heavy cart accelerates slowly.
        cart_mass: f32 = 1.0, "Cart mass" in "kg", number(0.1, 10.0), live;
    }
}

/// CartPole-v1 (Barto, Sutton and Anderson, 1983; equations of motion by Florian, 2005).
///
/// State and observation are the position and velocity of the cart and the angle and angular velocity of the pole.
/// Action 0 pushes left, 1 right. The reward is 1 per step, the last one included. An episode terminates when the
/// cart's position exceeds ±2.4 m or the pole's angle exceeds ±12°.
#[derive(Debug, Clone, Copy)]
pub struct CartPole;

/// Maximum distance of the cart from the center, in m. An episode terminates at larger distances.
const TRACK: f32 = 2.4;
/// Maximum angle of the pole: 12°, in rad. An episode terminates at larger angles.
const MAX_ANGLE: f32 = 12.0 * 2.0 * std::f32::consts::PI / 360.0;
/// Duration of a step, in s.
const TAU: f32 = 0.02;
/// Bound of the initial state: each component is uniform in ±`START`.
const START: f32 = 0.05;

vivarium_config::numbers! {
    /// Constants of CartPole's dynamics, computed from the physical parameters. `g` is the gravitational acceleration,
    /// `F` the force of an action, `M` the mass of cart and pole together; `m` and `l` are the pole's mass and half
    /// length.
    #[derive(Debug, Clone, Copy)]
    pub struct CartPoleConstants: f32 {
        /// Gravitational acceleration g, m/s².
        gravity,
        /// Force of an action divided by the total mass of cart and pole, F / M.
        force,
        /// Inverse of the total mass of cart and pole, 1 / M.
        inverse_mass,
        /// Pole mass times the pole's half length, divided by the total mass: m·l / M.
        polemass_length,
        /// 4/3 of the pole's half length, 4l / 3.
        length,
    }
}

impl World for CartPole {
    type Params = CartPoleParams;
    type Constants = CartPoleConstants;
    type State<V: Copy + Send + Sync> = [V; 4];
    type Observation<V: Copy + Send + Sync> = [V; 4];

    const NAME: &'static str = "cartpole";
    const TITLE: &'static str = "CartPole";
    const STATE: &'static [Dimension] = &[
        Dimension::new("cart position", "m", -TRACK, TRACK),
        Dimension::new("cart velocity", "m/s", -3.0, 3.0),
        Dimension::new("pole angle", "rad", -MAX_ANGLE, MAX_ANGLE),
        Dimension::new("pole angular velocity", "rad/s", -3.5, 3.5),
    ];
    const OBSERVATION: &'static [Dimension] = Self::STATE;
    const MAP: (usize, usize) = (2, 3);
    const ACTIONS: ActionSpace = ActionSpace::Discrete(2);
    const ACTION_LABELS: &'static [&'static str] = &["left", "right"];
    const PUSH: Dimension = Dimension::new("push", "N", -1000.0, 1000.0);
    const STEP_LIMIT: u32 = 500;
    const SOLVED: f32 = 475.0;
    const RETURNS: (f32, f32) = (0.0, 500.0);
    const RETURN_BOUNDS: (f32, f32) = (0.0, 500.0);

    fn constants(params: &CartPoleParams) -> CartPoleConstants {
        // Computed in f64: each constant is rounded only once.
        let mass = f64::from(params.pole_mass) + f64::from(params.cart_mass);
        let length = f64::from(params.pole_half_length);
        CartPoleConstants {
            gravity: params.gravity,
            force: (f64::from(params.force) / mass) as f32,
            inverse_mass: (1.0 / mass) as f32,
            polemass_length: (f64::from(params.pole_mass) * length / mass) as f32,
            length: (length * 4.0 / 3.0) as f32,
        }
    }

    fn max_force(params: &CartPoleParams) -> f32 {
        params.force
    }

    #[inline(always)]
    fn step<S: Simd>(
        s: S,
        c: &CartPoleConstants,
        [x, x_dot, theta, theta_dot]: [S::f32s; 4],
        action: S::f32s,
        push: Option<S::f32s>,
        _: S::f32s,
    ) -> Transition<Self, S> {
        let splat = |value| S::f32s::splat(s, value);
        let (sin, cos) = sin_cos(s, theta);
        // Action 0 or 1 becomes −F/M or F/M.
        let mut force = action.mul_add(splat(2.0 * c.force), splat(-c.force));
        if let Some(push) = push {
            force = push.mul_add(splat(c.inverse_mass), force);
        }
        // The equations of motion. The precomputed constants include the division by M and the factor l.
        let pull = cos * splat(c.polemass_length);
        let temp = (theta_dot * theta_dot * splat(c.polemass_length)).mul_add(sin, force);
        let numerator = sin.mul_sub(splat(c.gravity), cos * temp);
        let denominator = (-pull).mul_add(cos, splat(c.length));
        let theta_acc = numerator / denominator;
        let x_acc = (-pull).mul_add(theta_acc, temp);

        // Explicit Euler: positions use the velocities before the step.
        let tau = splat(TAU);
        let x = x_dot.mul_add(tau, x);
        let theta = theta_dot.mul_add(tau, theta);
        let x_dot = x_acc.mul_add(tau, x_dot);
        let theta_dot = theta_acc.mul_add(tau, theta_dot);
        let terminated = x.abs().simd_gt(splat(TRACK)) | theta.abs().simd_gt(splat(MAX_ANGLE));
        Transition { state: [x, x_dot, theta, theta_dot], reward: splat(1.0), terminated }
    }

    #[inline(always)]
    fn initial<S: Simd>(_: S, _: &Self::Constants, uniform: [S::f32s; 4]) -> [S::f32s; 4] {
        let [x, x_dot, theta, theta_dot] = uniform;
        let (half, width) = (0.5, 2.0 * START);
        [(x - half) * width, (x_dot - half) * width, (theta - half) * width, (theta_dot - half) * width]
    }

    #[inline(always)]
    fn observe<S: Simd>(_: S, state: [S::f32s; 4]) -> [S::f32s; 4] {
        state
    }
}

/// Computes sine and cosine, without range reduction if all angles are within ±π/4. Larger angles occur only in states
/// that the caller has set.
#[inline(always)]
fn sin_cos<S: Simd>(s: S, theta: S::f32s) -> (S::f32s, S::f32s) {
    let small = theta.abs().simd_le(S::f32s::splat(s, std::f32::consts::FRAC_PI_4));
    if small.all_true() { math::sin_cos_reduced(s, theta) } else { math::sin_cos(s, theta) }
}
