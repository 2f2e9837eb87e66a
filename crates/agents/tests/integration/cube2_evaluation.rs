//! Tests of the evaluation of a policy in all states of the 2×2×2 cube, compared with following each state separately.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, LazyLock};
use vivarium_agents::cube2::{
    CycleStatistics, DepthScore, GreedyPolicy, NetworkEvaluation, PolicyEvaluation, PolicyOutcome,
    PolicyScore,
};
use vivarium_agents::dqn::{CubeFeatures, CubeParams, CubeProblem, DqnProblem, Network};
use vivarium_envs::cube::{Cube2, DistanceTable, TurnMetric};
use vivarium_graph::{Cpu, Graph, Initializer, Plan};
use vivarium_kernels::rng::Stream;

/// Returns the distances of all states, which the tests share.
pub fn distances(metric: TurnMetric) -> Arc<DistanceTable> {
    static BOTH: LazyLock<[Arc<DistanceTable>; 2]> = LazyLock::new(|| {
        [TurnMetric::Quarter, TurnMetric::Half].map(|metric| Arc::new(DistanceTable::new(metric)))
    });
    BOTH[metric as usize].clone()
}

/// Evaluates a policy in all states of the cube. `slice` is the number of states per batch.
fn evaluate(distances: &Arc<DistanceTable>, slice: usize, policy: &[u8]) -> PolicyEvaluation {
    let mut evaluation = PolicyEvaluation::new(distances.clone());
    let mut cubes = vec![Cube2::SOLVED; slice];
    loop {
        let count = evaluation.next_states(&mut cubes);
        if count == 0 {
            break;
        }
        let moves: Vec<u8> = cubes[..count].iter().map(|cube| policy[cube.rank() as usize]).collect();
        evaluation.set_actions(&cubes[..count], &moves);
    }
    while !evaluation.finish() {}
    evaluation
}

/// Follows the policy from a state until a state recurs or the cube is solved. Returns the path and the last state.
fn followed(metric: TurnMetric, policy: &[u8], mut cube: Cube2) -> (Vec<Cube2>, Cube2) {
    let mut path = Vec::new();
    while !cube.is_solved() && !path.contains(&cube) {
        path.push(cube);
        cube = cube.turned(Cube2::turns(metric)[usize::from(policy[cube.rank() as usize])]);
    }
    (path, cube)
}

/// Returns the expected result of the evaluation, by following the policy from each state separately.
fn slow(distances: &DistanceTable, policy: &[u8]) -> (Vec<PolicyOutcome>, PolicyScore) {
    let mut depths: Vec<_> = distances
        .counts()
        .iter()
        .map(|&count| DepthScore { states: count.into(), known: count.into(), ..DepthScore::default() })
        .collect();
    let mut cycles = BTreeMap::<u32, CycleStatistics>::new();
    let mut firsts = HashSet::new();
    let outcomes = Cube2::all().map(|cube| {
        let (path, end) = followed(distances.metric(), policy, cube);
        if end.is_solved() {
            let depth = &mut depths[usize::from(distances.of(cube))];
            depth.solved += 1;
            depth.excess += path.len() as u64 - u64::from(distances.of(cube));
            return PolicyOutcome::Solved(path.len() as u32);
        }
        let cycle = &path[path.iter().position(|&other| other == end).unwrap()..];
        let entry = cycles.entry(cycle.len() as u32).or_default();
        entry.states += 1;
        entry.count += u64::from(firsts.insert(cycle.iter().min().copied()));
        PolicyOutcome::Cycle(cycle.len() as u32)
    });
    let outcomes = outcomes.collect();
    (outcomes, PolicyScore { depths, cycles })
}

/// Returns an optimal policy with random moves in a fraction `mistakes` of the states.
fn policy(distances: &DistanceTable, mistakes: f32, seed: u64) -> Vec<u8> {
    let mut random = Stream::new(seed, 0);
    let moves = Cube2::turns(distances.metric()).len() as u32;
    let choose = |cube: Cube2| {
        if random.uniform() < mistakes || cube.is_solved() {
            random.below(moves) as u8
        } else {
            distances.optimal(cube).trailing_zeros() as u8
        }
    };
    Cube2::all().map(choose).collect()
}

#[test]
fn evaluation_agrees_with_following_each_state() {
    for (metric, mistakes, slice) in [(TurnMetric::Quarter, 1.0, 1000), (TurnMetric::Half, 0.1, 4097)] {
        let distances = distances(metric);
        let policy = policy(&distances, mistakes, 7);
        let (outcomes, expected) = slow(&distances, &policy);
        let evaluation = evaluate(&distances, slice, &policy);
        assert_eq!(evaluation.score(), &expected);
        for (cube, &outcome) in Cube2::all().zip(&outcomes) {
            assert_eq!(evaluation.outcome(cube), Some(outcome));
        }
        assert!(expected.cycles.len() > 1, "{:?}", expected.cycles);
        let total = expected.total();
        assert_eq!(total.known, Cube2::STATES as u64);
        assert_eq!(total.solved + expected.in_cycles(), total.known);
    }
}

#[test]
fn the_optimal_policy_solves_all_states_without_excess() {
    for metric in [TurnMetric::Quarter, TurnMetric::Half] {
        let distances = distances(metric);
        let evaluation = evaluate(&distances, 10_000, &policy(&distances, 0.0, 1));
        assert_eq!(evaluation.score().total().solved, Cube2::STATES as u64);
        assert_eq!(evaluation.score().mean_excess(), Some(0.0));
        assert_eq!(evaluation.score().in_cycles(), 0);
    }
}

#[test]
fn one_long_cycle_is_followed_to_its_end() {
    // Alternating R and U: every unsolved state ends in a cycle of 30 moves.
    let distances = distances(TurnMetric::Quarter);
    let policy: Vec<u8> = Cube2::all().map(|cube| if distances.of(cube) % 2 == 0 { 2 } else { 0 }).collect();
    let evaluation = evaluate(&distances, 5000, &policy);
    let score = evaluation.score();
    // The 30 states of the cycle through the solved state (15 repetitions of two turns) are solved.
    assert_eq!(score.total().solved, 30);
    assert_eq!(score.cycles.keys().copied().collect::<Vec<_>>(), [30]);
    assert_eq!(score.cycles[&30], CycleStatistics { count: 3_674_130 / 30, states: 3_674_130 });
}

#[test]
fn early_outcomes_are_final() {
    let distances = distances(TurnMetric::Quarter);
    let policy = policy(&distances, 0.1, 3);
    let whole = evaluate(&distances, 100_000, &policy);
    let mut evaluation = PolicyEvaluation::new(distances.clone());
    let mut cubes = vec![Cube2::SOLVED; 2000];
    let mut last_depth = 0;
    for _ in 0..30 {
        let count = evaluation.next_states(&mut cubes);
        assert_eq!(count, cubes.len());
        for cube in &cubes {
            assert!(distances.of(*cube) >= last_depth);
            last_depth = distances.of(*cube);
        }
        let moves: Vec<u8> = cubes.iter().map(|cube| policy[cube.rank() as usize]).collect();
        evaluation.set_actions(&cubes, &moves);
    }
    let total = evaluation.score().total();
    assert!(total.known > 50_000 && total.solved > 10_000, "{total:?}");
    let mut known = 0;
    for cube in Cube2::all() {
        if let Some(outcome) = evaluation.outcome(cube) {
            assert_eq!(whole.outcome(cube), Some(outcome));
            known += 1;
        }
    }
    assert_eq!(known, total.known);
    assert!(evaluation.score().depths[2].solved_share().is_some_and(|share| share > 0.5));
    assert_eq!(evaluation.score().depths[14].solved_share(), None);
}

#[test]
fn a_network_scores_like_its_moves() {
    let mut graph = Graph::new();
    let features = CubeFeatures::Pairs;
    let inputs = CubeProblem::spec(&CubeParams { features, ..CubeParams::default() }).inputs;
    let state = graph.input("state", &[inputs.count]);
    let wanted = graph.input("wanted", &[6]);
    let count = inputs.features.unwrap();
    let hidden = graph.embedding("0", state, count, 24, Initializer::Normal(0.3));
    let hidden = graph.relu(hidden);
    let values = graph.linear("1", hidden, 6);
    let _ = graph.sub(values, wanted);
    let plan = Plan::for_cache(&graph, &[values]).unwrap();
    let network = Network::new(&graph, vec![plan], 5).unwrap();
    let distances = distances(TurnMetric::Quarter);

    let params = CubeParams { features, ..CubeParams::default() };
    let numbers: Vec<u8> = {
        let mut workspace = network.workspace();
        let cubes: Vec<_> = Cube2::all().collect();
        let (mut rows, mut values) = (vec![0.0; 1000 * inputs.count], vec![0.0; 1000 * 6]);
        let mut policy = Vec::new();
        for cubes in cubes.chunks(1000) {
            let encoded = rows.chunks_exact_mut(inputs.count);
            cubes.chunks(1).zip(encoded).for_each(|(cube, row)| CubeProblem::encode(&params, cube, row));
            let outputs = &mut [&mut values[..]];
            network.evaluate_single_threaded(network.plan(0), &mut workspace, cubes.len(), &[&rows], outputs);
            for values in values.chunks(6).take(cubes.len()) {
                let best = values.iter().copied().fold(f32::MIN, f32::max);
                policy.push(values.iter().position(|&value| value == best).unwrap() as u8);
            }
        }
        policy
    };
    for (threads, symmetries) in [(1, false), (3, false), (3, true)] {
        let params = CubeParams { symmetries, features };
        let answer = |cube| params.original_action(cube, numbers[params.canonical(cube).rank() as usize]);
        let expected = evaluate(&distances, 1000, &Cube2::all().map(answer).collect::<Vec<_>>());
        let cpu = Cpu::new(threads);
        let mut evaluation = NetworkEvaluation::new(distances.clone());
        let network = GreedyPolicy { params, network: &network };
        while !evaluation.advance(&cpu, network) {}
        assert_eq!(evaluation.policy().score(), expected.score(), "{params:?}");
    }
}
