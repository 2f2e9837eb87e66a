//! One-sided bear-off table: the distribution of the number of rolls that a player needs to bear off all checkers.

use super::dice::Roll;
use super::plays::Plays;
use super::position::Position;
use super::side::{CHECKERS, OFF, PLACES, Side};
use std::sync::LazyLock;

/// Number of points of a home board.
pub(super) const HOME_POINTS: usize = 6;

/// One-sided bear-off table: for each position of the home board, the distribution of the number of rolls until all
/// checkers, or the first one of 15, are borne off.
///
/// The distribution assumes that each play minimizes the mean number of rolls. The constructor computes the table:
/// 54,264 positions for up to 15 checkers.
pub struct BearOff {
    checkers: u8,
    /// Number of checkers at which the goal is reached.
    goal: u8,
    /// `[positions + 1]`: index of each position's first probability in `probabilities`. The last entry is the length
    /// of `probabilities`.
    starts: Vec<u32>,
    /// `[positions]`: for each position, the number of leading probabilities (for 0, 1, … rolls) that are 0 and
    /// therefore not stored.
    leading_zeros: Vec<u8>,
    probabilities: Vec<f32>,
    mean_rolls: Vec<f64>,
}

impl BearOff {
    /// Returns the shared table of all bear-offs in which both players have borne off a checker, so that no gammon is
    /// possible. The table is computed at first use.
    pub fn without_gammons() -> &'static Self {
        static TABLE: LazyLock<BearOff> = LazyLock::new(|| BearOff::new(CHECKERS - 1));
        &TABLE
    }

    /// Returns the shared table of all bear-offs. The table is computed at first use.
    pub(super) fn whole() -> &'static Self {
        static TABLE: LazyLock<BearOff> = LazyLock::new(|| BearOff::new(CHECKERS));
        &TABLE
    }

    /// Returns the shared table of the number of rolls until the first of 15 checkers is borne off. The table is computed
    /// at first use.
    pub(super) fn of_first_checker() -> &'static Self {
        static TABLE: LazyLock<BearOff> = LazyLock::new(|| BearOff::until(CHECKERS - 1, CHECKERS));
        &TABLE
    }

    /// Computes the table of positions with up to `checkers` checkers, 0 to 15.
    pub fn new(checkers: u8) -> Self {
        Self::until(0, checkers.min(CHECKERS))
    }

    /// Computes the table of the number of rolls until at most `goal` of up to `checkers` checkers are left.
    fn until(goal: u8, checkers: u8) -> Self {
        let len = positions(HOME_POINTS, checkers) as usize;
        let mut table = Self {
            checkers,
            goal,
            starts: Vec::with_capacity(len + 1),
            leading_zeros: Vec::with_capacity(len),
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

    /// Computes the distribution of the number of rolls for the home-board position `home`, and appends the
    /// distribution to the table. All plays must lead to positions that are already in the table.
    fn solve(&mut self, home: &[u8; HOME_POINTS], plays: &mut Plays) {
        if home.iter().sum::<u8>() <= self.goal {
            return self.push(&[1.0], 0.0);
        }
        // 15 checkers on the six point need at most 30 rolls, even if each is 2-1.
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
            let probability = f64::from(roll.permutations()) / 36.0;
            mean += probability * self.mean_rolls[best];
            let first = usize::from(self.leading_zeros[best]) + 1;
            let after = self.of_rank(best);
            longest = longest.max(first + after.len());
            for (sum, &after) in rolls[first..].iter_mut().zip(after) {
                *sum += probability * f64::from(after);
            }
        }
        self.push(&rolls[..longest], mean);
    }

    /// Appends a position to the table. `rolls` holds the probabilities that bearing off all checkers takes 0, 1, 2, …
    /// rolls; `mean` is the mean number of rolls.
    fn push(&mut self, rolls: &[f64], mean: f64) {
        let leading_zeros = rolls.iter().take_while(|&&probability| probability == 0.0).count();
        self.leading_zeros.push(leading_zeros as u8);
        self.probabilities.extend(rolls[leading_zeros..].iter().map(|&probability| probability as f32));
        self.starts.push(self.probabilities.len() as u32);
        self.mean_rolls.push(mean);
    }

    /// Returns the number of positions in the table.
    pub fn len(&self) -> usize {
        self.mean_rolls.len()
    }

    /// Returns `false`: the table always contains the position without checkers.
    pub fn is_empty(&self) -> bool {
        self.mean_rolls.is_empty()
    }

    /// Returns the mean number of rolls that `side` needs to bear off. Returns `None` if the side has too many checkers
    /// for the table, or a checker outside the home board.
    pub fn mean_rolls(&self, side: Side) -> Option<f64> {
        Some(self.mean_rolls[self.index(side)?])
    }

    /// Returns the distribution of the number of rolls that `side` needs to bear off, as (`first`, probabilities of
    /// `first`, `first` + 1, … rolls). All other probabilities are 0. Returns `None` if the table does not contain the
    /// position of `side`.
    pub fn rolls(&self, side: Side) -> Option<(usize, &[f32])> {
        let rank = self.index(side)?;
        Some((self.leading_zeros[rank].into(), self.of_rank(rank)))
    }

    /// Returns the probability that the player on roll bears off first, if both players minimize their mean number of
    /// rolls. Returns `None` if the table does not contain the checkers of both players.
    ///
    /// To minimize the mean number of rolls is not optimal, because this goal ignores the opponent's position. The
    /// result is within a few thousandths of the probability under optimal play.
    pub fn win_probability(&self, position: &Position) -> Option<f64> {
        let (first, mine) = self.rolls(position.mine)?;
        let (their_first, theirs) = self.rolls(position.theirs)?;
        // The player on roll wins if the opponent needs at least as many rolls.
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

/// Returns the number of checkers of `side` on each of the points 1 to 6.
pub(super) fn home_of(side: Side) -> [u8; HOME_POINTS] {
    std::array::from_fn(|point| side.count(point + 1))
}

/// Returns the position with `home` checkers on points 1 to 6 and all other checkers borne off, against an opponent
/// that blocks no point.
pub(super) fn alone(home: &[u8; HOME_POINTS]) -> Position {
    let mut counts = [0; PLACES];
    counts[1..=HOME_POINTS].copy_from_slice(home);
    counts[OFF] = CHECKERS - home.iter().sum::<u8>();
    let mut theirs = [0; PLACES];
    theirs[1] = CHECKERS;
    Position { mine: Side::from_counts(&counts), theirs: Side::from_counts(&theirs) }
}

/// Returns the number of positions of up to `checkers` checkers on `points` points: the binomial (checkers + points
/// choose points).
pub(super) const fn positions(points: usize, checkers: u8) -> u32 {
    let (mut ways, mut point) = (1, 0);
    while point < points {
        point += 1;
        ways = ways * (checkers as u32 + point as u32) / point as u32;
    }
    ways
}

/// Precomputed results of [`positions`], `[points][checkers]`.
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

/// Returns the rank of a position in the lexicographic order of its checker counts, highest point first. Every move
/// leads to a position of lower rank.
pub(super) fn rank(home: &[u8; HOME_POINTS], checkers: u8) -> u32 {
    let (mut rank, mut left) = (0, checkers);
    for point in (0..HOME_POINTS).rev() {
        // Adds the number of positions with equal counts on all higher points and a lower count on this point: the
        // difference of two cumulative counts.
        left -= home[point];
        let all = POSITIONS[point + 1][usize::from(left + home[point])];
        rank += all - POSITIONS[point + 1][usize::from(left)];
    }
    rank
}

/// Replaces the home-board position `home` by the position whose [`rank`] is one higher.
pub(super) fn next(home: &mut [u8; HOME_POINTS], checkers: u8) {
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
