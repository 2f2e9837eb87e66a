//! Learners whose networks run on the GPU and whose environments run on the CPU (DQN, AlphaZero, 3×3×3 cube), compared
//! with the CPU engine. Results agree within 1e-4 of the larger of 1 and their magnitude.

use crate::pause;
use crate::tensors::{assert_close, numbers};
use vivarium_agents::alphazero::{self, AlphaZero, AlphaZeroConfig};
use vivarium_agents::cube3::{
    self, BeamSearch, BeamSearchSettings, Cube3Config, Cube3Learner, GpuBeamSearch, SearchStatus,
};
use vivarium_agents::dqn::{
    self, ControlProblem, CubeFeatures, CubeParams, CubeProblem, Dqn, DqnConfig, DqnProblem,
};
use vivarium_agents::{Advance, Learner};
use vivarium_envs::connect_four::ConnectFour;
use vivarium_envs::cube::{Cube3, TurnMetric};
use vivarium_envs::{CartPole, Environment};
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use wasm_bindgen_test::wasm_bindgen_test;

async fn q_learning_agrees<P: DqnProblem>(config: DqnConfig, params: P::Params) {
    let (cpu, gpu) = (Cpu::new(1), crate::gpu().await);
    let learner = || Dqn::<P>::new(config.clone(), params.clone(), 5).expect("a sound config");
    let (mut there, mut here) = (learner(), learner());
    let mut trainer = dqn::gpu_trainer::DqnGpuTrainer::new(&gpu, &there).expect("the learner fits");
    let mut kinds = Vec::new();
    for _ in 0..3 {
        let expected = here.iterate(&cpu).expect("the learner works");
        let found = loop {
            match trainer.advance(&cpu, &mut there).unwrap_or_else(|error| panic!("{error}")) {
                Advance::Waiting => pause().await,
                Advance::Unfinished(work) => kinds.push(work),
                Advance::Finished(report) => break report,
            }
        };
        assert_eq!(found.counters, expected.counters);
        assert_close(&numbers(there.save()), &numbers(here.save()));
    }
    assert_eq!(kinds.contains(&dqn::DqnWork::Pretrain), config.demonstrations > 0);
    assert!(kinds.contains(&dqn::DqnWork::Learn));
}

/// Returns a DQN config with a small network and a target network, for fast tests.
fn q_learning() -> DqnConfig {
    DqnConfig {
        hidden: vec![16, 16],
        num_envs: 10,
        replay_capacity: 500,
        warm_up: 100,
        minibatch: 50,
        target_every: 7,
        iteration: 10,
        demonstrations: 0,
        ..DqnConfig::default()
    }
}

#[wasm_bindgen_test]
async fn a_pole_is_learned_by_deep_q_learning_as_on_the_cpu() {
    q_learning_agrees::<ControlProblem>(q_learning(), Environment::of::<CartPole>()).await;
}

#[wasm_bindgen_test]
async fn a_small_cube_is_learned_from_demonstrations_and_by_trying_as_on_the_cpu() {
    let params = CubeParams::default();
    assert_eq!(params.features, CubeFeatures::Pairs, "a table whose entries are picked");
    q_learning_agrees::<CubeProblem>(DqnConfig { demonstrations: 500, ..q_learning() }, params).await;
}

#[wasm_bindgen_test]
async fn connect_four_is_learned_as_on_the_cpu() {
    let (cpu, gpu) = (Cpu::new(1), crate::gpu().await);
    let config = AlphaZeroConfig {
        width: 16,
        blocks: 1,
        workers: 2,
        games: 16,
        simulations: 3,
        search_share: 0.3,
        replay_capacity: 512,
        minibatch: 64,
        generation: 256,
        match_every: 2,
        match_pairs: 1,
        ..AlphaZeroConfig::default()
    };
    let learner = || AlphaZero::<ConnectFour>::new(config.clone(), 5).expect("a sound config");
    let (mut there, mut here) = (learner(), learner());
    let mut trainer =
        alphazero::gpu_trainer::AlphaZeroGpuTrainer::new(&gpu, &there).expect("the learner fits");
    for _ in 0..2 {
        let expected = here.iterate(&cpu).expect("the learner works");
        let found = loop {
            match trainer.advance(&cpu, &mut there).unwrap_or_else(|error| panic!("{error}")) {
                Advance::Waiting => pause().await,
                Advance::Unfinished(_) => {}
                Advance::Finished(report) => break report,
            }
        };
        assert_eq!(found.counters, expected.counters);
        assert_eq!(found.score, expected.score);
        assert_close(&numbers(there.save()), &numbers(here.save()));
    }
    assert!(here.counters().updates > 0);
}

#[wasm_bindgen_test]
async fn a_large_cube_is_learned_from_scrambles_as_on_the_cpu() {
    let (cpu, gpu) = (Cpu::new(1), crate::gpu().await);
    let config =
        Cube3Config { width: 24, blocks: 1, depth: 6, scrambles: 5, iteration: 4, ..Cube3Config::default() };
    let learner = || Cube3Learner::new(config.clone(), 7).expect("a sound config");
    let (mut there, mut here) = (learner(), learner());
    let mut trainer = cube3::gpu_trainer::Cube3GpuTrainer::new(&gpu, &there).expect("the learner fits");
    for _ in 0..3 {
        let expected = here.iterate(&cpu).expect("the learner works");
        let found = loop {
            match trainer.advance(&cpu, &mut there).unwrap_or_else(|error| panic!("{error}")) {
                Advance::Waiting => pause().await,
                Advance::Unfinished(()) => {}
                Advance::Finished(report) => break report,
            }
        };
        assert_eq!(found.counters, expected.counters);
        assert_close(&[found.loss, found.gradient_norm], &[expected.loss, expected.gradient_norm]);
        assert_close(&numbers(there.save()), &numbers(here.save()));
    }
}

#[wasm_bindgen_test]
async fn beam_searches_of_a_large_cube_equal_those_on_the_cpu() {
    let (cpu, gpu) = (Cpu::new(1), crate::gpu().await);
    let config = Cube3Config { width: 24, blocks: 1, ..Cube3Config::default() };
    let network =
        Cube3Learner::new(config, 7).and_then(|learner| learner.averaged_network()).expect("a sound config");
    let settings = BeamSearchSettings { metric: TurnMetric::Quarter, width: 40, max_moves: 6 };
    let search = |number| BeamSearch::new(settings, Cube3::random(&mut Stream::new(3, number)));
    let (mut there, mut here) = ([search(0), search(1)], [search(0), search(1)]);
    let mut device = GpuBeamSearch::new(&gpu, &network, settings.metric, 80).expect("the network fits");
    while there.iter().any(|search| search.status() == SearchStatus::Searching) {
        if !device.advance(&cpu, &mut there).unwrap_or_else(|error| panic!("{error}")) {
            pause().await;
        }
    }
    for (there, here) in there.iter().zip(&mut here) {
        here.run(&cpu, &network);
        assert_eq!((there.moves(), there.evaluated()), (here.moves(), here.evaluated()));
        let likelihoods = |search: &BeamSearch| {
            search.beam().map(|(_, likelihood)| likelihood.into()).collect::<Vec<f64>>()
        };
        assert_close(&likelihoods(there), &likelihoods(here));
    }
}
