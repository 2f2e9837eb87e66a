//! 50 updates of PPO on the device, beside the CPU's.

use vivarium_agents::ppo::{GpuTrainer, Ppo, PpoConfig, State};
use vivarium_envs::{CartPole, MountainCar, Pendulum, World};
use vivarium_gpu::worlds::GpuWorld;
use vivarium_graph::Cpu;
use wasm_bindgen_test::wasm_bindgen_test;

/// How far numbers may differ after 50 updates, relative to 1 and their size. A single draw that comes out differently
/// makes a hundred times that.
const TOLERANCE: f32 = 1e-4;

fn config() -> PpoConfig {
    PpoConfig {
        num_envs: 72,
        horizon: 8,
        minibatch: 120,
        epochs: 2,
        hidden: vec![16, 16],
        learning_rate: 1e-3,
        anneal_steps: 0,
        stagger: true,
        ..PpoConfig::default()
    }
}

#[track_caller]
fn same(what: &str, found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs() / expected.abs().max(1.0);
        assert!(error < TOLERANCE, "{what} {index}: {found}, not {expected}");
    }
}

fn same_state(found: &State, expected: &State) {
    same("weight", &found.weights, &expected.weights);
    same("first moment", &found.first_moment, &expected.first_moment);
    same("second moment", &found.second_moment, &expected.second_moment);
    same("state", &found.lanes.states, &expected.lanes.states);
    same("return", &found.running.returns, &expected.running.returns);
    assert_eq!(found.counters, expected.counters);
    assert_eq!(found.lanes.ages, expected.lanes.ages);
    assert_eq!(found.lanes.next_episodes, expected.lanes.next_episodes);
}

async fn agrees<W: GpuWorld>() {
    let cpu = Cpu::new(1);
    let mut ppo = Ppo::<W>::new(config(), <W as World>::Params::default(), 5).expect("a sound config");
    let mut resident = GpuTrainer::new(&crate::gpu().await, &ppo).expect("the learner fits");
    for _ in 0..5 {
        let expected = ppo.iterate(&cpu).expect("the learner works");
        let report = resident.next().await.unwrap_or_else(|error| panic!("{error}"));
        let numbers = |report: &vivarium_agents::ppo::Report| {
            [report.policy_loss, report.value_loss, report.entropy, report.gradient_norm].map(|x| x as f32)
        };
        same("measurement", &numbers(&report), &numbers(&expected));
        same_state(resident.state(), ppo.state());
    }
    assert_eq!(ppo.counters().updates, 50);
}

#[wasm_bindgen_test]
async fn cartpole_is_learnt_as_on_the_cpu() {
    agrees::<CartPole>().await;
}

#[wasm_bindgen_test]
async fn the_mountain_car_is_learnt_as_on_the_cpu() {
    agrees::<MountainCar>().await;
}

#[wasm_bindgen_test]
async fn the_pendulum_is_learnt_as_on_the_cpu() {
    agrees::<Pendulum>().await;
}
