//! Opening rolls and replies: the plays of `vivarium hint`, compared with GNU Backgammon at 2 plies.

use crate::common::ProgramFolder;
use serde_json::Value;
use vivarium_envs::backgammon::{Play, Plays, Position, Xgid};

/// Plays with equities of GNU Backgammon: 15 opening rolls and 10 replies; see `gnubg_openings.py` in the same folder.
const RECORD: &str = include_str!("../../../envs/tests/fixtures/gnubg_openings.txt");
/// Number of opening rolls, the first lines of the record.
const OPENINGS: usize = 15;

/// Position with a roll, and the plays of GNU Backgammon with their equities, the best first.
struct Decision {
    xgid: &'static str,
    position: Position,
    legal: Plays,
    plays: Vec<(Play, f64)>,
}

impl Decision {
    fn parse(line: &'static str) -> Self {
        let mut fields = line.split(';');
        let xgid = fields.next().unwrap();
        let Xgid { position, state, .. } = Xgid::parse(xgid).unwrap();
        let mut legal = Plays::new();
        legal.generate(&position, state.roll.unwrap());
        let play = |field: &str| {
            let (play, equity) = field.rsplit_once(' ').unwrap();
            (legal.find(&position, play).unwrap(), equity.parse().unwrap())
        };
        let plays = fields.map(play).collect();
        Self { xgid, position, legal, plays }
    }

    /// Returns the equity that a play loses by the record.
    fn loss(&self, play: &str) -> f64 {
        let play = self.legal.find(&self.position, play).unwrap();
        let recorded = self.plays.iter().find(|(other, _)| other.after == play.after);
        self.plays[0].1 - recorded.unwrap_or_else(|| panic!("{}: a poor play", self.xgid)).1
    }
}

/// Returns the opening rolls, and the replies.
fn decisions() -> (Vec<Decision>, Vec<Decision>) {
    let mut openings: Vec<_> = RECORD.lines().map(Decision::parse).collect();
    let replies = openings.split_off(OPENINGS);
    assert_eq!(replies.len(), 10);
    (openings, replies)
}

/// Returns the losses of the plays that `hint` chooses with `options`, and prints the number of plays that are best.
fn losses(decisions: &[Decision], options: &[&str]) -> Vec<f64> {
    let lines: String = decisions.iter().map(|decision| format!("{}\n", decision.xgid)).collect();
    let folder = ProgramFolder::new(&format!("openings{}", options.concat()));
    let said = folder.run_with(&[&["hint", "-", "--json"], options].concat(), &lines).success();
    let chosen = said.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let loss = |(decision, hint): (&Decision, Value)| {
        let play = hint["plays"][0]["play"].as_str().unwrap();
        let loss = decision.loss(play);
        if loss > 0.0 {
            println!("{options:?}: {} {play} loses {loss:.3}", decision.xgid);
        }
        loss
    };
    let losses: Vec<_> = decisions.iter().zip(chosen).map(loss).collect();
    assert_eq!(losses.len(), decisions.len());
    let best = losses.iter().filter(|loss| **loss == 0.0).count();
    println!("{options:?}: {best} of {} plays are the best of GNU Backgammon", losses.len());
    losses
}

/// Asserts that all plays lose at most `most`, and at least `good` plays at most 0.005.
fn assert_small(losses: &[f64], most: f64, good: usize) {
    assert!(losses.iter().filter(|loss| **loss <= 0.0051).count() >= good, "{losses:?}");
    assert!(losses.iter().all(|loss| *loss <= most), "{losses:?}");
}

#[test]
fn openings_and_replies_at_the_default_agree_with_gnu_backgammon() {
    let (openings, replies) = decisions();
    assert_small(&losses(&openings, &[]), 0.005, 15);
    assert_small(&losses(&replies, &[]), 0.02, 9);
}

// The openings would take half a minute more.
#[test]
fn replies_at_two_plies_agree_with_gnu_backgammon() {
    let (_, replies) = decisions();
    assert_small(&losses(&replies, &["--plies", "2"]), 0.05, 8);
}

/// The plays of an opening are in the order of their equities, and the best one loses nothing.
#[test]
fn the_table_of_a_searched_opening_is_ranked_by_equity() {
    let folder = ProgramFolder::new("opening-table");
    let said = folder.run(&["hint", "4HPwATDgc/ABMA", "--dice", "64"]).success();
    assert!(said.contains("a search of 800 simulations"), "{said}");
    let rows = said.lines().skip_while(|line| !line.contains("equity   loses")).skip(1).take(5);
    let rows: Vec<(f64, &str)> = rows
        .map(|row| {
            let words: Vec<_> = row.split("  ").map(str::trim).filter(|word| !word.is_empty()).collect();
            assert!(!words[1].ends_with('*'), "{said}");
            (words[1].parse().unwrap(), words[2])
        })
        .collect();
    assert!(rows.len() == 5 && rows[0].1 == "–", "{said}");
    assert!(rows.is_sorted_by(|(one, _), (other, _)| one >= other), "{said}");
    for (equity, loss) in &rows[1..] {
        let loss = if *loss == "–" { 0.0 } else { loss.parse().unwrap() };
        assert!((rows[0].0 - equity - loss).abs() < 0.0016, "{said}");
    }
}
