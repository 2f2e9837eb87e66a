//! Reference dynamics in scalar `f64`, written from the published rules, independent of the optimized code.
//!
//! Names follow Gymnasium's `classic_control`.

use crate::{AcrobotParams, CartPoleParams, MountainCarParams, PendulumParams};
use std::f64::consts::PI;

/// Result of one environment step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReferenceStep<const N: usize> {
    /// State after the step.
    pub state: [f64; N],
    /// Reward of the step.
    pub reward: f64,
    /// Whether the state is terminal.
    pub terminated: bool,
}

/// Computes a step of CartPole-v1. `action` is 0 or 1; `push` is an external force in N.
pub fn cartpole(params: &CartPoleParams, state: [f64; 4], action: u32, push: f64) -> ReferenceStep<4> {
    let [mut x, mut x_dot, mut theta, mut theta_dot] = state;
    let gravity = f64::from(params.gravity);
    let masscart = f64::from(params.cart_mass);
    let masspole = f64::from(params.pole_mass);
    let total_mass = masscart + masspole;
    let length = f64::from(params.pole_half_length);
    let polemass_length = masspole * length;
    let force_mag = f64::from(params.force);
    let tau = 0.02;

    let force = if action == 1 { force_mag } else { -force_mag } + push;
    let costheta = theta.cos();
    let sintheta = theta.sin();
    let temp = (force + polemass_length * theta_dot * theta_dot * sintheta) / total_mass;
    let thetaacc = (gravity * sintheta - costheta * temp)
        / (length * (4.0 / 3.0 - masspole * costheta * costheta / total_mass));
    let xacc = temp - polemass_length * thetaacc * costheta / total_mass;

    x += tau * x_dot;
    x_dot += tau * xacc;
    theta += tau * theta_dot;
    theta_dot += tau * thetaacc;

    let theta_threshold = 12.0 * 2.0 * PI / 360.0;
    let terminated = x.abs() > 2.4 || theta.abs() > theta_threshold;
    ReferenceStep { state: [x, x_dot, theta, theta_dot], reward: 1.0, terminated }
}

/// Computes a step of MountainCar-v0. `action` is 0, 1 or 2; `push` is an external change of velocity.
pub fn mountain_car(params: &MountainCarParams, state: [f64; 2], action: u32, push: f64) -> ReferenceStep<2> {
    let [mut position, mut velocity] = state;
    let (min_position, max_position, max_speed, goal_position) = (-1.2, 0.6, 0.07, 0.5);

    velocity += (f64::from(action) - 1.0) * f64::from(params.force) + push;
    velocity -= (3.0 * position).cos() * f64::from(params.gravity);
    velocity = velocity.clamp(-max_speed, max_speed);
    position = (position + velocity).clamp(min_position, max_position);
    if position == min_position && velocity < 0.0 {
        velocity = 0.0;
    }
    let terminated = position >= goal_position && velocity >= 0.0;
    ReferenceStep { state: [position, velocity], reward: -1.0, terminated }
}

/// Computes a step of Pendulum-v1. `action` is any number but NaN: ±2 stand for the strongest torque. `push` is an
/// external torque in N·m. The angle is not wrapped.
pub fn pendulum(params: &PendulumParams, state: [f64; 2], action: f64, push: f64) -> ReferenceStep<2> {
    let [th, thdot] = state;
    let (g, m, l) = (f64::from(params.gravity), f64::from(params.mass), f64::from(params.length));
    let (dt, max_speed) = (0.05, 8.0);

    let u = action.clamp(-2.0, 2.0) * (f64::from(params.max_torque) / 2.0);
    let costs = angle_normalize(th).powi(2) + 0.1 * thdot * thdot + 0.001 * u * u;
    let newthdot = thdot + (3.0 * g / (2.0 * l) * th.sin() + 3.0 / (m * l * l) * (u + push)) * dt;
    let newthdot = newthdot.clamp(-max_speed, max_speed);
    let newth = th + newthdot * dt;
    ReferenceStep { state: [newth, newthdot], reward: -costs, terminated: false }
}

/// Returns the observation of a state of Pendulum-v1: cosine and sine of the angle, and the angular velocity.
pub fn pendulum_observation([th, thdot]: [f64; 2]) -> [f64; 3] {
    [th.cos(), th.sin(), thdot]
}

/// Wraps an angle to [−π, π).
pub fn angle_normalize(angle: f64) -> f64 {
    (angle + PI).rem_euclid(2.0 * PI) - PI
}

/// Computes a step of Acrobot-v1, with Sutton and Barto's equations. `action` is 0, 1 or 2; `push` is an external
/// torque at the hinge of the upper link in N·m.
pub fn acrobot(params: &AcrobotParams, state: [f64; 4], action: u32, push: f64) -> ReferenceStep<4> {
    let torque = (f64::from(action) - 1.0) * f64::from(params.torque);
    let dsdt = |s: [f64; 4]| acrobot_dsdt(params, s, torque, push);
    let dt = 0.2;
    let along = |k: [f64; 4], h: f64| [0, 1, 2, 3].map(|i| state[i] + h * k[i]);
    let k1 = dsdt(state);
    let k2 = dsdt(along(k1, dt / 2.0));
    let k3 = dsdt(along(k2, dt / 2.0));
    let k4 = dsdt(along(k3, dt));
    let [theta1, theta2, dtheta1, dtheta2] =
        [0, 1, 2, 3].map(|i| state[i] + dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    let (theta1, theta2) = (angle_normalize(theta1), angle_normalize(theta2));
    let (dtheta1, dtheta2) = (dtheta1.clamp(-4.0 * PI, 4.0 * PI), dtheta2.clamp(-9.0 * PI, 9.0 * PI));
    let terminated = -theta1.cos() - (theta2 + theta1).cos() > 1.0;
    let reward = if terminated { 0.0 } else { -1.0 };
    ReferenceStep { state: [theta1, theta2, dtheta1, dtheta2], reward, terminated }
}

/// Returns the time derivative of a state of Acrobot-v1.
fn acrobot_dsdt(params: &AcrobotParams, s: [f64; 4], torque: f64, push: f64) -> [f64; 4] {
    let [theta1, theta2, dtheta1, dtheta2] = s;
    let (m1, m2, g) =
        (f64::from(params.link_mass_1), f64::from(params.link_mass_2), f64::from(params.gravity));
    let (l1, lc1, lc2, i1, i2) = (1.0, 0.5, 0.5, 1.0, 1.0);

    let d1 = m1 * lc1 * lc1 + m2 * (l1 * l1 + lc2 * lc2 + 2.0 * l1 * lc2 * theta2.cos()) + i1 + i2;
    let d2 = m2 * (lc2 * lc2 + l1 * lc2 * theta2.cos()) + i2;
    let phi2 = m2 * lc2 * g * (theta1 + theta2 - PI / 2.0).cos();
    let phi1 = -m2 * l1 * lc2 * dtheta2 * dtheta2 * theta2.sin()
        - 2.0 * m2 * l1 * lc2 * dtheta2 * dtheta1 * theta2.sin()
        + (m1 * lc1 + m2 * l1) * g * (theta1 - PI / 2.0).cos()
        + phi2
        - push;
    let ddtheta2 = (torque + d2 / d1 * phi1 - m2 * l1 * lc2 * dtheta1 * dtheta1 * theta2.sin() - phi2)
        / (m2 * lc2 * lc2 + i2 - d2 * d2 / d1);
    let ddtheta1 = -(d2 * ddtheta2 + phi1) / d1;
    [dtheta1, dtheta2, ddtheta1, ddtheta2]
}

/// Returns the observation of a state of Acrobot-v1: cosine and sine of both angles, and both angular velocities.
pub fn acrobot_observation([theta1, theta2, dtheta1, dtheta2]: [f64; 4]) -> [f64; 6] {
    [theta1.cos(), theta1.sin(), theta2.cos(), theta2.sin(), dtheta1, dtheta2]
}
