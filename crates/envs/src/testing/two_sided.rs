//! Two-sided races and bear-offs: exact values of optimal play with few checkers, by recursion.

use crate::backgammon::{CHECKERS, OFF, Plays, Position, PositionClass, Roll};
use std::cell::RefCell;
use std::collections::HashMap;

/// Exact win probabilities of the player on roll under optimal play, for races and bear-offs in which each side has a limited
/// number of checkers. With fewer than fifteen checkers no gammon is possible, so the equity is 2 ·
/// probability − 1.
pub struct TwoSided {
    checkers: u8,
    known: RefCell<HashMap<Position, f64>>,
}

impl TwoSided {
    /// Creates an empty table for positions with at most `checkers` checkers on each side.
    pub fn new(checkers: u8) -> Self {
        Self { checkers, known: RefCell::default() }
    }

    /// Returns the win probability of the player on roll; `None` if a side has too many checkers, or the sides have contact.
    pub fn win_probability(&self, position: &Position) -> Option<f64> {
        let sides = [position.mine(), position.theirs()];
        let is_race = position.class() != PositionClass::Contact;
        let is_short = sides.iter().all(|side| CHECKERS - side.count(OFF) <= self.checkers);
        (is_race && is_short).then(|| win(*position, &mut Plays::new(), &mut self.known.borrow_mut()))
    }
}

fn win(position: Position, plays: &mut Plays, known: &mut HashMap<Position, f64>) -> f64 {
    if position.theirs().count(OFF) == CHECKERS {
        return 0.0;
    }
    if let Some(&win) = known.get(&position) {
        return win;
    }
    let mut probability = 0.0;
    for roll in Roll::ALL {
        plays.generate(&position, roll);
        let after: Vec<_> = plays.iter().map(|play| play.after.mirrored()).collect();
        // Win probability of the opponent after the best play.
        let best = after.into_iter().map(|position| win(position, plays, known)).fold(1.0, f64::min);
        probability += f64::from(roll.permutations()) / 36.0 * (1.0 - best);
    }
    known.insert(position, probability);
    probability
}
