//! Tests of random environment steps on the device against the environments of the CPU.

use crate::adapter;
use vivarium_envs::testing::dynamics::angle_normalize;
use vivarium_envs::{
    Acrobot, Autoreset, CartPole, CartPoleParams, CompiledWorld, EnvSnapshot, StepBuffers, VectorEnv, World,
    each_world,
};
use vivarium_gpu::Gpu;
use vivarium_gpu::worlds::{RandomSteps, RandomStepsResult};
use vivarium_kernels::{rng::Stream, simd};

fn apart(a: f32, b: f32) -> f32 {
    (a - b).abs() / a.abs().max(b.abs()).max(1.0)
}

fn agree(a: &[f32], b: &[f32], tolerance: f32) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| apart(a, b) <= tolerance)
}

/// Returns whether two states of the environment `W` agree within `tolerance`. Angles are compared modulo 2π.
fn states_agree<W: CompiledWorld>(a: &[f32], b: &[f32], tolerance: f32) -> bool {
    let turning =
        W::STATE.iter().filter(|dimension| dimension.unit == "rad" && W::NAME != CartPole::NAME).count();
    let turned = |a: f32, b: f32| angle_normalize(f64::from(a) - f64::from(b)).abs() as f32;
    (0..turning).all(|index| turned(a[index], b[index]) <= 4.0 * tolerance)
        && agree(&a[turning..], &b[turning..], tolerance)
}

/// Returns environments in random states with random episode lengths.
fn any_envs<W: CompiledWorld>(random: &mut Stream, num_envs: usize) -> VectorEnv<W> {
    let env =
        VectorEnv::<W>::new(simd::level(), W::Params::default(), 11, 1000, num_envs, Autoreset::SameStep)
            .unwrap();
    let mut snapshot = env.snapshot();
    snapshot.tick = u64::from(u32::MAX) - 37;
    for index in 0..num_envs {
        for (dimension, value) in W::STATE.iter().zip(&mut snapshot.states[index * W::STATE_LEN..]) {
            *value = dimension.low + (dimension.high - dimension.low) * random.uniform();
            if W::NAME == Acrobot::NAME && dimension.unit == "rad/s" {
                // Typical velocities: near their limits a step amplifies rounding errors.
                *value *= 0.25;
            }
        }
        // Some episodes are close to the step limit.
        let soon = if random.below(3) == 0 { 15 } else { W::STEP_LIMIT };
        snapshot.ages[index] = W::STEP_LIMIT - 1 - random.below(soon);
        snapshot.next_episodes[index] = random.below(1000);
    }
    VectorEnv::<W>::restore(&snapshot).unwrap()
}

fn run<W: CompiledWorld>(gpu: &Gpu, envs: &RandomSteps<W>, steps: u32) -> RandomStepsResult {
    let program = envs.program(steps).unwrap();
    gpu.submit(|encoder| encoder.run(&program)).unwrap();
    pollster::block_on(envs.read()).unwrap()
}

/// Takes random steps in equal environments on the GPU (several steps per dispatch) and on the CPU, and compares the
/// results. `steps` lists the number of steps of each dispatch. Rounding errors grow with each step; therefore one
/// environment may differ, and the numbers of ended episodes may differ by two. Dispatches of different lengths begin
/// and end in the middle of a random word, which yields several actions.
fn takes_the_steps_of_the_environment<W: CompiledWorld>(tolerance: f32, steps: [u32; 3]) {
    let (gpu, level, num_envs) = (adapter::gpu(), simd::level(), 1000);
    let mut env = any_envs::<W>(&mut Stream::new(8, 0), num_envs);
    let ours = RandomSteps::of(gpu, &env).unwrap();
    let mut step = StepBuffers::new::<W>(num_envs);
    for steps in steps {
        let after = run(gpu, &ours, steps);
        let (mut rewards, mut ends) = (0.0, [0u64; 2]);
        for _ in 0..steps {
            env.random_steps(level, 1, &mut step.out()).unwrap();
            rewards += step.reward.iter().map(|&reward| f64::from(reward)).sum::<f64>();
            for (count, flags) in ends.iter_mut().zip([&step.terminated, &step.truncated]) {
                *count += flags.iter().filter(|&&flag| flag).count() as u64;
            }
        }
        let error = (after.rewards - rewards).abs() / rewards.abs().max(1.0);
        assert!(error < 1e-3, "{} rewards, not {rewards}", after.rewards);
        for (count, expected) in [after.terminated, after.truncated].into_iter().zip(ends) {
            assert!(count.abs_diff(expected) <= 2, "{count} ends, not {expected}");
        }
        let expected: EnvSnapshot = env.snapshot();
        let is_different = |&index: &usize| {
            let (seen, state) = (W::OBSERVATION_LEN, W::STATE_LEN);
            let (row, states) = (index * seen..(index + 1) * seen, index * state..(index + 1) * state);
            let flags = u32::from(step.terminated[index]) + 2 * u32::from(step.truncated[index]);
            !(after.ages[index] == expected.ages[index]
                && after.next_episodes[index] == expected.next_episodes[index]
                && after.flags[index] == flags
                && states_agree::<W>(&after.states[states.clone()], &expected.states[states], tolerance)
                && agree(&after.observation[row.clone()], &step.observation[row], 4.0 * tolerance)
                && apart(after.reward[index], step.reward[index]) <= 10.0 * tolerance)
        };
        let different: Vec<usize> = (0..num_envs).filter(is_different).collect();
        assert!(different.len() <= 1, "environments {different:?} of {} are different", W::NAME);
    }
}

#[test]
fn every_environment_takes_the_steps_of_the_cpu() {
    fn check<W: CompiledWorld>() {
        let many = [63, 1, 40];
        let (tolerance, steps) = match W::NAME {
            "cartpole" => (1e-3, many),
            "mountain-car" => (1e-4, many),
            "pendulum" => (1e-2, many),
            // Tiles are integers, and both engines draw the same random numbers: there are no rounding errors.
            "frozen-lake" | "frozen-lake-8x8" => (0.0, many),
            // Other environments, such as Acrobot, are chaotic: rounding errors grow within few steps.
            _ => (1e-2, [7, 1, 5]),
        };
        takes_the_steps_of_the_environment::<W>(tolerance, steps);
    }
    each_world!(check());
}

#[test]
fn a_run_is_the_same_however_its_envs_and_steps_are_divided() {
    let gpu = adapter::gpu();
    let run = |first_env, num_envs, pieces: &[u32]| {
        let env = VectorEnv::<CartPole>::new(
            simd::level(),
            CartPoleParams::default(),
            5,
            first_env,
            num_envs,
            Autoreset::SameStep,
        );
        let envs = RandomSteps::of(gpu, &env.unwrap()).unwrap();
        pieces.iter().fold(None, |_, &steps| Some(run(gpu, &envs, steps))).unwrap()
    };
    let whole = run(0, 700, &[200]);
    let parts = [run(0, 256, &[200]), run(256, 444, &[7, 100, 93])];
    assert_eq!(whole.states, parts.iter().flat_map(|part| part.states.clone()).collect::<Vec<_>>());
    assert_eq!(whole.ages, parts.iter().flat_map(|part| part.ages.clone()).collect::<Vec<_>>());
}

#[test]
fn running_creates_no_device_objects() {
    let gpu = adapter::open();
    let env =
        VectorEnv::<CartPole>::new(simd::level(), CartPoleParams::default(), 2, 0, 500, Autoreset::SameStep)
            .unwrap();
    let program = RandomSteps::of(&gpu, &env).unwrap().program(64).unwrap();
    assert_eq!(program.cost().dispatches, 2);
    let memory = gpu.memory();
    for _ in 0..50 {
        gpu.submit(|encoder| encoder.repeat(&program, 2)).unwrap();
    }
    gpu.wait().unwrap();
    assert_eq!(gpu.memory(), memory);
}
