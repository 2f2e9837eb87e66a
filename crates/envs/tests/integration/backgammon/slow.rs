//! Slow second implementation of the move rules, written from the published rules: a board, one checker after another,
//! both orders of the dice, and the requirements for the whole turn at the end.

use vivarium_envs::backgammon::{BAR, OFF, Position, Roll};

/// A board from one player's view: positive counts are that player's checkers, negative counts the opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Board {
    pub points: [i8; 25],
    pub bar: i8,
    pub their_bar: i8,
}

impl Board {
    pub fn of(position: &Position) -> Self {
        let mut points = [0; 25];
        for (point, checkers) in points.iter_mut().enumerate().skip(1) {
            *checkers = position.mine().count(point) as i8 - position.theirs().count(25 - point) as i8;
        }
        let bar = |side: vivarium_envs::backgammon::Side| side.count(BAR) as i8;
        Self { points, bar: bar(position.mine()), their_bar: bar(position.theirs()) }
    }

    /// Returns the board after moving a checker from a point or the bar (25) by a die; `None` if illegal.
    pub fn moved(&self, from: usize, die: usize) -> Option<Self> {
        let mut next = *self;
        // The checker leaves.
        if from == BAR {
            if self.bar == 0 {
                return None;
            }
            next.bar -= 1;
        } else {
            if self.bar > 0 || self.points[from] <= 0 {
                return None;
            }
            next.points[from] -= 1;
        }
        // It is borne off …
        if from <= die {
            let any_outside = (7..=24).any(|point| self.points[point] > 0);
            let any_behind = (from + 1..=6).any(|point| self.points[point] > 0);
            if any_outside || (from < die && any_behind) {
                return None;
            }
            return Some(next);
        }
        // … or it comes to a point.
        let to = from - die;
        match self.points[to] {
            -1 => {
                next.points[to] = 1;
                next.their_bar += 1;
            }
            held if held < -1 => return None,
            _ => next.points[to] += 1,
        }
        Some(next)
    }

    /// Returns all boards after one more move by a die.
    fn moves(&self, die: usize) -> impl Iterator<Item = Self> + '_ {
        (1..=BAR).filter_map(move |from| self.moved(from, die))
    }
}

/// Sorts the boards and removes duplicates.
fn set(mut boards: Vec<Board>) -> Vec<Board> {
    boards.sort_unstable();
    boards.dedup();
    boards
}

/// Returns all boards that one more move by a die leads to from any of `boards`, without duplicates.
fn step(boards: &[Board], die: usize) -> Vec<Board> {
    set(boards.iter().flat_map(|board| board.moves(die)).collect())
}

/// Returns the boards after all legal plays of a roll in a position, sorted.
pub fn plays(position: &Position, roll: Roll) -> Vec<Board> {
    let start = vec![Board::of(position)];
    let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
    if roll.is_double() {
        let mut boards = start;
        for _ in 0..4 {
            let next = step(&boards, high);
            if next.is_empty() {
                break;
            }
            boards = next;
        }
        return boards;
    }
    let (by_high, by_low) = (step(&start, high), step(&start, low));
    let both = set([step(&by_high, low), step(&by_low, high)].concat());
    [both, by_high, by_low, start].into_iter().find(|boards| !boards.is_empty()).unwrap()
}

/// Returns the number of the player's checkers borne off.
pub fn off(position: &Position) -> u8 {
    position.mine().count(OFF)
}
