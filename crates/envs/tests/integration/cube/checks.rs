//! Checks of the rules of a cube, shared by the tests of both cube sizes.

use super::reference::ReferenceCube;
use std::collections::HashSet;
use vivarium_envs::cube::{CubePuzzle, Face, TurnMetric, parse_turns};
use vivarium_kernels::rng::Stream;

/// Compares a cube with [`ReferenceCube`] after each of many random turns.
pub fn check_turns<C: CubePuzzle>() {
    let (mut random, turns) = (Stream::new(2, 0), TurnMetric::Half.turns(C::SIZE));
    for _ in 0..200 {
        let (mut cube, mut reference) = (C::SOLVED, ReferenceCube::solved(C::SIZE));
        for _ in 0..40 {
            let turn = turns[random.below(turns.len() as u32) as usize];
            cube = cube.after(turn);
            reference.turn(turn);
            let colors = reference.colors();
            let is_solved = colors == ReferenceCube::solved(C::SIZE).colors();
            assert_eq!((cube.faces(), cube.is_solved()), (colors, is_solved));
        }
    }
}

/// Checks the order of turn sequences: the number of repetitions that restore the solved cube. `orders` holds pairs
/// (notation of a sequence, order).
pub fn check_orders<C: CubePuzzle>(orders: &[(&str, u32)]) {
    for &(text, expected) in orders {
        let turns = parse_turns(text, C::SIZE).unwrap();
        let once = |cube: C| turns.iter().fold(cube, |cube, &turn| cube.after(turn));
        let after = std::iter::successors(Some(once(C::SOLVED)), |&cube| Some(once(cube)));
        assert_eq!(1 + after.take_while(|&cube| cube != C::SOLVED).count() as u32, expected, "{text}");
    }
}

/// Checks that `row` is the one-hot encoding of `stickers`, and that `indices` are the indices of its ones.
pub fn check_encoding(stickers: &[Face], row: &[f32], indices: &[u16]) {
    let mut expected = vec![0.0; Face::ALL.len() * stickers.len()];
    for (at, &color) in stickers.iter().enumerate() {
        expected[6 * at + color as usize] = 1.0;
    }
    assert_eq!(row, expected);
    let indices: HashSet<_> = indices.iter().map(|&index| usize::from(index)).collect();
    let ones = expected.iter().enumerate().filter(|&(_, &x)| x == 1.0).map(|(at, _)| at);
    assert_eq!(indices, ones.collect());
}
