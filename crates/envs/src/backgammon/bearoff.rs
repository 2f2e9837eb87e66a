//! One-sided bear-off: in how many rolls a player whose checkers are all home bears them off.

use super::dice::Roll;
use super::plays::Plays;
use super::position::Position;
use super::side::{CHECKERS, OFF, PLACES, Side};

/// Points of a home board.
const HOME_POINTS: usize = 6;

/// For every way to have up to so many checkers on the six points of the home board, the probabilities of the
/// number of rolls that bearing them off takes, with every play chosen for the fewest rolls on average.
/// Computed when made: 54,264 positions for fifteen checkers.
pub struct BearOff {
    checkers: u8,
    /// Where the probabilities of each position start in `probabilities`, and where those of the last end.
    starts: Vec<u32>,
    /// For each position, the number of rolls before the first that can be the last.
    certain: Vec<u8>,
    probabilities: Vec<f32>,
    mean_rolls: Vec<f64>,
}

impl BearOff {
    /// The table of positions of up to `checkers` checkers, 0 to 15.
    pub fn new(checkers: u8) -> Self {
        let checkers = checkers.min(CHECKERS);
        let len = positions(HOME_POINTS, checkers) as usize;
        let mut table = Self {
            checkers,
            starts: Vec::with_capacity(len + 1),
            certain: Vec::with_capacity(len),
            probabilities: Vec::new(),
            mean_rolls: Vec::with_capacity(len),
        };
        table.starts.push(0);
        table.push(&[1.0], 0.0);

        let mut plays = Plays::new();
        let mut home = [0; HOME_POINTS];
        for _ in 1..len {
            next(&mut home, checkers);
            table.solve(&home, &mut plays);
        }
        table
    }

    /// Adds the position that follows the last one of the table, from those before it, where every play
    /// leads.
    fn solve(&mut self, home: &[u8; HOME_POINTS], plays: &mut Plays) {
        // Long enough: fifteen checkers on the six point take no more than 30 rolls even of 2-1 each.
        let mut rolls = [0.0f64; 40];
        let (mut mean, mut longest) = (1.0, 0);
        let position = alone(home);
        for roll in Roll::ALL {
            plays.generate(&position, roll);
            let rank = |side: Side| self.rank(&home_of(side)) as usize;
            let mut best = rank(plays[0].after.mine);
            for play in &plays[1..] {
                let other = rank(play.after.mine);
                if self.mean_rolls[other] < self.mean_rolls[best] {
                    best = other;
                }
            }
            let probability = f64::from(roll.ways()) / 36.0;
            mean += probability * self.mean_rolls[best];
            let first = usize::from(self.certain[best]) + 1;
            let after = self.of_rank(best);
            longest = longest.max(first + after.len());
            for (sum, &after) in rolls[first..].iter_mut().zip(after) {
                *sum += probability * f64::from(after);
            }
        }
        self.push(&rolls[..longest], mean);
    }

    /// Adds a position with the probability of each number of rolls from 0 on.
    fn push(&mut self, rolls: &[f64], mean: f64) {
        let certain = rolls.iter().take_while(|&&probability| probability == 0.0).count();
        self.certain.push(certain as u8);
        self.probabilities.extend(rolls[certain..].iter().map(|&probability| probability as f32));
        self.starts.push(self.probabilities.len() as u32);
        self.mean_rolls.push(mean);
    }

    /// How many positions the table has.
    pub fn len(&self) -> usize {
        self.mean_rolls.len()
    }

    /// Whether the table has no position; it always has that without checkers.
    pub fn is_empty(&self) -> bool {
        self.mean_rolls.is_empty()
    }

    /// The number of rolls that a side takes on average, if the table has it: at most so many checkers, all
    /// at home.
    pub fn mean_rolls(&self, side: Side) -> Option<f64> {
        Some(self.mean_rolls[self.index(side)?])
    }

    /// The probability that a side takes a number of rolls, if the table has it: those of `first` rolls,
    /// `first` + 1 and so on, as (first, probabilities). All others are 0.
    pub fn rolls(&self, side: Side) -> Option<(usize, &[f32])> {
        let rank = self.index(side)?;
        Some((self.certain[rank].into(), self.of_rank(rank)))
    }

    /// The probability that the player on roll bears off first in a race where both have their checkers home,
    /// each playing for the fewest rolls; `None` when the table does not have a side.
    ///
    /// Exact for such play. As each side plays without regard to the other, it is within some thousandths of the
    /// value of perfect play.
    pub fn win_probability(&self, position: &Position) -> Option<f64> {
        let (first, mine) = self.rolls(position.mine)?;
        let (their_first, theirs) = self.rolls(position.theirs)?;
        // The player on roll wins if the opponent takes at least as many rolls.
        let mut win = 0.0;
        let mut slower: f64 = theirs.iter().map(|&probability| f64::from(probability)).sum();
        let total = slower;
        for rolls in 0..first + mine.len() {
            if let Some(at) = rolls.checked_sub(first) {
                win += f64::from(mine[at]) * slower / total;
            }
            if let Some(&probability) = rolls.checked_sub(their_first).and_then(|at| theirs.get(at)) {
                slower -= f64::from(probability);
            }
        }
        Some(win)
    }

    fn of_rank(&self, rank: usize) -> &[f32] {
        &self.probabilities[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }

    fn index(&self, side: Side) -> Option<usize> {
        if side.highest() > HOME_POINTS || CHECKERS - side.count(OFF) > self.checkers {
            return None;
        }
        Some(self.rank(&home_of(side)) as usize)
    }

    fn rank(&self, home: &[u8; HOME_POINTS]) -> u32 {
        rank(home, self.checkers)
    }
}

/// The checkers on points 1 to 6.
fn home_of(side: Side) -> [u8; HOME_POINTS] {
    std::array::from_fn(|point| side.count(point + 1))
}

/// The position with these checkers at home and all others off, against an opponent that hinders nobody.
fn alone(home: &[u8; HOME_POINTS]) -> Position {
    let mut counts = [0; PLACES];
    counts[1..=HOME_POINTS].copy_from_slice(home);
    counts[OFF] = CHECKERS - home.iter().sum::<u8>();
    let mut theirs = [0; PLACES];
    theirs[1] = CHECKERS;
    Position { mine: Side::from_counts(&counts), theirs: Side::from_counts(&theirs) }
}

/// How many ways there are to put up to `checkers` checkers on `points` points: (checkers + points choose
/// points).
const fn positions(points: usize, checkers: u8) -> u32 {
    let (mut ways, mut point) = (1, 0);
    while point < points {
        point += 1;
        ways = ways * (checkers as u32 + point as u32) / point as u32;
    }
    ways
}

/// See [`positions`]: `[points][checkers]`.
const POSITIONS: [[u32; CHECKERS as usize + 1]; HOME_POINTS + 1] = {
    let mut table = [[0; CHECKERS as usize + 1]; HOME_POINTS + 1];
    let mut points = 0;
    while points <= HOME_POINTS {
        let mut checkers = 0;
        while checkers <= CHECKERS {
            table[points][checkers as usize] = positions(points, checkers);
            checkers += 1;
        }
        points += 1;
    }
    table
};

/// The number of a position among all of up to `checkers` checkers, in the order of the numbers that their
/// counts are the digits of, the highest point first: every move leads to a lower number.
fn rank(home: &[u8; HOME_POINTS], checkers: u8) -> u32 {
    let (mut rank, mut left) = (0, checkers);
    for point in (0..HOME_POINTS).rev() {
        // Those with the same checkers above and fewer here: all with the same or more, less those with more.
        left -= home[point];
        let all = POSITIONS[point + 1][usize::from(left + home[point])];
        rank += all - POSITIONS[point + 1][usize::from(left)];
    }
    rank
}

/// The position after another in the order of [`rank`].
fn next(home: &mut [u8; HOME_POINTS], checkers: u8) {
    let mut total: u8 = home.iter().sum();
    for count in home.iter_mut() {
        if total < checkers {
            *count += 1;
            return;
        }
        total -= *count;
        *count = 0;
    }
}
