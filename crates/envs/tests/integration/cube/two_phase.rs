//! Two-phase algorithm: every solution is verified.

use vivarium_envs::cube::{Cube3, CubeSize, FaceTurn, TurnMetric, TwoPhaseSolver, parse_turns};
use vivarium_kernels::rng::Stream;

fn apply(cube: &Cube3, turns: &[FaceTurn]) -> Cube3 {
    turns.iter().fold(*cube, |cube, &turn| cube.turned(turn))
}

/// Solves 200 random cubes with `max_nodes` search nodes each. Returns the mean and the maximum length in moves.
fn solve_200(metric: TurnMetric, max_nodes: u64) -> (f64, u32) {
    let (mut random, solver) = (Stream::new(7, 0), TwoPhaseSolver::new(metric));
    let lengths: Vec<u32> = (0..200)
        .map(|_| {
            let cube = Cube3::random(&mut random);
            let solution = solver.solve(&cube, max_nodes);
            assert!(apply(&cube, &solution.turns).is_solved(), "{cube:?}: {:?}", solution.turns);
            let length = metric.length(&solution.turns);
            // No redundant pair of turns.
            assert_eq!(vivarium_envs::cube::simplify_turns(&solution.turns), solution.turns);
            length
        })
        .collect();
    let mean = f64::from(lengths.iter().sum::<u32>()) / 200.0;
    println!("{} metric, {max_nodes} nodes: mean {mean}, maximum {:?}", metric.name(), lengths.iter().max());
    (mean, lengths.into_iter().max().unwrap())
}

#[test]
fn random_cubes_are_solved_in_few_half_turns() {
    let (mean, longest) = solve_200(TurnMetric::Half, 100_000);
    assert!(mean < 20.0 && longest <= 21, "mean {mean}, maximum {longest}");
}

#[test]
fn random_cubes_are_solved_in_few_quarter_turns() {
    let (mean, longest) = solve_200(TurnMetric::Quarter, 100_000);
    assert!(mean < 27.3 && longest <= 29, "mean {mean}, maximum {longest}");
}

#[test]
fn larger_budgets_find_shorter_solutions() {
    let (mut random, solver) = (Stream::new(8, 0), TwoPhaseSolver::new(TurnMetric::Half));
    let mut shorter = 0;
    for _ in 0..10 {
        let cube = Cube3::random(&mut random);
        let [few, many] = [1, 500_000].map(|max_nodes| solver.solve(&cube, max_nodes));
        assert!(many.turns.len() <= few.turns.len());
        assert_eq!(solver.solve(&cube, 500_000), many);
        shorter += few.turns.len() - many.turns.len();
    }
    assert!(shorter > 0, "{shorter}");
}

/// The first solution of a cube that the limit of the second phases makes hard, the superflip in quarter turns, has a bounded
/// number of search nodes.
#[test]
fn the_first_solution_needs_a_bounded_number_of_nodes() {
    let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    let superflip = apply(&Cube3::SOLVED, &parse_turns(superflip, CubeSize::Three).unwrap());
    let solution = TwoPhaseSolver::new(TurnMetric::Quarter).solve(&superflip, 1000);
    assert!(apply(&superflip, &solution.turns).is_solved() && !solution.is_optimal);
    assert!(solution.nodes < 15_000_000, "{}", solution.nodes);
}

/// Solutions of short scrambles are optimal, and the solver proves that.
#[test]
fn short_scrambles_have_optimal_solutions() {
    for metric in [TurnMetric::Half, TurnMetric::Quarter] {
        let solver = TwoPhaseSolver::new(metric);
        assert_eq!(solver.solve(&Cube3::SOLVED, 1000).turns, []);
        assert!(solver.solve(&Cube3::SOLVED, 1000).is_optimal);
        let turns = Cube3::turns(metric);
        // All states at distance 1 and 2.
        for &first in turns {
            for &second in turns {
                let cube = Cube3::SOLVED.turned(first).turned(second);
                let solution = solver.solve(&cube, 100_000);
                assert!(apply(&cube, &solution.turns).is_solved() && solution.is_optimal, "{first} {second}");
                let is_near = cube.is_solved() || turns.iter().any(|&turn| cube.turned(turn).is_solved());
                let expected = if cube.is_solved() { 0 } else { 2 - u32::from(is_near) };
                assert_eq!(metric.length(&solution.turns), expected, "{first} {second}");
            }
        }
    }
}

/// The superflip needs exactly 20 half turns (Reid, 1995).
#[test]
fn the_superflip_is_solved() {
    let turns = parse_turns("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", CubeSize::Three).unwrap();
    let cube = apply(&Cube3::SOLVED, &turns);
    let solution = TwoPhaseSolver::new(TurnMetric::Half).solve(&cube, 300_000);
    assert!(apply(&cube, &solution.turns).is_solved());
    assert!((20..=22).contains(&solution.turns.len()), "{}", solution.turns.len());
    assert!(!solution.is_optimal);
}

#[test]
fn inverse_states_are_solved_by_inverse_turns() {
    let mut random = Stream::new(9, 0);
    for _ in 0..100 {
        let cube = Cube3::random(&mut random);
        let solution = TwoPhaseSolver::new(TurnMetric::Half).solve(&cube, 1);
        let inverse: Vec<_> = solution.turns.iter().rev().map(|turn| turn.inverse()).collect();
        assert_eq!(apply(&Cube3::SOLVED, &inverse), cube);
        assert_eq!(apply(&Cube3::SOLVED, &solution.turns), cube.inverse());
    }
}
