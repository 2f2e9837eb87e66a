//! Two-sided bear-off: the exact value of perfect play when few checkers are left, by plain recursion.

use std::cell::RefCell;
use std::collections::HashMap;
use vivarium_envs::backgammon::{CHECKERS, OFF, Plays, Position, Roll};

/// The exact probability that the player on roll wins, both playing perfectly, for positions in which each has at most so many
/// checkers, all of them at home. With fewer than fifteen checkers no gammon is possible: the equity is 2 · probability − 1.
pub struct TwoSided {
    checkers: u8,
    known: RefCell<HashMap<Position, f64>>,
}

impl TwoSided {
    pub fn new(checkers: u8) -> Self {
        Self { checkers, known: RefCell::default() }
    }

    /// The probability that the player on roll wins; `None` for a position with more checkers, or with some that are not at
    /// home.
    pub fn win_probability(&self, position: &Position) -> Option<f64> {
        let sides = [position.mine(), position.theirs()];
        let is_at_home = sides.iter().all(|side| side.highest() <= 6);
        let is_short = sides.iter().all(|side| CHECKERS - side.count(OFF) <= self.checkers);
        (is_at_home && is_short).then(|| win(*position, &mut Plays::new(), &mut self.known.borrow_mut()))
    }
}

fn win(position: Position, plays: &mut Plays, known: &mut HashMap<Position, f64>) -> f64 {
    if position.theirs().count(OFF) == CHECKERS {
        return 0.0;
    }
    if let Some(&win) = known.get(&position) {
        return win;
    }
    let mut chances = 0.0;
    for roll in Roll::ALL {
        plays.generate(&position, roll);
        let after: Vec<_> = plays.iter().map(|play| play.after.mirrored()).collect();
        // The opponent's chances after the best play.
        let best = after.into_iter().map(|position| win(position, plays, known)).fold(1.0, f64::min);
        chances += f64::from(roll.permutations()) / 36.0 * (1.0 - best);
    }
    known.insert(position, chances);
    chances
}
