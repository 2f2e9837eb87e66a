//! Tests that PPO training on the GPU agrees with the CPU over 50 gradient steps.

use crate::ppo::{config_of, same_report, same_state};
use vivarium_agents::Learner;
use vivarium_agents::ppo::{Ppo, PpoGpuTrainer};
use vivarium_envs::{CompiledWorld, Environment, for_each_world};
use vivarium_graph::Cpu;
use wasm_bindgen_test::wasm_bindgen_test;

async fn agrees<W: CompiledWorld>() {
    let cpu = Cpu::new(1);
    let mut ppo = Ppo::new(config_of::<W>(), Environment::of::<W>(), 5).expect("a sound config");
    let mut resident = PpoGpuTrainer::new(&crate::gpu().await, &ppo).expect("the learner fits");
    for _ in 0..5 {
        let expected = ppo.iterate(&cpu).expect("the learner works");
        let report = resident.next().await.unwrap_or_else(|error| panic!("{error}"));
        same_report(W::NAME, &report, &expected);
        same_state(W::NAME, resident.state(), ppo.state());
    }
    assert_eq!(ppo.counters().updates, 50);
}

macro_rules! check_all {
    ({} $($file:ident: $($world:ident),+;)+) => {
        $($(agrees::<vivarium_envs::$world>().await;)+)+
    };
}

#[wasm_bindgen_test]
async fn every_environment_is_learned_as_on_the_cpu() {
    for_each_world!([check_all]);
}
