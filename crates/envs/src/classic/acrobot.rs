//! Acrobot-v1: swing up a double pendulum that is actuated at its middle joint.

use super::{clip, wrap};
use crate::space::{ActionSpace, Dimension};
use crate::world::{Transition, World};
use std::f32::consts::PI;
use vivarium_kernels::math;
use vivarium_kernels::simd::{Select, Simd, SimdBase, SimdFloat};

vivarium_config::config! {
    /// Physical parameters of Acrobot.
    #[derive(Clone, Copy)]
    pub struct AcrobotParams {
        ["world"]
        /// Gravitational acceleration.
        gravity: f32 = 9.8, "Gravity" in "m/s²", number(0.0, 30.0), live;
        /// Torque at the joint between the links. A smaller torque needs more swings.
        torque: f32 = 1.0, "Torque" in "N·m", number(0.1, 5.0), live;
        /// Mass of the upper link.
        link_mass_1: f32 = 1.0, "Upper link mass" in "kg", number(0.1, 4.0), live;
        /// Mass of the lower link.
        link_mass_2: f32 = 1.0, "Lower link mass" in "kg", number(0.1, 4.0), live;
    }
}

/// Acrobot-v1 (Sutton, 1996), with the equations of motion of Sutton and Barto's book, Gymnasium's default.
///
/// The state is the angle of the upper link, the angle of the lower link relative to the upper link, and both angular
/// velocities. Angle 0 hangs down; counterclockwise is positive. The observation is [cos θ1, sin θ1, cos θ2, sin θ2,
/// θ̇1, θ̇2]. Action 0 applies a clockwise torque at the joint between the links, 1 no torque, 2 a counterclockwise
/// torque. A push is an external torque at the hinge of the upper link. An episode terminates when the tip of the lower
/// link is more than one link length above the hinge. The reward is −1 per step, and 0 for the step that terminates.
///
/// An environment step integrates 0.2 s with one step of the classical fourth-order Runge–Kutta method. Near the
/// velocity limits the integration amplifies rounding errors, and `f32` and `f64` trajectories diverge.
#[derive(Debug, Clone, Copy)]
pub struct Acrobot;

/// Maximum angular velocity of the upper and of the lower link, in rad/s. Larger velocities are clipped.
const MAX_SPEED: (f32, f32) = (4.0 * PI, 9.0 * PI);
/// Duration of a step, in s.
const DT: f32 = 0.2;
/// Height in m above the hinge that the tip of the lower link must exceed to end the episode.
const GOAL: f32 = 1.0;
/// Bound of the initial angles (rad) and angular velocities (rad/s), which are uniform in ±`START`.
const START: f32 = 0.1;
/// Stages of the Runge–Kutta method. A stage evaluates the derivative at the initial state plus a time offset (in s)
/// times the derivative of the previous stage. The second number is the weight of the stage, in sixths.
const STAGES: [(f32, f32); 4] = [(0.0, 1.0), (0.5 * DT, 2.0), (0.5 * DT, 2.0), (DT, 1.0)];

vivarium_config::numbers! {
    /// Constants of Acrobot's dynamics, computed from the physical parameters.
    ///
    /// With the links' masses m₁ and m₂, length l = 1 m, center of mass at c = 0.5 m and moment of inertia I = 1 kg·m²,
    /// the angular accelerations q̈ solve
    ///
    /// ```text
    /// [ d1  d2 ] [q̈1]   [ push − φ1                          ]     d1 = α + 2 β cos θ2
    /// [ d2  γ  ] [q̈2] = [ torque − β θ̇1² sin θ2 − φ2         ]     d2 = γ + β cos θ2
    ///
    /// φ2 = g c m₂ sin(θ1 + θ2),  φ1 = φ2 + g (c m₁ + l m₂) sin θ1 − β θ̇2 (θ̇2 + 2 θ̇1) sin θ2
    /// ```
    ///
    /// The determinant d1 γ − d2² is γ (α − γ) − β² cos² θ2.
    #[derive(Debug, Clone, Copy)]
    pub struct AcrobotConstants: f32 {
        /// Torque of the strongest action at the joint between the links, in N·m.
        torque,
        /// Constant α = m₁ c² + m₂ (l² + c²) + 2 I of the mass matrix; [`AcrobotConstants`] defines the symbols.
        alpha,
        /// Constant β = m₂ l c of the mass matrix, the coefficient of cos θ2; [`AcrobotConstants`] defines the symbols.
        beta,
        /// Constant γ = m₂ c² + I, the lower right entry of the mass matrix; [`AcrobotConstants`] defines the symbols.
        gamma,
        /// Constant term γ (α − γ) of the determinant of the mass matrix; [`AcrobotConstants`] defines the symbols.
        determinant,
        /// Gravity on the upper link: coefficient g (c m₁ + l m₂) of sin θ1 in the equations of motion;
        /// [`AcrobotConstants`] defines the symbols.
        pull_1,
        /// Gravity on the lower link: coefficient g c m₂ of sin(θ1 + θ2) in the equations of motion;
        /// [`AcrobotConstants`] defines the symbols.
        pull_2,
    }
}

impl World for Acrobot {
    type Params = AcrobotParams;
    type Constants = AcrobotConstants;
    type State<V: Copy + Send + Sync> = [V; 4];
    type Observation<V: Copy + Send + Sync> = [V; 6];

    const NAME: &'static str = "acrobot";
    const TITLE: &'static str = "Acrobot";
    const STATE: &'static [Dimension] = &[
        Dimension::new("upper angle", "rad", -PI, PI),
        Dimension::new("lower angle", "rad", -PI, PI),
        Dimension::new("upper velocity", "rad/s", -MAX_SPEED.0, MAX_SPEED.0),
        Dimension::new("lower velocity", "rad/s", -MAX_SPEED.1, MAX_SPEED.1),
    ];
    const OBSERVATION: &'static [Dimension] = &[
        Dimension::new("cos θ1", "", -1.0, 1.0),
        Dimension::new("sin θ1", "", -1.0, 1.0),
        Dimension::new("cos θ2", "", -1.0, 1.0),
        Dimension::new("sin θ2", "", -1.0, 1.0),
        Dimension::new("upper velocity", "rad/s", -MAX_SPEED.0, MAX_SPEED.0),
        Dimension::new("lower velocity", "rad/s", -MAX_SPEED.1, MAX_SPEED.1),
    ];
    const MAP: (usize, usize) = (0, 1);
    const ACTIONS: ActionSpace = ActionSpace::Discrete(3);
    const ACTION_LABELS: &'static [&'static str] = &["clockwise", "none", "counterclockwise"];
    const PUSH: Dimension = Dimension::new("push", "N·m", -50.0, 50.0);
    const STEP_LIMIT: u32 = 500;
    const SOLVED: f32 = -100.0;
    const RETURNS: (f32, f32) = (-500.0, -60.0);
    const RETURN_BOUNDS: (f32, f32) = (-500.0, 0.0);

    fn constants(params: &AcrobotParams) -> AcrobotConstants {
        let [g, m1, m2] = [params.gravity, params.link_mass_1, params.link_mass_2].map(f64::from);
        let (alpha, gamma) = (0.25 * m1 + 1.25 * m2 + 2.0, 0.25 * m2 + 1.0);
        AcrobotConstants {
            torque: params.torque,
            alpha: alpha as f32,
            beta: (0.5 * m2) as f32,
            gamma: gamma as f32,
            determinant: (gamma * (alpha - gamma)) as f32,
            pull_1: (g * (0.5 * m1 + m2)) as f32,
            pull_2: (g * 0.5 * m2) as f32,
        }
    }

    fn max_force(params: &AcrobotParams) -> f32 {
        params.torque
    }

    #[inline(always)]
    fn step<S: Simd>(
        s: S,
        c: &AcrobotConstants,
        state: [S::f32s; 4],
        action: S::f32s,
        push: Option<S::f32s>,
        _: S::f32s,
    ) -> Transition<Self, S> {
        let splat = |value| S::f32s::splat(s, value);
        let torque = (action - 1.0) * splat(c.torque);
        let mut slope = [splat(0.0); 4];
        let mut sum = slope;
        for (reach, weight) in STAGES {
            let mut at = state;
            for (at, &slope) in at.iter_mut().zip(&slope) {
                *at = slope.mul_add(splat(reach), *at);
            }
            slope = derivative(s, c, at, torque, push);
            for (sum, &slope) in sum.iter_mut().zip(&slope) {
                *sum = slope.mul_add(splat(weight), *sum);
            }
        }
        let mut after = state;
        for (after, &sum) in after.iter_mut().zip(&sum) {
            *after = sum.mul_add(splat(DT / 6.0), *after);
        }
        let [theta1, theta2, omega1, omega2] = after;
        let (theta1, theta2) = (wrap(s, theta1), wrap(s, theta2));
        let (sin1, cos1) = math::sin_cos(s, theta1);
        let (sin2, cos2) = math::sin_cos(s, theta2);
        // cos θ1 + cos(θ1 + θ2)
        let depth = cos1.mul_add(cos2, (-sin1).mul_add(sin2, cos1));
        let terminated = depth.simd_lt(splat(-GOAL));
        Transition {
            state: [
                theta1,
                theta2,
                clip(s, omega1, -MAX_SPEED.0, MAX_SPEED.0),
                clip(s, omega2, -MAX_SPEED.1, MAX_SPEED.1),
            ],
            reward: terminated.select(splat(0.0), splat(-1.0)),
            terminated,
        }
    }

    #[inline(always)]
    fn initial<S: Simd>(_: S, _: &Self::Constants, uniform: [S::f32s; 4]) -> [S::f32s; 4] {
        uniform.map(
            #[inline(always)]
            |uniform| (uniform - 0.5) * (2.0 * START),
        )
    }

    #[inline(always)]
    fn observe<S: Simd>(s: S, [theta1, theta2, omega1, omega2]: [S::f32s; 4]) -> [S::f32s; 6] {
        let (sin1, cos1) = math::sin_cos(s, theta1);
        let (sin2, cos2) = math::sin_cos(s, theta2);
        [cos1, sin1, cos2, sin2, omega1, omega2]
    }

    fn normalize([theta1, theta2, omega1, omega2]: [f32; 4]) -> [f32; 4] {
        let (turn, half) = (2.0 * std::f64::consts::PI, std::f64::consts::PI);
        let [theta1, theta2] =
            [theta1, theta2].map(|theta| ((f64::from(theta) + half).rem_euclid(turn) - half) as f32);
        [theta1, theta2, omega1.clamp(-MAX_SPEED.0, MAX_SPEED.0), omega2.clamp(-MAX_SPEED.1, MAX_SPEED.1)]
    }
}

/// Returns the time derivative of a state: both angular velocities and both angular accelerations.
#[inline(always)]
fn derivative<S: Simd>(
    s: S,
    c: &AcrobotConstants,
    [theta1, theta2, omega1, omega2]: [S::f32s; 4],
    torque: S::f32s,
    push: Option<S::f32s>,
) -> [S::f32s; 4] {
    let splat = |value| S::f32s::splat(s, value);
    let (sin1, cos1) = math::sin_cos(s, theta1);
    let (sin2, cos2) = math::sin_cos(s, theta2);
    let d2 = cos2.mul_add(splat(c.beta), splat(c.gamma));
    let d1 = cos2.mul_add(splat(2.0 * c.beta), splat(c.alpha));
    // β sin θ2, and sin(θ1 + θ2) by the addition theorem.
    let swing = sin2 * c.beta;
    let phi2 = sin1.mul_add(cos2, cos1 * sin2) * c.pull_2;
    let phi1 = sin1.mul_add(splat(c.pull_1), phi2);
    let phi1 = (-swing).mul_add(omega2 * omega1.mul_add(splat(2.0), omega2), phi1);
    let upper = push.map_or(
        -phi1,
        #[inline(always)]
        |push| push - phi1,
    );
    let lower = (-swing).mul_add(omega1 * omega1, torque - phi2);
    let bent = cos2 * c.beta;
    let inverse = splat(1.0) / (-bent).mul_add(bent, splat(c.determinant));
    let acceleration1 = upper.mul_add(splat(c.gamma), -(d2 * lower)) * inverse;
    let acceleration2 = d1.mul_add(lower, -(d2 * upper)) * inverse;
    [omega1, omega2, acceleration1, acceleration2]
}
