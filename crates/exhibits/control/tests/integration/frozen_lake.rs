//! Tests that PPO and DQN with their default configs reach 98 % of the optimal return on a frozen lake. Value iteration
//! computes the optimal return exactly.

use serde_json::{Value, json};
use vivarium_agents::Learner;
use vivarium_agents::dqn::{ControlProblem, Dqn, DqnConfig};
use vivarium_agents::ppo::{ActionSelection, Ppo, PpoConfig};
use vivarium_config::Config;
use vivarium_envs::{CompiledWorld, Environment, FrozenLake, FrozenLake8x8, LakeModel, World};
use vivarium_exhibit_control::FAMILY;
use vivarium_graph::Cpu;

/// Returns the default config of the experiment with environment `W`.
fn default_config<W: CompiledWorld>() -> Value {
    FAMILY.configure(W::NAME, &json!({})).unwrap()
}

/// Returns the observations of all tiles of the lake, `[tile][OBSERVATION_LEN]`. The observation of a tile is its
/// one-hot vector.
fn tiles<W: CompiledWorld>() -> Vec<f32> {
    let count = W::OBSERVATION_LEN;
    (0..count * count).map(|index| if index / count == index % count { 1.0 } else { 0.0 }).collect()
}

/// Fraction of the optimal return that the greedy policy must reach.
const ENOUGH: f64 = 0.98;

/// Trains until the return of the greedy policy is at least [`ENOUGH`] of the optimal return. Returns the number of
/// environment steps. `iterate` receives the observations of all tiles, performs a training iteration, and
/// returns the number of steps so far and the greedy action of each tile.
///
/// # Panics
/// Panics if the return is smaller after `budget` environment steps.
fn solves<W: CompiledWorld>(
    model: &LakeModel,
    discount: f32,
    budget: u64,
    mut iterate: impl FnMut(&[f32]) -> (u64, Vec<usize>),
) -> u64 {
    let optimum = model.policy_return(&model.optimum(discount.into()).actions, W::STEP_LIMIT);
    let tiles = tiles::<W>();
    let mut best = 0f64;
    loop {
        let (steps, actions) = iterate(&tiles);
        best = best.max(model.policy_return(&actions, W::STEP_LIMIT));
        if best >= ENOUGH * optimum {
            println!("{}: {best} of {optimum} after {steps} steps", W::NAME);
            return steps;
        }
        assert!(steps < budget, "{}: {best} of {optimum} after {steps} steps", W::NAME);
    }
}

fn ppo_reaches<W: CompiledWorld>(model: &LakeModel, params: W::Params, seed: u64, budget: u64) {
    let cpu = Cpu::new(2);
    let config = PpoConfig::from_json(&default_config::<W>()).unwrap();
    let mut ppo = Ppo::new(config.clone(), Environment::with_params::<W>(&params), seed).unwrap();
    solves::<W>(model, config.discount, budget, |tiles| {
        let steps = ppo.iterate(&cpu).unwrap().counters.steps;
        (steps, ppo.act(tiles, ActionSelection::Greedy).into_iter().map(|action| action as usize).collect())
    });
}

fn dqn_solves<W: CompiledWorld>(model: &LakeModel, params: W::Params, seed: u64, budget: u64) {
    let cpu = Cpu::new(2);
    let config = DqnConfig::from_json(&default_config::<W>()).unwrap();
    let mut dqn =
        Dqn::<ControlProblem>::new(config.clone(), Environment::with_params::<W>(&params), seed).unwrap();
    solves::<W>(model, config.discount, budget, |tiles| {
        let steps = dqn.iterate(&cpu).unwrap().counters.steps;
        let mut actions = vec![0; tiles.len() / W::OBSERVATION_LEN];
        dqn.greedy(&cpu, tiles, &mut actions);
        (steps, actions.into_iter().map(usize::from).collect())
    });
}

fn small() -> LakeModel {
    let params = <FrozenLake as World>::Params::default();
    LakeModel::new(&params.map, params.success_rate)
}

fn large() -> LakeModel {
    let params = <FrozenLake8x8 as World>::Params::default();
    LakeModel::new(&params.map, params.success_rate)
}

#[test]
fn ppo_solves_the_small_lake() {
    (1..3).for_each(|seed| ppo_reaches::<FrozenLake>(&small(), Default::default(), seed, 1_000_000));
}

#[test]
fn dqn_solves_the_small_lake() {
    (1..3).for_each(|seed| dqn_solves::<FrozenLake>(&small(), Default::default(), seed, 400_000));
}

#[test]
fn ppo_solves_the_large_lake() {
    (0..2).for_each(|seed| ppo_reaches::<FrozenLake8x8>(&large(), Default::default(), seed, 2_000_000));
}

// One seed, because a run takes several seconds.
#[test]
fn dqn_solves_the_large_lake() {
    dqn_solves::<FrozenLake8x8>(&large(), Default::default(), 1, 1_000_000);
}
