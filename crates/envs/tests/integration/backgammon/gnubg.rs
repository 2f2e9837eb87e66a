//! Tests of legal plays and of the bear-off table against GNU Backgammon 1.07, whose results `../../fixtures/gnubg.py`
//! has recorded.

use super::facts::position;
use vivarium_envs::backgammon::{BearOff, Plays, Position, Roll};

const RECORD: &str = include_str!("../../fixtures/gnubg.txt");

/// Returns the lines of the recorded results that start with the prefix `kind`, without the prefix.
fn lines(kind: &str) -> impl Iterator<Item = &'static str> {
    RECORD.lines().filter_map(move |line| line.strip_prefix(kind))
}

#[test]
fn positions_have_the_plays_that_gnu_backgammon_lists() {
    let mut plays = Plays::new();
    let mut positions = 0;
    for line in lines("plays ") {
        let [id, first, second, listed] = line.splitn(4, ' ').collect::<Vec<_>>().try_into().unwrap();
        let position = Position::from_id(id).unwrap();
        assert_eq!(position.id(), id);
        let roll = Roll::new(first.parse().unwrap(), second.parse().unwrap()).unwrap();
        plays.generate(&position, roll);

        let listed: Vec<_> = listed.split("; ").collect();
        let mut found: Vec<_> = listed
            .iter()
            .map(|text| {
                let play = plays.find(&position, text).unwrap_or_else(|error| panic!("{id}: {error}"));
                let written = play.notation(&position);
                assert_eq!(sorted(&written), sorted(text), "{id} with {roll}");
                assert_eq!(plays.find(&position, &written), Ok(play));
                play.after.pack()
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!((found.len(), found.len()), (listed.len(), plays.len()), "{id} with {roll}");
        positions += 1;
    }
    assert_eq!(positions, 160);
}

/// Splits the notation of a play into its checker moves and sorts them, because GNU Backgammon defines no order for
/// checkers from one point.
fn sorted(play: &str) -> Vec<&str> {
    let mut parts: Vec<_> = play.split(' ').collect();
    parts.sort_unstable();
    parts
}

#[test]
fn bearoff_roll_counts_equal_those_of_gnu_backgammon() {
    let table = BearOff::new(15);
    let mut checked = 0;
    for line in lines("rolls ") {
        let numbers: Vec<f64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
        let (home, rest) = numbers.split_at(6);
        let held: Vec<_> = (1..).zip(home.iter().map(|&count| count as u8)).collect();
        let side = position(&held, &[(1, 15)]).mine();
        let (mean, per_cent) = rest.split_first().unwrap();
        // GNU Backgammon stores 16 bits per probability and chooses plays by the stored values.
        assert!((table.mean_rolls(side).unwrap() - mean).abs() < 1e-3, "{line}");
        let (first, rolls) = table.rolls(side).unwrap();
        for (rolls_taken, expected) in (1..).zip(per_cent) {
            let at = usize::checked_sub(rolls_taken, first).and_then(|at| rolls.get(at));
            let got = 100.0 * f64::from(*at.unwrap_or(&0.0));
            assert!((got - expected).abs() < 1e-2, "{rolls_taken} rolls: {got} for {line}");
        }
        checked += 1;
    }
    assert_eq!(checked, 60);
}
