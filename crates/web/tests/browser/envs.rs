//! Tests that the states of environments agree with their equations of motion in double precision.

use crate::numbers;
use vivarium_envs::testing::dynamics;
use vivarium_envs::{Acrobot, Autoreset, CartPole, CompiledWorld, Pendulum, StepBuffers, VectorEnv};
use vivarium_kernels::simd::level;
use wasm_bindgen_test::wasm_bindgen_test;

const LANES: usize = 67;

fn env<W: CompiledWorld>() -> VectorEnv<W> {
    VectorEnv::new(level(), W::Params::default(), 1, 0, LANES, Autoreset::NextStep)
        .expect("defaults are in range")
}

fn set_all<W: CompiledWorld>(env: &mut VectorEnv<W>, states: &[f32]) {
    for (lane, state) in states.chunks(states.len() / LANES).enumerate() {
        env.set_state(lane, state).expect("as many states as lanes");
    }
}

#[wasm_bindgen_test]
fn cartpole_agrees_with_double_precision() {
    let mut env = env::<CartPole>();
    let states: Vec<f32> =
        numbers(1, 4 * LANES).chunks(4).flat_map(|s| [2.3 * s[0], s[1], 0.2 * s[2], s[3]]).collect();
    let actions: Vec<f32> = (0..LANES).map(|lane| (lane % 2) as f32).collect();
    set_all(&mut env, &states);
    let mut out = StepBuffers::new::<CartPole>(LANES);
    env.step(level(), &actions, &mut out.out()).expect("actions are allowed");
    for lane in 0..LANES {
        let before = std::array::from_fn(|i| f64::from(states[4 * lane + i]));
        let step = dynamics::cartpole(&Default::default(), before, actions[lane] as u32, 0.0);
        for (i, expected) in step.state.into_iter().enumerate() {
            let got = f64::from(out.observation[4 * lane + i]);
            assert!((got - expected).abs() < 2e-6, "lane {lane}, dimension {i}: {got}, not {expected}");
        }
        assert_eq!(
            (f64::from(out.reward[lane]), out.terminated[lane]),
            (step.reward, step.terminated),
            "lane {lane}"
        );
    }
}

#[wasm_bindgen_test]
fn pendulum_agrees_with_double_precision() {
    let mut env = env::<Pendulum>();
    let states: Vec<f32> = numbers(2, 2 * LANES).chunks(2).flat_map(|s| [3.1 * s[0], 7.9 * s[1]]).collect();
    let torques: Vec<f32> = numbers(3, LANES).iter().map(|u| 2.0 * u).collect();
    set_all(&mut env, &states);
    let mut out = StepBuffers::new::<Pendulum>(LANES);
    env.step(level(), &torques, &mut out.out()).expect("torques are allowed");
    for lane in 0..LANES {
        let before = [states[2 * lane], states[2 * lane + 1]].map(f64::from);
        let step = dynamics::pendulum(&Default::default(), before, torques[lane].into(), 0.0);
        let expected = dynamics::pendulum_observation(step.state);
        for (i, expected) in expected.into_iter().enumerate() {
            let got = f64::from(out.observation[3 * lane + i]);
            assert!((got - expected).abs() < 1e-5, "lane {lane}, dimension {i}: {got}, not {expected}");
        }
        assert!(
            (f64::from(out.reward[lane]) - step.reward).abs() < 1e-4,
            "lane {lane}: {} for {}",
            out.reward[lane],
            step.reward
        );
    }
}

#[wasm_bindgen_test]
fn acrobot_agrees_with_double_precision() {
    let mut env = env::<Acrobot>();
    let states: Vec<f32> = numbers(4, 4 * LANES)
        .chunks(4)
        .flat_map(|s| [3.1 * s[0], 3.1 * s[1], 5.0 * s[2], 8.0 * s[3]])
        .collect();
    let actions: Vec<f32> = (0..LANES).map(|lane| (lane % 3) as f32).collect();
    set_all(&mut env, &states);
    let mut out = StepBuffers::new::<Acrobot>(LANES);
    env.step(level(), &actions, &mut out.out()).expect("actions are allowed");
    for lane in 0..LANES {
        let before = std::array::from_fn(|i| f64::from(states[4 * lane + i]));
        let step = dynamics::acrobot(&Default::default(), before, actions[lane] as u32, 0.0);
        for (i, expected) in dynamics::acrobot_observation(step.state).into_iter().enumerate() {
            let got = f64::from(out.observation[6 * lane + i]);
            let error = (got - expected).abs() / expected.abs().max(1.0);
            assert!(error < 1e-5, "lane {lane}, dimension {i}: {got}, not {expected}");
        }
        assert_eq!(
            (f64::from(out.reward[lane]), out.terminated[lane]),
            (step.reward, step.terminated),
            "lane {lane}"
        );
    }
}
