//! Tests that PPO training on the GPU agrees with the CPU over 50 gradient steps.

use crate::ppo::{config, same_report, same_state};
use vivarium_agents::Learner;
use vivarium_agents::ppo::{Ppo, PpoGpuTrainer};
use vivarium_envs::{CartPole, CompiledWorld, Environment, MountainCar, Pendulum};
use vivarium_graph::Cpu;
use wasm_bindgen_test::wasm_bindgen_test;

async fn agrees<W: CompiledWorld>() {
    let cpu = Cpu::new(1);
    let mut ppo = Ppo::new(config(), Environment::of::<W>(), 5).expect("a sound config");
    let mut resident = PpoGpuTrainer::new(&crate::gpu().await, &ppo).expect("the learner fits");
    for _ in 0..5 {
        let expected = ppo.iterate(&cpu).expect("the learner works");
        let report = resident.next().await.unwrap_or_else(|error| panic!("{error}"));
        same_report(W::NAME, &report, &expected);
        same_state(W::NAME, resident.state(), ppo.state());
    }
    assert_eq!(ppo.counters().updates, 50);
}

#[wasm_bindgen_test]
async fn cartpole_is_learned_as_on_the_cpu() {
    agrees::<CartPole>().await;
}

#[wasm_bindgen_test]
async fn the_mountain_car_is_learned_as_on_the_cpu() {
    agrees::<MountainCar>().await;
}

#[wasm_bindgen_test]
async fn the_pendulum_is_learned_as_on_the_cpu() {
    agrees::<Pendulum>().await;
}
