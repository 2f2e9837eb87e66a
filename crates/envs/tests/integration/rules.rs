//! Tests of the dynamics against the f64 reference: single steps from random states with random actions, at every SIMD
//! level.

use vivarium_envs::testing::dynamics;
use vivarium_envs::{
    Acrobot, AcrobotParams, Autoreset, CartPole, CartPoleParams, CompiledWorld, MountainCar,
    MountainCarParams, Params, Pendulum, PendulumParams, StepBuffers, VectorEnv, World,
};
use vivarium_kernels::rng::Stream;
use vivarium_kernels::simd::{Level, level_name, levels};

/// Reference result of one environment step: observation, reward, and whether the episode terminated.
type Expected = (Vec<f64>, f64, bool);

/// Number of environments in each round of a test: several blocks of 64 environments, of which the last is incomplete.
const LANES: usize = 200;
const ROUNDS: usize = 60;

/// Returns a uniform random number from `low` to `high`.
fn between(random: &mut Stream, low: f32, high: f32) -> f32 {
    (low + (high - low) * random.uniform()).clamp(low, high)
}

/// Returns the physical parameters for a round of a test: the defaults in round 0, random values within the ranges in
/// the other rounds.
fn params<P: Params>(random: &mut Stream, round: usize) -> P {
    if round == 0 {
        return P::default();
    }
    let ranges = P::default().ranges();
    let numbers: Vec<f32> = ranges.iter().map(|&[low, high]| between(random, low, high)).collect();
    P::from_numbers(&numbers).unwrap()
}

/// Compares steps of many environments from random states with the reference `step`. `edge` returns the distance of a
/// state from the termination threshold; near the threshold, either flag is correct.
fn check<W: CompiledWorld>(
    level: Level,
    state: impl Fn(&mut Stream) -> Vec<f32>,
    action: impl Fn(&mut Stream) -> f32,
    step: impl Fn(&W::Params, &[f64], f32, f64) -> Expected,
    edge: impl Fn(&[f64]) -> f64,
    tolerance: f64,
) {
    let mut random = Stream::new(23, 0);
    let (mut ended, mut worst) = (0, 0f64);
    for round in 0..ROUNDS {
        let params = params::<W::Params>(&mut random, round);
        let mut env = VectorEnv::<W>::new(level, params, round as u64, 0, LANES, Autoreset::NextStep)
            .expect("in range");
        let mut out = StepBuffers::new::<W>(LANES);
        let states: Vec<_> = (0..LANES).map(|_| state(&mut random)).collect();
        let actions: Vec<_> = (0..LANES).map(|_| action(&mut random)).collect();
        // Every other round pushes some environments.
        let strongest = 2.0 * W::max_force(&params);
        let mut pushes = vec![0.0; LANES];
        for lane in 0..LANES {
            env.set_state(lane, &states[lane]).unwrap();
            if round % 2 == 1 && lane % 3 == 0 {
                pushes[lane] = between(&mut random, -strongest, strongest);
                env.push(lane, pushes[lane]).unwrap();
            }
        }
        env.step(level, &actions, &mut out.out()).unwrap();

        for lane in 0..LANES {
            let before: Vec<_> = states[lane].iter().map(|&value| f64::from(value)).collect();
            let (observation, reward, terminated) =
                step(&params, &before, actions[lane], pushes[lane].into());
            let row = &out.observation[lane * W::OBSERVATION_LEN..(lane + 1) * W::OBSERVATION_LEN];
            let numbers = row.iter().chain([&out.reward[lane]]).zip(observation.iter().chain([&reward]));
            for (&fast, &exact) in numbers {
                let error = (f64::from(fast) - exact).abs() / exact.abs().max(1.0);
                worst = worst.max(error);
                let name = level_name(level);
                assert!(
                    error <= tolerance,
                    "{} at {name}, round {round}, lane {lane}: {fast} for {exact}; state {before:?}, action {}",
                    W::NAME,
                    actions[lane],
                );
            }
            if edge(&observation) > tolerance {
                assert_eq!(out.terminated[lane], terminated, "{} ended from {before:?}", W::NAME);
            }
            ended += usize::from(terminated);
            assert!(!out.truncated[lane]);
        }
    }
    assert!(worst > 0.0, "the comparison had no values to compare");
    if W::NAME != Pendulum::NAME {
        assert!(ended > ROUNDS, "too few states end an episode to test that they do: {ended}");
    }
}

#[test]
fn cartpole_agrees_with_the_reference() {
    let fallen = 12.0 * std::f64::consts::PI / 180.0;
    for level in levels() {
        check::<CartPole>(
            level,
            |random| {
                // Most states are reachable. One in eight may have an angle far beyond ±π/4, which requires range
                // reduction.
                let wide = if random.below(8) == 0 { 20.0 } else { 1.0 };
                vec![
                    between(random, -2.5, 2.5),
                    between(random, -4.0, 4.0),
                    wide * between(random, -0.25, 0.25),
                    between(random, -4.0, 4.0),
                ]
            },
            |random| random.below(2) as f32,
            |params: &CartPoleParams, state, action, push| {
                let step = dynamics::cartpole(params, state.try_into().unwrap(), action as u32, push);
                (step.state.to_vec(), step.reward, step.terminated)
            },
            |after| (after[0].abs() - 2.4).abs().min((after[2].abs() - fallen).abs()),
            4e-6,
        );
    }
}

#[test]
fn mountain_car_agrees_with_the_reference() {
    for level in levels() {
        check::<MountainCar>(
            level,
            |random| {
                // A quarter each at the left wall, at the goal, at the speed limits; the rest anywhere.
                let mut state = vec![between(random, -1.2, 0.6), between(random, -0.07, 0.07)];
                match random.below(4) {
                    0 => state[0] = between(random, -1.2, -1.14),
                    1 => state[0] = between(random, 0.44, 0.6),
                    2 => state[1] = 0.07 * (1.0 - 2.0 * random.below(2) as f32),
                    _ => {}
                }
                state
            },
            |random| random.below(3) as f32,
            |params: &MountainCarParams, state, action, push| {
                let step = dynamics::mountain_car(params, state.try_into().unwrap(), action as u32, push);
                (step.state.to_vec(), step.reward, step.terminated)
            },
            |after| (after[0] - 0.5).abs().min(after[1].abs()),
            4e-7,
        );
    }
}

#[test]
fn pendulum_agrees_with_the_reference() {
    for level in levels() {
        check::<Pendulum>(
            level,
            |random| {
                let turns = if random.below(4) == 0 { 30.0 } else { 1.0 };
                vec![turns * between(random, -3.2, 3.2), between(random, -8.0, 8.0)]
            },
            |random| match random.below(20) {
                0 => f32::INFINITY,
                1 => f32::NEG_INFINITY,
                _ => between(random, -3.0, 3.0),
            },
            |params: &PendulumParams, state, action, push| {
                let step = dynamics::pendulum(params, state.try_into().unwrap(), action.into(), push);
                (dynamics::pendulum_observation(step.state).to_vec(), step.reward, step.terminated)
            },
            |_| f64::INFINITY,
            8e-6,
        );
    }
}

#[test]
fn acrobot_agrees_with_the_reference() {
    for level in levels() {
        check::<Acrobot>(
            level,
            |random| {
                // Typical velocities; near the velocity limits a step amplifies rounding in any implementation.
                let turns = if random.below(4) == 0 { 10.0 } else { 1.0 };
                vec![
                    turns * between(random, -3.2, 3.2),
                    turns * between(random, -3.2, 3.2),
                    between(random, -5.0, 5.0),
                    between(random, -8.0, 8.0),
                ]
            },
            |random| random.below(3) as f32,
            |params: &AcrobotParams, state, action, push| {
                let step = dynamics::acrobot(params, state.try_into().unwrap(), action as u32, push);
                (dynamics::acrobot_observation(step.state).to_vec(), step.reward, step.terminated)
            },
            |after| (after[0] + after[0] * after[2] - after[1] * after[3] + 1.0).abs(),
            1e-5,
        );
    }
}

/// Takes one step of the environment `W` from `state` at every SIMD level, and asserts that all levels agree on
/// termination. Returns the observation at the best level, and whether the episode terminated.
fn one_step<W: CompiledWorld>(state: &[f32], action: f32) -> (Vec<f32>, bool) {
    let mut results = levels().into_iter().map(|level| {
        let mut env = VectorEnv::<W>::new(level, W::Params::default(), 1, 0, 1, Autoreset::NextStep)
            .expect("the defaults");
        let mut out = StepBuffers::new::<W>(1);
        env.set_state(0, state).unwrap();
        env.step(level, &[action], &mut out.out()).unwrap();
        (out.observation.to_vec(), out.terminated[0])
    });
    let first = results.next().expect("every machine has a level");
    for other in results {
        assert_eq!(other.1, first.1);
    }
    first
}

#[test]
fn cartpole_ends_beyond_the_thresholds_and_not_on_them() {
    // All other numbers of the state are 0, so that the tested number does not change in the step.
    let next_up = |value: f32| f32::from_bits(value.to_bits() + 1);
    let fallen = 12.0 * 2.0 * std::f32::consts::PI / 360.0;
    for sign in [-1.0, 1.0] {
        assert!(!one_step::<CartPole>(&[sign * 2.4, 0.0, 0.0, 0.0], 1.0).1);
        assert!(one_step::<CartPole>(&[sign * next_up(2.4), 0.0, 0.0, 0.0], 1.0).1);
        assert!(!one_step::<CartPole>(&[0.0, 0.0, sign * fallen, 0.0], 1.0).1);
        assert!(one_step::<CartPole>(&[0.0, 0.0, sign * next_up(fallen), 0.0], 1.0).1);
    }
}

#[test]
fn cartpole_moves_positions_with_the_velocities_from_before_the_step() {
    let (after, _) = one_step::<CartPole>(&[0.0, 1.0, 0.0, -1.0], 1.0);
    assert_eq!((after[0], after[2]), (0.02, -0.02));
}

#[test]
fn mountain_car_stops_at_the_left_wall_and_not_at_the_right_one() {
    assert_eq!(one_step::<MountainCar>(&[-1.19, -0.07], 0.0).0, [-1.2, 0.0]);
    // A car that moves away from the wall is not stopped.
    let (left, _) = one_step::<MountainCar>(&[-1.2, 0.0], 2.0);
    assert!(left[0] > -1.2 && left[1] > 0.0);
    let (right, ended) = one_step::<MountainCar>(&[0.59, 0.07], 2.0);
    assert_eq!(right[0], 0.6);
    assert!(right[1] > 0.0 && ended);
    // Beyond the goal but rolling back: not terminal.
    assert!(!one_step::<MountainCar>(&[0.55, -0.01], 0.0).1);
}

#[test]
fn acrobot_ends_above_the_line_without_a_cost() {
    // Nearly upright and at rest; then hanging with the lower link folded up, its tip at the hinge.
    for (state, ended, reward) in [([3.1, 0.0, 0.0, 0.0], true, 0.0), ([0.0, 3.1, 0.0, 0.0], false, -1.0)] {
        let mut env =
            VectorEnv::<Acrobot>::new(levels()[0], AcrobotParams::default(), 1, 0, 1, Autoreset::NextStep)
                .expect("the defaults");
        let mut out = StepBuffers::new::<Acrobot>(1);
        env.set_state(0, &state).unwrap();
        env.step(levels()[0], &[1.0], &mut out.out()).unwrap();
        assert_eq!((out.terminated[0], out.reward[0]), (ended, reward));
    }
}

#[test]
fn an_acrobot_that_nothing_drives_keeps_its_energy() {
    // With m = l = I = 1: the kinetic energy of both links about their joints, and the height of their centers of mass.
    fn energy([cos1, sin1, cos2, sin2, w1, w2]: [f64; 6]) -> f64 {
        let upright = cos1 * cos2 - sin1 * sin2;
        let (d1, d2) = (3.5 + cos2, 1.25 + 0.5 * cos2);
        0.5 * d1 * w1 * w1 + d2 * w1 * w2 + 0.625 * w2 * w2 - 9.8 * (1.5 * cos1 + 0.5 * upright)
    }
    let mut env =
        VectorEnv::<Acrobot>::new(levels()[0], AcrobotParams::default(), 1, 0, 1, Autoreset::NextStep)
            .expect("the defaults");
    let mut out = StepBuffers::new::<Acrobot>(1);
    env.set_state(0, &[0.5, -0.3, 0.0, 0.0]).unwrap();
    let seen = |out: &StepBuffers| -> [f64; 6] {
        let numbers: Vec<f64> = out.observation.iter().map(|&number| number.into()).collect();
        numbers.try_into().unwrap()
    };
    env.step(levels()[0], &[1.0], &mut out.out()).unwrap();
    let start = energy(seen(&out));
    for _ in 0..50 {
        env.step(levels()[0], &[1.0], &mut out.out()).unwrap();
        let now = energy(seen(&out));
        assert!((now - start).abs() < 0.05, "{now}, at first {start}");
    }
}

#[test]
fn speeds_are_limited() {
    assert_eq!(one_step::<MountainCar>(&[-0.8, 0.07], 2.0).0[1], 0.07);
    assert_eq!(one_step::<Pendulum>(&[1.5, 8.0], 2.0).0[2], 8.0);
    assert_eq!(one_step::<Pendulum>(&[-1.5, -8.0], -2.0).0[2], -8.0);
}

#[test]
fn pendulum_keeps_its_angle_within_one_turn() {
    let mut env =
        VectorEnv::<Pendulum>::new(levels()[0], PendulumParams::default(), 1, 0, 2, Autoreset::NextStep)
            .expect("the defaults");
    let mut out = StepBuffers::new::<Pendulum>(2);
    env.set_state(0, &[3.1, 8.0]).unwrap();
    env.set_state(1, &[-3.1, -8.0]).unwrap();
    let mut states = [0.0; 4];
    for _ in 0..199 {
        env.step(levels()[0], &[2.0, -2.0], &mut out.out()).unwrap();
        env.states(&mut states).unwrap();
        for angle in [states[0], states[2]] {
            assert!(angle.abs() <= std::f32::consts::PI * 1.000_001, "{angle}");
        }
    }
}
