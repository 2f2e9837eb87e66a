//! Two-sided bear-off: the exact value of perfect play when few checkers are left.

use super::bearoff::{alone, home_of, next, positions, rank};
use super::dice::Roll;
use super::plays::Plays;
use super::position::Position;
use super::side::{CHECKERS, OFF, Side};

/// The exact probability that the player on roll wins, both playing perfectly, for all positions in which
/// each has at most so many checkers, all of them at home. Computed when made; as many numbers as positions
/// of one side, squared: 853,776 for six checkers.
///
/// With fewer than fifteen checkers no gammon is possible: the equity is 2 · probability − 1.
pub struct TwoSided {
    checkers: u8,
    /// Positions of one side.
    len: usize,
    /// `[mine, theirs]`.
    win: Vec<f64>,
}

impl TwoSided {
    /// The most checkers of a side that a table is made for.
    pub const MOST_CHECKERS: u8 = 6;

    /// The table of positions of up to `checkers` checkers a side, 0 to
    /// [`MOST_CHECKERS`](Self::MOST_CHECKERS).
    pub fn new(checkers: u8) -> Self {
        let checkers = checkers.min(Self::MOST_CHECKERS);
        let len = positions(6, checkers) as usize;
        let mut table = Self { checkers, len, win: vec![0.0; len * len] };
        let afters = afters(checkers, len);
        // A play leads to a lower number of one side, so that the sum of both falls. Number 0 is a side that
        // has won: its row stays 0 where it is on roll too late, as nobody asks for the position in which
        // both have.
        for sum in 0..2 * len - 1 {
            for theirs in sum.saturating_sub(len - 1)..len.min(sum + 1) {
                let mine = sum - theirs;
                table.win[mine * len + theirs] = match (mine, theirs) {
                    (0, _) => 1.0,
                    (_, 0) => 0.0,
                    _ => table.of_rolls(&afters[mine], theirs),
                };
            }
        }
        table
    }

    /// The value of a position from the numbers that each roll can lead to.
    fn of_rolls(&self, afters: &[Vec<u32>], theirs: usize) -> f64 {
        // The opponent's chances after the best play.
        let row = &self.win[theirs * self.len..(theirs + 1) * self.len];
        let best = |after: &[u32]| after.iter().map(|&mine| row[mine as usize]).fold(1.0, f64::min);
        let rolls = Roll::ALL.iter().zip(afters);
        rolls.map(|(roll, after)| f64::from(roll.ways()) / 36.0 * (1.0 - best(after))).sum()
    }

    /// The probability that the player on roll wins; `None` for a position that the table does not have.
    pub fn win_probability(&self, position: &Position) -> Option<f64> {
        let index = |side: Side| {
            let has = side.highest() <= 6 && CHECKERS - side.count(OFF) <= self.checkers;
            has.then(|| rank(&home_of(side), self.checkers) as usize)
        };
        Some(self.win[index(position.mine)? * self.len + index(position.theirs)?])
    }
}

/// For each position of a side and each roll, the numbers of the positions that it can lead to.
fn afters(checkers: u8, len: usize) -> Vec<Vec<Vec<u32>>> {
    let mut plays = Plays::new();
    let mut home = [0; 6];
    let mut of_position = |home: &[u8; 6]| {
        let position = alone(home);
        let mut of_roll = |roll| {
            plays.generate(&position, roll);
            plays.iter().map(|play| rank(&home_of(play.after.mine), checkers)).collect()
        };
        Roll::ALL.into_iter().map(&mut of_roll).collect()
    };
    let mut afters = Vec::with_capacity(len);
    for _ in 0..len {
        afters.push(of_position(&home));
        next(&mut home, checkers);
    }
    afters
}
