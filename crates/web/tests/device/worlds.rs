//! Tests that random numbers and environment steps on the GPU agree with the CPU.

use vivarium_envs::{CompiledWorld, for_each_world};
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

macro_rules! check_all {
    ({} $($file:ident: $($world:ident),+;)+) => {
        $($(check::<vivarium_envs::$world>().await;)+)+
    };
}

#[wasm_bindgen_test]
async fn every_environment_moves_as_on_the_cpu() {
    for_each_world!([check_all]);
}
