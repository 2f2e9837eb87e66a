//! DQN on the 2×2×2 cube: rules, demonstrations and curriculum.

use crate::cube2_evaluation::distances;
use vivarium_agents::Learner;
use vivarium_agents::dqn::{
    CubeFeatures, CubeParams, CubeProblem, Dqn, DqnConfig, DqnProblem, DqnReport, DqnWork, EnvSteps,
    EpisodeEnd, MOVE,
};
use vivarium_envs::cube::{Cube2, TurnMetric};
use vivarium_graph::{Cpu, Tensor};
use vivarium_kernels::rng::Stream;
use vivarium_kernels::simd;

const PARAMS: [CubeParams; 2] = [
    CubeParams { symmetries: true, features: CubeFeatures::Pairs },
    CubeParams { symmetries: false, features: CubeFeatures::Stickers },
];

/// Returns a small DQN config with demonstrations and a curriculum.
fn config() -> DqnConfig {
    DqnConfig {
        hidden: vec![32, 16],
        num_envs: 16,
        discount: 1.0,
        watkins_cutoff: true,
        epsilon: 0.05,
        epsilon_steps: 0,
        replay_capacity: 2_000,
        warm_up: 500,
        minibatch: 100,
        target_every: 10,
        curriculum_episodes: 50,
        demonstrations: 1_000,
        iteration: 20,
        ..DqnConfig::default()
    }
}

fn run(threads: usize, iterations: usize) -> (Vec<DqnReport>, Vec<Tensor>) {
    let cpu = Cpu::new(threads);
    let mut learner = Dqn::<CubeProblem>::new(config(), CubeParams::default(), 3).unwrap();
    let reports = (0..iterations).map(|_| learner.iterate(&cpu).unwrap()).collect();
    (reports, learner.save())
}

#[test]
fn episodes_start_at_the_distance_of_their_level() {
    let distances = distances(TurnMetric::Quarter);
    for params in PARAMS {
        let levels: Vec<u32> = (0..6_000).map(|lane| 1 + lane % CubeProblem::LEVELS).collect();
        let cubes = CubeProblem::new(&params, 1, &levels).unwrap();
        let mut farthest = [0; CubeProblem::LEVELS as usize + 1];
        for (cube, &level) in cubes.states(simd::level()).unwrap().into_iter().zip(&levels) {
            let distance = u32::from(distances.of(cube));
            assert!(!cube.is_solved() && params.canonical(cube) == cube);
            assert!(level == CubeProblem::LEVELS || distance <= level, "{distance} at level {level}");
            farthest[level as usize] = distance.max(farthest[level as usize]);
        }
        assert_eq!(farthest[1..=6], [1, 2, 3, 4, 5, 6]);
        assert!(farthest[CubeProblem::LEVELS as usize] >= 12, "{farthest:?}");
    }
}

/// Optimal play solves a cube in as many moves as its distance, and every move has the same reward.
#[test]
fn optimal_play_takes_the_distance() {
    let distances = distances(TurnMetric::Quarter);
    for params in PARAMS {
        let levels = vec![CubeProblem::LEVELS; 50];
        let mut cubes = CubeProblem::new(&params, 2, &levels).unwrap();
        let mut states = cubes.states(simd::level()).unwrap();
        let mut left: Vec<u8> = states.iter().map(|&cube| distances.of(cube)).collect();
        let mut steps = EnvSteps::new(&states, 50);
        for _ in 0..100 {
            let best: Vec<u8> =
                states.iter().map(|&cube| distances.optimal(cube).trailing_zeros() as u8).collect();
            cubes.step(simd::level(), &best, &levels, &mut steps).unwrap();
            states.clone_from(&steps.now);
            for (lane, left) in left.iter_mut().enumerate() {
                *left -= 1;
                assert_eq!((steps.rewards[lane], distances.of(steps.reached[lane])), (MOVE, *left));
                let expected = if *left == 0 { EpisodeEnd::Terminated } else { EpisodeEnd::No };
                assert_eq!(steps.ends[lane], expected);
                *left = distances.of(states[lane]);
                assert!(*left > 0);
            }
        }
    }
}

#[test]
fn unsolved_episodes_are_truncated() {
    let levels = vec![3; 4];
    let mut cubes = CubeProblem::new(&CubeParams::default(), 2, &levels).unwrap();
    let mut steps = EnvSteps::new(&cubes.states(simd::level()).unwrap(), 4);
    let mut ends = Vec::new();
    for tick in 0..9 {
        // A turn and its inverse.
        cubes.step(simd::level(), &[tick % 2; 4], &levels, &mut steps).unwrap();
        ends.push(steps.ends.iter().filter(|&&end| end == EpisodeEnd::Truncated).count());
    }
    assert!(ends[..8].iter().all(|&count| count == 0) && ends[8] > 0, "{ends:?}");
}

#[test]
fn actions_commute_with_representatives() {
    let turns = Cube2::turns(TurnMetric::Quarter);
    let mut random = Stream::new(1, 1);
    for params in PARAMS {
        for _ in 0..500 {
            let cube = Cube2::random(&mut random);
            for (action, &turn) in (0..).zip(turns) {
                let seen = params.canonical(params.canonical(cube).turned(turn));
                let unseen = turns[usize::from(params.original_action(cube, action))];
                assert_eq!(params.canonical(cube.turned(unseen)), seen);
            }
        }
    }
}

#[test]
fn demonstrations_contain_the_optimal_moves() {
    let distances = distances(TurnMetric::Quarter);
    let mut random = Stream::new(1, 1);
    for params in PARAMS {
        let cubes = CubeProblem::new(&params, 2, &[1]).unwrap();
        for _ in 0..200 {
            let mut state = None;
            let demonstration = cubes.demonstration(&mut random, |found| state = Some(found[0])).unwrap();
            let state = state.unwrap();
            for (action, &turn) in Cube2::turns(TurnMetric::Quarter).iter().enumerate() {
                let nearer = distances.of(state.turned(turn)) < distances.of(state);
                assert_eq!(demonstration.best >> action & 1 == 1, nearer);
            }
        }
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let one = run(1, 4);
    assert!(one == run(2, 4));
    assert!(one.0[0].demonstration_loss.is_some() && one.0[3].demonstration_loss.is_none());
}

#[test]
fn a_restored_run_continues_exactly() {
    let cpu = Cpu::new(1);
    let mut whole = Dqn::<CubeProblem>::new(config(), CubeParams::default(), 3).unwrap();
    let mut kinds = Vec::new();
    for slices in [5, 7, 30, 40, 500] {
        for _ in 0..slices {
            kinds.push(whole.next_work());
            whole.advance(&cpu).unwrap();
        }
        let mut resumed =
            Dqn::<CubeProblem>::restore(config(), CubeParams::default(), 3, &whole.save()).unwrap();
        assert_eq!(whole.iterate(&cpu).unwrap(), resumed.iterate(&cpu).unwrap());
        assert!(whole.save() == resumed.save());
    }
    assert!([DqnWork::Pretrain, DqnWork::Act, DqnWork::Learn].iter().all(|work| kinds.contains(work)));
}

/// Without demonstrations, the first curriculum levels are learned within a few thousand gradient steps.
#[test]
fn training_opens_curriculum_levels() {
    let cpu = Cpu::new(2);
    let config = DqnConfig {
        hidden: vec![128, 64],
        num_envs: 64,
        epsilon: 0.1,
        final_epsilon: 0.1,
        replay_capacity: 20_000,
        demonstrations: 0,
        curriculum_threshold: 0.8,
        curriculum_episodes: 200,
        ..config()
    };
    let mut learner = Dqn::<CubeProblem>::new(config, CubeParams::default(), 1).unwrap();
    loop {
        let report = learner.iterate(&cpu).unwrap();
        let updates = report.counters.updates;
        // Closed levels have no episodes.
        let closed = &report.levels[report.open_level as usize..];
        assert!(closed.iter().all(|level| level.episodes == 0 && level.kept == 0));
        if report.open_level >= 5 {
            break;
        }
        assert!(updates < 6_000, "level {} after {updates} gradient steps", report.open_level);
    }
}

/// Trains on demonstrations until greedy actions are optimal in most states near the solved state. A random policy is
/// optimal in about a sixth of these states.
#[test]
fn pretraining_learns_the_optimal_moves() {
    let (cpu, distances) = (Cpu::new(2), distances(TurnMetric::Quarter));
    let config = DqnConfig {
        hidden: vec![128, 64],
        minibatch: 256,
        demonstrations: 1_000_000_000,
        learning_rate: 3e-3,
        final_learning_rate: 3e-3,
        demonstration_temperature: 0.1,
        ..config()
    };
    let mut learner = Dqn::<CubeProblem>::new(config, CubeParams::default(), 1).unwrap();
    let params = *learner.params();
    let near = |cube: &Cube2| params.canonical(*cube) == *cube && (1..=4).contains(&distances.of(*cube));
    let near: Vec<Cube2> = Cube2::all().filter(near).collect();
    let right = |learner: &Dqn<CubeProblem>| {
        let mut actions = vec![0; near.len()];
        learner.greedy(&cpu, &near, &mut actions);
        let best = |(&cube, &action): (&Cube2, &u8)| distances.optimal(cube) >> action & 1 == 1;
        near.iter().zip(&actions).filter(|&pair| best(pair)).count() as f64 / near.len() as f64
    };
    let before = right(&learner);
    let first = learner.iterate(&cpu).unwrap().demonstration_loss.unwrap();
    let last = (0..50).map(|_| learner.iterate(&cpu).unwrap().demonstration_loss.unwrap()).last().unwrap();
    let after = right(&learner);
    assert!(before < 0.5 && after > 0.8 && last < 0.9 * first, "{before} {after} {first} {last}");
}
