//! Slow second implementation of the move rules, written from the published rules: a board, one checker after another,
//! both orders of the dice, and the requirements for the whole turn at the end.

use vivarium_envs::backgammon::{BAR, OFF, Position, Roll};

/// A backgammon board from the view of one player. A positive number counts the checkers of this player on a point, a
/// negative number the checkers of the opponent.
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

    /// Returns the board after a checker has moved by `die` from the point `from` (25: the bar); `None` if the move is
    /// illegal.
    pub fn moved(&self, from: usize, die: usize) -> Option<Self> {
        let mut next = *self;
        // Removes the checker from its source.
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
        // Bears the checker off if the rules allow it.
        if from <= die {
            let any_outside = (7..=24).any(|point| self.points[point] > 0);
            let any_behind = (from + 1..=6).any(|point| self.points[point] > 0);
            if any_outside || (from < die && any_behind) {
                return None;
            }
            return Some(next);
        }
        // Otherwise moves the checker to a point, where it may hit a blot.
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

    /// Iterates over the boards that result from each legal move of one checker by `die`.
    fn moves(&self, die: usize) -> impl Iterator<Item = Self> + '_ {
        (1..=BAR).filter_map(move |from| self.moved(from, die))
    }
}

/// Sorts the boards, removes duplicates, and returns the result.
fn set(mut boards: Vec<Board>) -> Vec<Board> {
    boards.sort_unstable();
    boards.dedup();
    boards
}

/// Returns the boards that result from each of `boards` by one legal move of a checker by `die`, sorted and without
/// duplicates.
fn step(boards: &[Board], die: usize) -> Vec<Board> {
    set(boards.iter().flat_map(|board| board.moves(die)).collect())
}

/// Returns the boards that result from all legal plays of a roll, sorted and without duplicates, from the view of the
/// player who made the play.
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

/// Returns the number of checkers that the player on roll has borne off.
pub fn off(position: &Position) -> u8 {
    position.mine().count(OFF)
}
