//! Checks of the turns of a cube, shared by the tests of both cube sizes.

use super::reference::ReferenceCube;
use vivarium_envs::cube::{CubeSize, Face, FaceTurn, TurnMetric, parse_turns};
use vivarium_kernels::rng::Stream;

/// Compares a cube with [`ReferenceCube`] after each of many random turns. `turned` applies a turn; `look` returns the
/// sticker colors and whether the cube is solved.
pub fn check_turns<C: Copy>(
    size: CubeSize,
    solved: C,
    turned: fn(C, FaceTurn) -> C,
    look: fn(C) -> (Vec<Face>, bool),
) {
    let (mut random, turns) = (Stream::new(2, 0), TurnMetric::Half.turns(size));
    for _ in 0..200 {
        let (mut cube, mut reference) = (solved, ReferenceCube::solved(size));
        for _ in 0..40 {
            let turn = turns[random.below(turns.len() as u32) as usize];
            cube = turned(cube, turn);
            reference.turn(turn);
            let colors = reference.colors();
            let is_solved = colors == ReferenceCube::solved(size).colors();
            assert_eq!(look(cube), (colors, is_solved));
        }
    }
}

/// Checks the order of turn sequences: the number of repetitions that restore the solved cube. `orders` holds pairs
/// (notation of a sequence, order), and `turned` applies a turn.
pub fn check_orders<C: Copy + PartialEq>(
    size: CubeSize,
    solved: C,
    turned: fn(C, FaceTurn) -> C,
    orders: &[(&str, u32)],
) {
    for &(text, expected) in orders {
        let turns = parse_turns(text, size).unwrap();
        let once = |cube: C| turns.iter().fold(cube, |cube, &turn| turned(cube, turn));
        let after = std::iter::successors(Some(once(solved)), |&cube| Some(once(cube)));
        assert_eq!(1 + after.take_while(|&cube| cube != solved).count() as u32, expected, "{text}");
    }
}
