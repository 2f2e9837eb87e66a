use std::collections::HashSet;
use vivarium_envs::cube::{Backtracking, Cube2, Cube3, CubeSize, Face, RandomWalk, TurnMetric};
use vivarium_kernels::rng::Stream;

/// Maximum deviation of a count from a uniform distribution, in standard deviations.
const FAR: f64 = 5.0;

pub fn assert_even(counts: &[u32]) {
    let total: u32 = counts.iter().sum();
    let expected = f64::from(total) / counts.len() as f64;
    for &count in counts {
        assert!((f64::from(count) - expected).abs() < FAR * expected.sqrt(), "{counts:?}");
    }
}

#[test]
fn every_allowed_turn_is_equally_likely() {
    for size in [CubeSize::Two, CubeSize::Three] {
        for metric in [TurnMetric::Quarter, TurnMetric::Half] {
            for undo in [Backtracking::Allowed, Backtracking::Never] {
                let turns = metric.turns(size);
                let mut counts = vec![vec![0; turns.len()]; turns.len()];
                let mut random = Stream::new(1, 0);
                let mut walk = RandomWalk::new(size, metric, undo);
                let (mut last, _) = walk.next(&mut random);
                for _ in 0..100_000 {
                    let (index, turn) = walk.next(&mut random);
                    assert_eq!(turns[index], turn);
                    counts[last][index] += 1;
                    last = index;
                }
                for (last, counts) in counts.iter().enumerate() {
                    let barred = |index: usize| match (undo, metric) {
                        (Backtracking::Allowed, _) => false,
                        (_, TurnMetric::Quarter) => turns[index] == turns[last].inverse(),
                        (_, TurnMetric::Half) => turns[index].face() == turns[last].face(),
                    };
                    let (never, counts): (Vec<_>, Vec<_>) =
                        counts.iter().copied().enumerate().partition(|&(index, _)| barred(index));
                    assert!(never.iter().all(|&(_, count)| count == 0));
                    assert_even(&counts.iter().map(|&(_, count)| count).collect::<Vec<_>>());
                }
            }
        }
    }
}

#[test]
fn a_walk_starts_with_any_turn() {
    for metric in [TurnMetric::Quarter, TurnMetric::Half] {
        let mut random = Stream::new(2, 0);
        let mut walk = RandomWalk::new(CubeSize::Two, metric, Backtracking::Never);
        let mut counts = vec![0; metric.turns(CubeSize::Two).len()];
        for _ in 0..20_000 {
            walk.restart();
            counts[walk.next(&mut random).0] += 1;
        }
        assert_even(&counts);
    }
}

#[test]
fn random_states_of_the_small_cube_are_uniform() {
    let mut random = Stream::new(3, 0);
    let mut colors = [0; 6];
    let mut seen = HashSet::new();
    for _ in 0..50_000 {
        let cube = Cube2::random(&mut random);
        seen.insert(cube);
        colors[cube.stickers()[0] as usize] += 1;
    }
    // The first sticker is one of 21, the stickers of the seven moving corners. Each of the colors U, R and F is on
    // four of these stickers, each of D, L and B on three.
    let expected = [4.0, 4.0, 4.0, 3.0, 3.0, 3.0].map(|share| share / 21.0 * 50_000.0);
    for (count, expected) in colors.into_iter().zip(expected) {
        assert!((f64::from(count) - expected).abs() < FAR * f64::sqrt(expected), "{colors:?}");
    }
    assert!(seen.len() > 49_000);
}

#[test]
fn random_states_of_the_large_cube_are_reachable_and_uniform() {
    let mut random = Stream::new(4, 0);
    let mut colors = [[0; 6]; Cube3::STICKERS];
    for _ in 0..20_000 {
        let cube = Cube3::random(&mut random);
        let stickers = cube.stickers();
        let text: String = stickers.iter().map(Face::to_string).collect();
        assert_eq!(Cube3::from_stickers(&text), Ok(cube));
        for (counts, &color) in colors.iter_mut().zip(&stickers) {
            counts[color as usize] += 1;
        }
    }
    for (at, counts) in colors.iter().enumerate() {
        // The fifth sticker of each face is its center.
        if at % 9 != 4 {
            assert_even(counts);
        }
    }
}
