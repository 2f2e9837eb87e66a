//! Random-state scrambles: uniform states, and turns that lead to them.

use super::walks::assert_even;
use std::collections::HashMap;
use vivarium_envs::cube::{
    Cube2, Cube2Scrambler, Cube3, Cube3Scrambler, CubePuzzle, DistanceTable, FaceTurn, StateScrambler,
    TurnMetric, simplify_turns,
};
use vivarium_kernels::rng::Stream;

fn apply<C: CubePuzzle>(turns: &[FaceTurn]) -> C {
    turns.iter().fold(C::SOLVED, |cube, &turn| cube.after(turn))
}

/// Checks that each scramble leads to its state, and that the state is the first one of the random stream that is far
/// enough from the solved state: nothing but this distance influences the draw.
fn check<S: StateScrambler>(scrambler: &S, count: u32, check_turns: impl Fn(&[FaceTurn])) {
    for stream in 0..count {
        let scramble = scrambler.scramble(&mut Stream::new(5, stream));
        assert!(apply::<S::Cube>(&scramble.turns) == scramble.state, "{:?}", scramble.turns);
        let mut random = Stream::new(5, stream);
        let mut states = std::iter::repeat_with(|| S::Cube::random_state(&mut random));
        assert!(states.find(|&state| scrambler.is_far(state)) == Some(scramble.state));
        // No redundant turns.
        assert_eq!(simplify_turns(&scramble.turns), scramble.turns);
        check_turns(&scramble.turns);
    }
}

#[test]
fn scrambles_of_the_small_cube_have_11_turns() {
    check(&Cube2Scrambler::default(), 3000, |turns| assert_eq!(turns.len(), 11));
}

#[test]
fn scrambles_of_the_large_cube_are_short() {
    check(&Cube3Scrambler::default(), 200, |turns| assert!((2..=22).contains(&turns.len()), "{turns:?}"));
}

/// The states at the distances 4 and 11 have the fewest solutions of 11 moves.
#[test]
fn every_far_state_of_the_small_cube_has_a_scramble() {
    let (scrambler, distances) = (Cube2Scrambler::default(), DistanceTable::new(TurnMetric::Half));
    let mut random = Stream::new(6, 0);
    let mut checked = HashMap::new();
    for cube in Cube2::all() {
        let distance = distances.of(cube);
        assert_eq!(scrambler.is_far(cube), distance >= 4);
        if distance == 4 || distance == 11 {
            *checked.entry(distance).or_insert(0) += 1;
            assert_eq!(scrambler.solution(cube, &mut random).len(), 11, "{cube:?}");
        }
    }
    assert_eq!(checked, HashMap::from([(4, 1847), (11, 2644)]));
}

#[test]
fn states_that_are_one_turn_from_solved_are_not_far() {
    let scrambler = Cube3Scrambler::default();
    assert!(!scrambler.is_far(Cube3::SOLVED));
    for &turn in Cube3::turns(TurnMetric::Half) {
        let near = Cube3::SOLVED.turned(turn);
        assert!(!scrambler.is_far(near));
        let mut far = Cube3::turns(TurnMetric::Half).iter().filter(|next| next.face() != turn.face());
        assert!(far.all(|&next| scrambler.is_far(near.turned(next))));
    }
}

#[test]
fn scrambled_cubes_are_uniform() {
    let scrambler = Cube2Scrambler::default();
    let mut permutations = vec![0; 5040 / 40];
    let mut orientations = vec![0; 729];
    for stream in 0..40_000 {
        let rank = scrambler.scramble(&mut Stream::new(7, stream)).state.rank();
        permutations[(rank / 729 / 40) as usize] += 1;
        orientations[(rank % 729) as usize] += 1;
    }
    assert_even(&permutations);
    assert_even(&orientations);
}
