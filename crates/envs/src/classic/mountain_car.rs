//! MountainCar-v0: an underpowered car must build up momentum to climb a hill.

use super::clip;
use crate::params::Params;
use crate::space::{ActionSpace, Dimension};
use crate::world::{Transition, World};
use vivarium_kernels::math;
use vivarium_kernels::simd::{Select, Simd, SimdBase, SimdFloat};

vivarium_config::config! {
    /// Physical parameters of MountainCar.
    #[derive(Clone, Copy)]
    pub struct MountainCarParams {
        ["world"]
        /// Acceleration by the motor. At the default gravity, 0.0021 is enough to drive straight up.
        force: f32 = 0.001, "Motor force" in "per step²", number(0.0002, 0.003), live;
        /// Acceleration by gravity on the steepest slope.
        gravity: f32 = 0.0025, "Gravity" in "per step²", number(0.0005, 0.006), live;
    }
}

/// MountainCar-v0 (Moore, 1990, "Efficient Memory-based Learning for Robot Control").
///
/// State and observation are the position and the velocity of the car. Action 0 accelerates left, 1 not at all, 2
/// right. The reward is −1 per step. An episode terminates at position ≥ 0.5 with velocity ≥ 0.
#[derive(Debug, Clone, Copy)]
pub struct MountainCar;

const LEFT_WALL: f32 = -1.2;
const RIGHT_WALL: f32 = 0.6;
const MAX_SPEED: f32 = 0.07;
const GOAL: f32 = 0.5;
/// Range of the initial position (uniform). The initial velocity is 0.
const START: (f32, f32) = (-0.6, -0.4);

impl From<MountainCarParams> for Vec<f32> {
    fn from(params: MountainCarParams) -> Self {
        params.numbers()
    }
}

impl World for MountainCar {
    type Params = MountainCarParams;
    type Constants = MountainCarParams;
    type State<V: Copy + Send + Sync> = [V; 2];
    type Observation<V: Copy + Send + Sync> = [V; 2];

    const NAME: &'static str = "mountain-car";
    const TITLE: &'static str = "MountainCar";
    const STATE: &'static [Dimension] = &[
        Dimension::new("position", "", LEFT_WALL, RIGHT_WALL),
        Dimension::new("velocity", "per step", -MAX_SPEED, MAX_SPEED),
    ];
    const OBSERVATION: &'static [Dimension] = Self::STATE;
    const MAP: (usize, usize) = (0, 1);
    const ACTIONS: ActionSpace = ActionSpace::Discrete(3);
    const ACTION_LABELS: &'static [&'static str] = &["left", "roll", "right"];
    const PUSH: Dimension = Dimension::new("push", "per step²", -0.14, 0.14);
    const STEP_LIMIT: u32 = 200;
    const SOLVED: f32 = -110.0;
    const RETURNS: (f32, f32) = (-200.0, -80.0);
    const RETURN_BOUNDS: (f32, f32) = (-200.0, 0.0);

    fn constants(params: &MountainCarParams) -> MountainCarParams {
        *params
    }

    fn max_force(params: &MountainCarParams) -> f32 {
        params.force
    }

    #[inline(always)]
    fn step<S: Simd>(
        s: S,
        c: &MountainCarParams,
        [x, v]: [S::f32s; 2],
        action: S::f32s,
        push: Option<S::f32s>,
        _: S::f32s,
    ) -> Transition<Self, S> {
        let splat = |value| S::f32s::splat(s, value);
        let zero = splat(0.0);
        let mut motor = (action - 1.0) * splat(c.force);
        if let Some(push) = push {
            motor += push;
        }
        let slope = math::cos(s, x * 3.0);
        let v = clip(s, v + slope.mul_add(splat(-c.gravity), motor), -MAX_SPEED, MAX_SPEED);
        let x = clip(s, x + v, LEFT_WALL, RIGHT_WALL);
        // Inelastic collision with the left wall.
        let stopped = x.simd_eq(splat(LEFT_WALL)) & v.simd_lt(zero);
        let v = stopped.select(zero, v);
        let terminated = x.simd_ge(splat(GOAL)) & v.simd_ge(zero);
        Transition { state: [x, v], reward: splat(-1.0), terminated }
    }

    #[inline(always)]
    fn initial<S: Simd>(s: S, _: &Self::Constants, uniform: [S::f32s; 4]) -> [S::f32s; 2] {
        [uniform[0] * (START.1 - START.0) + START.0, S::f32s::splat(s, 0.0)]
    }

    #[inline(always)]
    fn observe<S: Simd>(_: S, state: [S::f32s; 2]) -> [S::f32s; 2] {
        state
    }
}
