//! Tests of environment steps on the device against the f64 reference and the environments of the CPU.

use crate::adapter;
use vivarium_envs::testing::dynamics::{self, ReferenceStep, angle_normalize};
use vivarium_envs::{
    Acrobot, ActionSpace, CartPole, CompiledWorld, EnvSpec, MountainCar, Params, Pendulum, Tuple, World,
    each_world,
};
use vivarium_gpu::worlds::{self, RANDOM_TOLERANCE, STEP_TOLERANCE, constant_words, world_wgsl};
use vivarium_gpu::{GpuRecorder, Shader, floats};
use vivarium_kernels::rng::Stream;

/// WGSL kernel that takes one step in each environment. An input row holds state, action and external force; a result
/// row holds state, reward, termination flag and observation.
const STEP: &str = "
    var<storage, read> rows: array<f32>;
    var<storage, read> constants: array<f32>;
    var<storage, read_write> made: array<f32>;
    fn each(env: u32) {
        var c: Constants;
        for (var i = 0u; i < CONSTANTS_LEN; i++) { c[i] = constants[i]; }
        let row = env * (STATE_LEN + 2u);
        var state: State;
        for (var i = 0u; i < STATE_LEN; i++) { state[i] = rows[row + i]; }
        var next = world_step(c, state, rows[row + STATE_LEN], rows[row + STATE_LEN + 1u], 0.0);
        var seen = world_observe(next.state);
        let to = env * (STATE_LEN + 2u + OBSERVATION_LEN);
        for (var i = 0u; i < STATE_LEN; i++) { made[to + i] = next.state[i]; }
        made[to + STATE_LEN] = next.reward;
        made[to + STATE_LEN + 1u] = select(0.0, 1.0, next.terminated);
        for (var i = 0u; i < OBSERVATION_LEN; i++) { made[to + STATE_LEN + 2u + i] = seen[i]; }
    }";

/// Takes one step in each environment by the kernel [`STEP`], and returns the result rows. `rows` holds the input rows
/// `[num_envs, STATE_LEN + 2]`: state, action and external force.
fn step<W: World>(params: &W::Params, rows: &[f32]) -> Vec<f32> {
    let gpu = adapter::gpu();
    let num_envs = rows.len() / (W::STATE_LEN + 2);
    let constants = gpu.upload("constants", &constant_words::<W>(params)).unwrap();
    let given = gpu.upload("rows", rows).unwrap();
    let made = gpu.buffer("made", num_envs * (W::STATE_LEN + 2 + W::OBSERVATION_LEN)).unwrap();
    let mut recorder = GpuRecorder::new(gpu);
    Shader::new(W::NAME, &[STEP])
        .part(&world_wgsl(EnvSpec::of::<W>()).unwrap())
        .buffers([("rows", &given), ("constants", &constants), ("made", &made)])
        .record_each(&mut recorder, num_envs)
        .unwrap();
    let program = recorder.finish().unwrap();
    gpu.submit(|encoder| encoder.run(&program)).unwrap();
    floats(&gpu.read_blocking(&made, 0..made.len()).unwrap()).to_vec()
}

/// Returns random physical parameters within their ranges.
fn any_params<W: World>(random: &mut Stream) -> W::Params {
    let ranges = W::Params::default().ranges();
    let numbers: Vec<f32> = ranges.iter().map(|[low, high]| low + (high - low) * random.uniform()).collect();
    W::Params::from_numbers(&numbers).unwrap()
}

/// Returns a random input row of [`STEP`]: state, action and external force. State values are drawn from 1.5 times
/// their plotting range, and are sometimes exactly an end of the range.
///
/// Acrobot's velocities are limited to typical ones: near their limits a step amplifies rounding errors.
fn any_row<W: World>(random: &mut Stream) -> Vec<f32> {
    let mut state = W::State::splat(0.0);
    for (value, dimension) in state.as_mut().iter_mut().zip(W::STATE) {
        let at = match random.below(20) {
            0 => 0.0,
            1 => 1.0,
            _ => 1.5 * random.uniform() - 0.25,
        };
        *value = dimension.low + (dimension.high - dimension.low) * at;
        if W::NAME == Acrobot::NAME && dimension.unit == "rad/s" {
            *value *= 0.25;
        }
    }
    let mut row = W::normalize(state).as_ref().to_vec();
    row.push(match W::ACTIONS {
        ActionSpace::Discrete(n) => random.below(n as u32) as f32,
        ActionSpace::Box { low, high } => low + (high - low) * (1.5 * random.uniform() - 0.25),
    });
    let push = W::PUSH.low + (W::PUSH.high - W::PUSH.low) * random.uniform();
    row.push(if random.below(2) == 0 { 0.0 } else { 0.05 * push });
    row
}

/// Expected result of one step in f64: state, reward, whether the episode terminated, observation, and the distance of
/// the new state from the termination threshold.
struct Expected {
    state: Vec<f64>,
    reward: f64,
    terminated: bool,
    observation: Vec<f64>,
    margin: f64,
}

/// Combines the result of a reference step with its observation and the distance `margin` from the termination
/// threshold. `observe` returns the observation of a state.
fn expected<const N: usize, const SEEN: usize>(
    step: ReferenceStep<N>,
    observe: impl Fn([f64; N]) -> [f64; SEEN],
    margin: f64,
) -> Expected {
    let ReferenceStep { state, reward, terminated } = step;
    Expected { observation: observe(state).to_vec(), state: state.to_vec(), reward, terminated, margin }
}

/// Compares one step on the device from each of many random states with the reference `expect`. The first `turning`
/// state values are angles, which are compared modulo 2π.
fn agrees_with_the_reference<W: World>(
    tolerance: f64,
    turning: usize,
    expect: impl Fn(&W::Params, &[f32], f32, f64) -> Expected,
) {
    let mut random = Stream::new(21, 0);
    let mut ends = [0; 2];
    for round in 0..8 {
        let params = if round == 0 { W::Params::default() } else { any_params::<W>(&mut random) };
        let rows: Vec<f32> = (0..2000).flat_map(|_| any_row::<W>(&mut random)).collect();
        let made = step::<W>(&params, &rows);
        let each = W::STATE_LEN + 2 + W::OBSERVATION_LEN;
        for (row, made) in rows.chunks_exact(W::STATE_LEN + 2).zip(made.chunks_exact(each)) {
            let (state, rest) = row.split_at(W::STATE_LEN);
            let expected = expect(&params, state, rest[0], rest[1].into());
            let close = |got: f32, expected: f64, what: &str| {
                let error = (f64::from(got) - expected).abs() / expected.abs().max(1.0);
                assert!(error <= tolerance, "{what} of {row:?}: {got}, not {expected} ({params:?})");
            };
            for (index, (&got, &expected)) in made.iter().zip(&expected.state).enumerate() {
                if index < turning {
                    let apart = angle_normalize(f64::from(got) - expected);
                    assert!(apart.abs() <= tolerance * 4.0, "{row:?}: {got}, not {expected}");
                    assert!(got.abs() <= 1.000_001 * std::f32::consts::PI, "{got} is more than half a turn");
                } else {
                    close(got, expected, W::STATE[index].name);
                }
            }
            close(made[W::STATE_LEN], expected.reward, "reward");
            for (&got, &expected) in made[W::STATE_LEN + 2..].iter().zip(&expected.observation) {
                close(got, expected, "observation");
            }
            if expected.margin > 1e-5 {
                assert_eq!(made[W::STATE_LEN + 1] != 0.0, expected.terminated, "the end of {row:?}");
                ends[usize::from(expected.terminated)] += 1;
            }
        }
    }
    if W::NAME != Pendulum::NAME {
        assert!(ends.iter().all(|&count| count > 300), "{ends:?} is too few of either kind");
    }
}

#[test]
fn cartpole_steps_as_the_reference() {
    agrees_with_the_reference::<CartPole>(2e-5, 0, |params, state, action, push| {
        let state: [f32; 4] = state.try_into().unwrap();
        let step = dynamics::cartpole(params, state.map(f64::from), action as u32, push);
        let [x, _, theta, _] = step.state;
        let margin = (x.abs() - 2.4).abs().min((theta.abs() - 0.209_439_510_239).abs());
        expected(step, |state| state, margin)
    });
}

#[test]
fn mountain_car_steps_as_the_reference() {
    agrees_with_the_reference::<MountainCar>(1e-6, 0, |params, state, action, push| {
        let state: [f32; 2] = state.try_into().unwrap();
        let step = dynamics::mountain_car(params, state.map(f64::from), action as u32, push);
        let [x, v] = step.state;
        // At the wall, the speed is exactly or nearly zero.
        let margin = (x - 0.5).abs().min(if x >= 0.5 { v.abs() * 100.0 } else { 1.0 });
        expected(step, |state| state, margin)
    });
}

#[test]
fn pendulum_steps_as_the_reference() {
    agrees_with_the_reference::<Pendulum>(2e-5, 1, |params, state, action, push| {
        let state: [f32; 2] = state.try_into().unwrap();
        let step = dynamics::pendulum(params, state.map(f64::from), action.into(), push);
        expected(step, dynamics::pendulum_observation, 1.0)
    });
}

#[test]
fn acrobot_steps_as_the_reference() {
    agrees_with_the_reference::<Acrobot>(2e-5, 2, |params, state, action, push| {
        let state: [f32; 4] = state.try_into().unwrap();
        let step = dynamics::acrobot(params, state.map(f64::from), action as u32, push);
        let [theta1, theta2, ..] = step.state;
        let margin = (theta1.cos() + (theta1 + theta2).cos() + 1.0).abs();
        expected(step, dynamics::acrobot_observation, margin)
    });
}

#[test]
fn the_device_passes_its_own_check() {
    let gpu = adapter::gpu();
    let random = pollster::block_on(worlds::random_error(gpu)).unwrap();
    assert!(random <= RANDOM_TOLERANCE, "{random}");
    fn error<W: CompiledWorld>() -> f32 {
        pollster::block_on(worlds::world_error::<W>(adapter::gpu())).unwrap()
    }
    for error in each_world!(error()) {
        assert!(error <= STEP_TOLERANCE, "{error}");
    }
}
