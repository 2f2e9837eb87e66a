//! Tests of the one-sided bear-off table against known values.

use super::facts::position;
use vivarium_envs::backgammon::{BearOff, Position, Side};
use vivarium_envs::testing::TwoSided;

fn side(held: &[(usize, u8)]) -> Side {
    position(held, &[(1, 15)]).mine()
}

fn race(mine: &[(usize, u8)], theirs: &[(usize, u8)]) -> Position {
    position(mine, theirs)
}

#[test]
fn one_roll_bears_off_two_checkers_as_often_as_counted() {
    // Rolls out of 36 that bear off two checkers, by their points, from textbooks.
    let ways: [&[u32]; 6] =
        [&[36], &[36, 26], &[34, 25, 17], &[29, 23, 17, 11], &[23, 19, 14, 10, 6], &[15, 13, 10, 8, 6, 4]];
    let table = BearOff::new(2);
    assert_eq!(table.len(), 28);
    for (high, ways) in (1..).zip(ways) {
        for (low, &ways) in (1..).zip(ways) {
            let mut held = vec![(high, 1), (low, 1)];
            if high == low {
                held = vec![(high, 2)];
            }
            let (first, rolls) = table.rolls(side(&held)).unwrap();
            assert_eq!(first, 1);
            assert!((rolls[0] * 36.0 - ways as f32).abs() < 1e-4, "{high} and {low}: {}", rolls[0] * 36.0);
        }
    }
    for (point, ways) in [(1, 36.0), (2, 36.0), (3, 36.0), (4, 34.0), (5, 31.0), (6, 27.0)] {
        let (_, rolls) = table.rolls(side(&[(point, 1)])).unwrap();
        assert!((rolls[0] * 36.0 - ways).abs() < 1e-4, "{point}: {}", rolls[0] * 36.0);
    }
}

#[test]
fn the_whole_table_has_54264_positions_whose_probabilities_sum_to_one() {
    let table = BearOff::new(15);
    assert_eq!(table.len(), 54_264);
    assert!(!table.is_empty());
    assert_eq!(table.rolls(side(&[])), Some((0, &[1.0][..])));
    let mut checked = 0;
    for six in 0..=15 {
        for five in 0..=15 - six {
            for one in 0..=15 - six - five {
                let held = side(&[(6, six), (5, five), (1, one)]);
                let (first, rolls) = table.rolls(held).unwrap();
                let sum: f64 = rolls.iter().map(|&probability| f64::from(probability)).sum();
                assert!((sum - 1.0).abs() < 1e-5, "{held:?}: {sum}");
                let terms = (first..).zip(rolls);
                let mean: f64 =
                    terms.map(|(rolls, &probability)| rolls as f64 * f64::from(probability)).sum();
                assert!((mean - table.mean_rolls(held).unwrap()).abs() < 1e-4, "{held:?}: {mean}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 816);
    assert_eq!(table.rolls(side(&[(7, 1)])), None);
    assert_eq!(BearOff::new(3).rolls(side(&[(1, 4)])), None);
}

#[test]
fn a_race_of_two_rolls_is_won_as_often_as_counted() {
    // Both sides have a checker on the 6-point. A roll bears off this checker with probability 27/36: the first player
    // wins with the first roll, or with the second roll after the opponent has failed.
    let table = BearOff::new(2);
    let six = [(6, 1)];
    let exact = 0.75 + 0.25 * 0.25;
    for value in
        [table.win_probability(&race(&six, &six)), TwoSided::new(2).win_probability(&race(&six, &six))]
    {
        assert!((value.unwrap() - exact).abs() < 1e-6, "{value:?}");
    }
    assert_eq!(table.win_probability(&Position::START), None);
    assert_eq!(TwoSided::new(2).win_probability(&race(&[(1, 3)], &six)), None);
}

#[test]
fn perfect_play_is_no_worse_than_play_for_the_fewest_rolls() {
    let (one_sided, two_sided) = (BearOff::new(4), TwoSided::new(4));
    let (mut better, mut checked) = (0, 0);
    for high in 1..=6 {
        for low in 1..=high {
            for their_high in 1..=6 {
                for their_low in 1..=their_high {
                    let race = race(&[(high, 2), (low, 2)], &[(their_high, 2), (their_low, 2)]);
                    let (Some(fewest), Some(perfect)) =
                        (one_sided.win_probability(&race), two_sided.win_probability(&race))
                    else {
                        panic!("a race of four checkers is in the tables");
                    };
                    // The opponent also plays better, so either value may be higher.
                    assert!((fewest - perfect).abs() < 0.01, "{race:?}: {fewest} and {perfect}");
                    better += usize::from((fewest - perfect).abs() > 1e-4);
                    checked += 1;
                }
            }
        }
    }
    assert_eq!(checked, 441);
    assert!(better > 0, "perfect play never differs, which it does");
}
