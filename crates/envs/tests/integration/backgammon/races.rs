//! Tests of one-sided race rollouts against exact values, and against rollouts of GNU Backgammon 1.07, whose results
//! `../../fixtures/gnubg_races.py` has recorded.

use super::facts::position;
use vivarium_envs::backgammon::{BearOff, Outcome, Position, RaceRolls};
use vivarium_envs::testing::TwoSided;
use vivarium_kernels::rng::Stream;

const RECORD: &str = include_str!("../../fixtures/gnubg_races.txt");

/// Returns the points of `checkers` random checkers on the points up to `highest`.
fn random_side(random: &mut Stream, checkers: usize, highest: u32) -> Vec<(usize, u8)> {
    (0..checkers).map(|_| (1 + random.below(highest) as usize, 1)).collect()
}

#[test]
fn races_of_three_checkers_are_close_to_their_exact_values() {
    let exact = TwoSided::new(3);
    let mut random = Stream::new(4, 0);
    let count = 100;
    let (mut sum, mut largest) = (0.0, 0.0f64);
    for _ in 0..count {
        let race = position(&random_side(&mut random, 3, 10), &random_side(&mut random, 3, 10));
        let [win, ..] = RaceRolls::of_position(&race).unwrap();
        let error = (f64::from(win) - exact.win_probability(&race).unwrap()).abs();
        (sum, largest) = (sum + error, largest.max(error));
    }
    let mean = sum / f64::from(count);
    println!("3 checkers a player: mean error {:.3} %, largest {:.2} %", 100.0 * mean, 100.0 * largest);
    assert!(mean < 0.004 && largest < 0.03, "{mean} {largest}");
}

#[test]
fn bearoffs_have_the_probabilities_of_the_table() {
    let table = BearOff::new(14);
    let mut random = Stream::new(5, 0);
    for _ in 0..50 {
        let bearoff = position(&random_side(&mut random, 10, 6), &random_side(&mut random, 12, 6));
        let [win, rest @ ..] = RaceRolls::of_position(&bearoff).unwrap();
        let expected = table.win_probability(&bearoff).unwrap();
        assert!((f64::from(win) - expected).abs() < 1e-5, "{win} and {expected}");
        assert_eq!(rest, [0.0; 4]);
    }
}

#[test]
fn outcomes_that_the_last_roll_decides_are_counted() {
    // The player on roll bears off with each roll.
    let last = [(1, 2)];
    let probabilities = |theirs: &[(usize, u8)]| RaceRolls::of_position(&position(&last, theirs)).unwrap();
    assert_eq!(probabilities(&[(1, 1)]), [1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(probabilities(&[(1, 15)]), [1.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(probabilities(&[(1, 14), (19, 1)]), [1.0, 1.0, 1.0, 0.0, 0.0]);
    // The opponent bears off after one roll. From the 23 point, only 6-6 bears off a checker; 2-1, 3-1 and 1-1 do not leave the
    // opponent's home board.
    let lost = RaceRolls::of_position(&position(&[(1, 14), (23, 1)], &last)).unwrap();
    assert_eq!(lost[..3], [0.0; 3]);
    assert!((lost[3] - 35.0 / 36.0).abs() < 1e-6 && (lost[4] - 5.0 / 36.0).abs() < 1e-6, "{lost:?}");
    assert!(RaceRolls::of_position(&Position::START).is_none());
}

#[test]
fn trials_are_unbiased_for_the_first_roll() {
    // One roll decides: the player on roll needs 12 pips, against a certain bear-off.
    let race = position(&[(12, 1)], &[(1, 1)]);
    let [win, ..] = RaceRolls::of_position(&race).unwrap();
    // 6-6, 5-5, 4-4 and 3-3.
    assert!((win - 4.0 / 36.0).abs() < 1e-6, "{win}");
}

#[test]
fn races_agree_with_rollouts_of_gnu_backgammon() {
    let (mut count, mut sums, mut standard_error) = (0.0, [0.0; 5], 0.0);
    let mut equity_error = 0.0;
    for line in RECORD.lines() {
        let (id, numbers) = line.split_once(' ').unwrap();
        let numbers: Vec<f32> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
        let (expected, rest) = numbers.split_first_chunk::<5>().unwrap();
        let found = RaceRolls::of_position(&Position::from_id(id).unwrap()).unwrap();
        count += 1.0;
        for (sum, (found, expected)) in sums.iter_mut().zip(found.iter().zip(expected)) {
            *sum += f64::from((found - expected).abs());
        }
        equity_error += f64::from((Outcome::equity(found) - Outcome::equity(*expected)).abs());
        standard_error += f64::from(rest[0]);
    }
    let [win, gammon, backgammon, lost_gammon, lost_backgammon] = sums.map(|sum| 100.0 * sum / count);
    println!(
        "{count} races, mean errors: win {win:.2} % (standard error of the rollouts {:.2} %), gammon {gammon:.2} %, backgammon \
         {backgammon:.2} %, lost gammon {lost_gammon:.2} %, lost backgammon {lost_backgammon:.2} %, equity {:.1} millipoints",
        100.0 * standard_error / count,
        1000.0 * equity_error / count
    );
    assert!(count >= 100.0 && win < 0.3 && gammon < 0.3 && lost_gammon < 0.5, "{count} {win} {gammon}");
    assert!(backgammon < 0.1 && lost_backgammon < 0.1, "{backgammon} {lost_backgammon}");
}
