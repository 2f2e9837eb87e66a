//! Tests that random numbers and environment steps on the GPU agree with the CPU.

use vivarium_envs::{Acrobot, CartPole, CompiledWorld, MountainCar, Pendulum};
use vivarium_gpu::worlds::{RANDOM_TOLERANCE, STEP_TOLERANCE, random_error, world_error};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn random_numbers_are_the_cpus() {
    let error = random_error(&crate::gpu().await).await.expect("the device works");
    assert!(error <= RANDOM_TOLERANCE, "normal numbers are {error:e} apart");
}

async fn check<W: CompiledWorld>() {
    let error = world_error::<W>(&crate::gpu().await).await.expect("the device works");
    assert!(error <= STEP_TOLERANCE, "{}: a step is {error:e} apart", W::NAME);
}

#[wasm_bindgen_test]
async fn cartpole_moves_as_on_the_cpu() {
    check::<CartPole>().await;
}

#[wasm_bindgen_test]
async fn the_mountain_car_moves_as_on_the_cpu() {
    check::<MountainCar>().await;
}

#[wasm_bindgen_test]
async fn the_pendulum_moves_as_on_the_cpu() {
    check::<Pendulum>().await;
}

#[wasm_bindgen_test]
async fn the_acrobot_moves_as_on_the_cpu() {
    check::<Acrobot>().await;
}
