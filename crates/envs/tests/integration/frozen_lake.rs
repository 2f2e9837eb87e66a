//! Tests of FrozenLake against Gymnasium 1.3.0, and of its exact solution. `../fixtures/generate.py` has recorded
//! transition tables and episodes in `../fixtures/frozen_lake.json`.

use serde_json::Value;
use vivarium_config::{Config, FieldValue};
use vivarium_envs::{
    Autoreset, CompiledWorld, FrozenLake, FrozenLake8x8, FrozenLake8x8Params, FrozenLakeParams, LakeMap,
    LakeModel, StepBuffers, Tuple, VectorEnv, World,
};
use vivarium_kernels::simd::{Level, Simd, SimdBase, SimdMask, dispatch, level, levels};

/// Returns the recordings of Gymnasium with different options: triples of environment parameters, success rate, and the
/// recording as JSON. `params` returns the parameters for a success rate.
fn fixture<W: CompiledWorld>(params: fn(f32) -> W::Params) -> Vec<(W::Params, f32, Value)> {
    let all: Value = serde_json::from_str(include_str!("../fixtures/frozen_lake.json")).expect("valid JSON");
    let records = all[W::NAME].as_array().expect("a list").clone();
    let of = |record: Value| {
        let options = &record["options"];
        let rate = options["success_rate"].as_f64().unwrap_or(1.0 / 3.0);
        let rate = if options["is_slippery"] == false { 1.0 } else { rate as f32 };
        (params(rate), rate, record)
    };
    records.into_iter().map(of).collect()
}

fn small(success_rate: f32) -> FrozenLakeParams {
    FrozenLakeParams { success_rate, ..Default::default() }
}

fn large(success_rate: f32) -> FrozenLake8x8Params {
    FrozenLake8x8Params { success_rate, ..Default::default() }
}

/// Takes one step from the tile with index `tile`; `random` in [0, 1) selects the direction of the move. Returns the
/// next tile, the reward, and whether the episode terminates.
fn step<W: CompiledWorld>(
    level: Level,
    params: &W::Params,
    tile: usize,
    action: usize,
    random: f32,
) -> (usize, f32, bool) {
    #[inline(always)]
    fn inside<W: CompiledWorld, S: Simd>(
        s: S,
        params: &W::Params,
        [column, row]: [f32; 2],
        action: f32,
        random: f32,
    ) -> (Vec<f32>, f32, bool) {
        let splat = |value| S::f32s::splat(s, value);
        let mut state = W::State::<S::f32s>::splat(splat(column));
        state.as_mut()[1] = splat(row);
        let next = W::step(s, &W::constants(params), state, splat(action), None, splat(random));
        let seen = W::observe(s, next.state);
        let observation = seen.as_ref().iter().map(|values| values[0]).collect();
        (observation, next.reward[0], next.terminated.all_true())
    }
    let side = W::OBSERVATION_LEN.isqrt();
    let place = [(tile % side) as f32, (tile / side) as f32];
    let (observation, reward, terminated) =
        dispatch!(level, s => inside::<W, _>(s, params, place, action as f32, random));
    let hot: Vec<usize> = (0..observation.len()).filter(|&index| observation[index] != 0.0).collect();
    assert!(hot.len() == 1 && observation[hot[0]] == 1.0, "one-hot: {observation:?}");
    (hot[0], reward, terminated)
}

/// Merges results of an action (probability, tile, reward, terminated) that differ only in the probability, and adds
/// the probabilities. Removes results with probability 0, and sorts the others by tile.
fn merged(moves: impl Iterator<Item = (f64, usize, f64, bool)>) -> Vec<(f64, usize, f64, bool)> {
    let mut all: Vec<(f64, usize, f64, bool)> = Vec::new();
    for (probability, tile, reward, over) in moves.filter(|found| found.0 > 0.0) {
        match all.iter_mut().find(|found| (found.1, found.2, found.3) == (tile, reward, over)) {
            Some(found) => found.0 += probability,
            None => all.push((probability, tile, reward, over)),
        }
    }
    all.sort_by_key(|found| found.1);
    all
}

fn the_table_is_gymnasiums<W: CompiledWorld>(
    params: fn(f32) -> W::Params,
    model: fn(&W::Params, f32) -> LakeModel,
) {
    for (params, rate, record) in fixture::<W>(params) {
        let model = model(&params, rate);
        for (tile, actions) in record["table"].as_array().unwrap().iter().enumerate() {
            for (action, moves) in actions.as_array().unwrap().iter().enumerate() {
                let number = |found: &Value, index: usize| found[index].as_f64().unwrap();
                let expected = merged(moves.as_array().unwrap().iter().map(|found| {
                    (number(found, 0), number(found, 1) as usize, number(found, 2), found[3] == true)
                }));
                let got = merged(model.moves(tile, action).iter().copied());
                assert_eq!(got.len(), expected.len(), "tile {tile}, action {action}");
                for (got, expected) in got.iter().zip(&expected) {
                    assert_eq!((got.1, got.2, got.3), (expected.1, expected.2, expected.3));
                    assert!((got.0 - expected.0).abs() < 1e-7, "{got:?} {expected:?}");
                }
                // The step samples the moves with these probabilities: its result changes where `random` passes a
                // cumulative probability.
                let mut sums = vec![];
                let mut sum = 0.0;
                for (probability, next, reward, over) in model.moves(tile, action) {
                    if *probability > 1e-6 {
                        sums.push((sum + 1e-6, *next, *reward, *over));
                        sums.push((sum + probability - 2e-6, *next, *reward, *over));
                    }
                    sum += probability;
                }
                for level in levels() {
                    for &(random, next, reward, over) in &sums {
                        let got = step::<W>(level, &params, tile, action, random as f32);
                        assert_eq!(
                            got,
                            (next, reward as f32, over),
                            "tile {tile}, action {action}, {random}"
                        );
                    }
                }
            }
        }
    }
}

fn episodes_are_gymnasiums<W: CompiledWorld>(params: fn(f32) -> W::Params) {
    let (mut goals, mut holes, mut truncations) = (0, 0, 0);
    for (params, _, record) in fixture::<W>(params) {
        for episode in record["episodes"].as_array().unwrap() {
            let env = VectorEnv::<W>::new(level(), params, 0, 0, 1, Autoreset::SameStep).unwrap();
            let mut first = vec![0.0; W::OBSERVATION_LEN];
            env.observations(level(), &mut first).unwrap();
            let mut tile = first.iter().position(|&value| value == 1.0).unwrap();
            let steps = episode.as_array().unwrap();
            for (age, recorded) in steps.iter().enumerate() {
                let number = |index: usize| recorded[index].as_f64().unwrap();
                let expected = (number(2) as usize, number(3) as f32, recorded[4] == true);
                let results: Vec<_> = levels()
                    .into_iter()
                    .map(|level| step::<W>(level, &params, tile, number(1) as usize, number(0) as f32))
                    .collect();
                assert!(results.iter().all(|&got| got == expected), "{results:?}, not {expected:?}");
                assert_eq!(recorded[5] == true, age + 1 == W::STEP_LIMIT as usize, "the time limit");
                tile = expected.0;
                goals += usize::from(expected.1 == 1.0);
                holes += usize::from(expected.2 && expected.1 == 0.0);
                truncations += usize::from(recorded[5] == true);
            }
        }
    }
    assert!(goals > 0 && holes > 0, "{goals} goals, {holes} holes, {truncations} truncations");
}

#[test]
fn the_transition_tables_are_gymnasiums() {
    the_table_is_gymnasiums::<FrozenLake>(small, |params, rate| LakeModel::new(&params.map, rate));
    the_table_is_gymnasiums::<FrozenLake8x8>(large, |params, rate| LakeModel::new(&params.map, rate));
}

#[test]
fn small_lakes_run_as_gymnasiums() {
    episodes_are_gymnasiums::<FrozenLake>(small);
}

#[test]
fn large_lakes_run_as_gymnasiums() {
    episodes_are_gymnasiums::<FrozenLake8x8>(large);
}

#[test]
fn a_third_of_the_moves_goes_each_way() {
    // From the start, the action "right" moves down or right, or stays in place at the upper edge.
    let num_envs = 9_000;
    let mut env =
        VectorEnv::<FrozenLake>::new(level(), small(1.0 / 3.0), 4, 0, num_envs, Autoreset::SameStep).unwrap();
    let mut out = StepBuffers::new::<FrozenLake>(num_envs);
    let mut last = vec![0; num_envs];
    for round in 0..2 {
        (0..num_envs).for_each(|index| env.set_state(index, &[0.0, 0.0]).unwrap());
        env.step(level(), &vec![2.0; num_envs], &mut out.out()).unwrap();
        let (mut counts, mut again) = ([0; 16], 0);
        for (row, last) in out.observation.chunks_exact(16).zip(&mut last) {
            let tile = row.iter().position(|&value| value == 1.0).unwrap();
            counts[tile] += 1;
            again += usize::from(tile == *last);
            *last = tile;
        }
        // Five standard deviations of a binomial count.
        assert!([0, 1, 4].iter().all(|&tile| (2_780..3_220).contains(&counts[tile])), "{counts:?}");
        assert!(round == 0 || (2_780..3_220).contains(&again), "the steps are independent: {again}");
    }
}

#[test]
fn the_optimum_is_that_of_gymnasiums_table() {
    // Computed by value iteration on the table P of Gymnasium 1.3.0, in NumPy.
    for (model, discount, value, within) in [
        (LakeModel::new(&small(0.0).map, 1.0 / 3.0), 0.99, 0.542_025_932, (100, 0.740_164_898)),
        (LakeModel::new(&large(0.0).map, 1.0 / 3.0), 0.995, 0.605_106_56, (200, 0.893_568_386)),
        (LakeModel::new(&small(0.0).map, 1.0), 0.9, 0.590_49, (100, 1.0)),
    ] {
        let optimum = model.optimum(discount);
        assert!((optimum.values[0] - value).abs() < 1e-5, "{}", optimum.values[0]);
        let (steps, expected) = within;
        let got = model.policy_return(&optimum.actions, steps);
        assert!((got - expected).abs() < 1e-5, "{got}, not {expected}");
    }
    // The thresholds are 98 % of the optimal returns.
    assert!((FrozenLake::SOLVED / 0.740_165 - 0.98).abs() < 1e-3);
    assert!((FrozenLake8x8::SOLVED / 0.893_568 - 0.98).abs() < 1e-3);
}

#[test]
fn a_map_is_read_and_written_and_a_malformed_one_is_refused() {
    let text = "HFFG/FSFH/GFFF/FHHF";
    let map = LakeMap::<4>::parse(text).unwrap();
    assert_eq!(map.to_value(), text);
    assert_eq!((map.start(), map.holes(), map.goals()), (5, 0x6081, 0x108));
    for wrong in [
        "",
        "SFFF",
        "SFFF/FFFF/FFFF/FFF",
        "FFFF/FFFF/FFFF/FFFG",
        "SSFF/FFFF/FFFF/FFFG",
        "SFFF/FFFF/FXFF/FFFG",
    ] {
        assert_eq!(LakeMap::<4>::parse(wrong), None, "{wrong}");
        let json = serde_json::json!({"world": {"map": wrong}});
        let error = FrozenLakeParams::from_json(&json).unwrap_err().to_string();
        assert!(error.contains("world.map") && error.contains("slashes"), "{error}");
    }
}

#[test]
fn the_start_is_that_of_the_map_and_nothing_moves_on_a_new_hole() {
    let map = LakeMap::parse("FFFF/FFFF/FFSF/FFFG").unwrap();
    let mut env = VectorEnv::<FrozenLake>::new(
        level(),
        FrozenLakeParams { map, success_rate: 1.0 },
        0,
        0,
        70,
        Autoreset::SameStep,
    )
    .unwrap();
    let mut states = vec![0.0; 140];
    env.states(&mut states).unwrap();
    assert!(states.chunks(2).all(|state| state == [2.0, 2.0]));
    // The new map has a hole under all agents, and another start tile.
    let map = LakeMap::parse("FSFF/FFFF/FFHF/FFFG").unwrap();
    env.set_params(FrozenLakeParams { map, success_rate: 1.0 }).unwrap();
    let mut out = StepBuffers::new::<FrozenLake>(70);
    env.step(level(), &[2.0; 70], &mut out.out()).unwrap();
    assert!(out.terminated.iter().all(|&over| over) && out.reward.iter().all(|&reward| reward == 0.0));
    env.states(&mut states).unwrap();
    assert!(states.chunks(2).all(|state| state == [1.0, 0.0]));
}
