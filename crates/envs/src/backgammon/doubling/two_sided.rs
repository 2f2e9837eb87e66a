//! Two-sided bear-off table: exact winning probabilities of bear-offs with few checkers.

use crate::backgammon::bearoff::{HOME_POINTS, alone, home_of, next, positions, rank};
use crate::backgammon::dice::Roll;
use crate::backgammon::plays::Plays;
use crate::backgammon::position::Position;
use crate::backgammon::side::{CHECKERS, OFF, Side};
use std::sync::LazyLock;

/// Two-sided bear-off table: winning probabilities of all pairs of placements of up to [`CHECKERS`](Self::CHECKERS) checkers of
/// each player in the home boards, 853,776 pairs, under optimal play without a doubling cube. No gammon is possible.
///
/// The constructor computes the table by a recursion over all rolls and plays.
pub struct TwoSidedBearOff {
    /// Placements that the plays of a roll reach, as ranks.
    reached: Vec<u16>,
    /// End of the range in `reached`, by `Roll::COUNT · rank + index of the roll`. A range starts at the previous end.
    ends: Vec<u32>,
    /// Winning probabilities of the player who has moved to a placement, by `placements · rank of the opponent, who is on roll +
    /// rank`.
    after: Vec<f64>,
}

impl TwoSidedBearOff {
    /// Maximum number of checkers of a player.
    pub const CHECKERS: u8 = 6;
    /// Number of placements of one player.
    const PLACEMENTS: usize = positions(HOME_POINTS, Self::CHECKERS) as usize;

    /// Returns the winning probability of the player on roll in a shared table, which is computed when a position in it is first
    /// needed. `None` if a player has more checkers than the table, or none, or a checker outside the home board.
    pub fn win_probability(position: &Position) -> Option<f64> {
        static TABLE: LazyLock<TwoSidedBearOff> = LazyLock::new(TwoSidedBearOff::new);
        let contains = |side: Side| {
            side.highest() <= HOME_POINTS && (1..=Self::CHECKERS).contains(&(CHECKERS - side.count(OFF)))
        };
        if !contains(position.mine) || !contains(position.theirs) {
            return None;
        }
        let [mine, theirs] = [position.mine, position.theirs].map(|side| usize::from(Self::rank(side)));
        Some(TABLE.before_roll(mine, theirs))
    }

    fn new() -> Self {
        let mut table = Self {
            reached: Vec::new(),
            ends: Vec::with_capacity(Roll::COUNT * Self::PLACEMENTS),
            after: vec![1.0; Self::PLACEMENTS * Self::PLACEMENTS],
        };
        let (mut home, mut plays) = ([0; HOME_POINTS], Plays::new());
        for _ in 0..Self::PLACEMENTS {
            table.push_plays(&home, &mut plays);
            next(&mut home, Self::CHECKERS);
        }
        // A play leads to a lower rank, so that all probabilities of lower ranks come first. Those at rank 0, where the player
        // has won, are set.
        for highest in 1..Self::PLACEMENTS {
            for lower in 1..highest {
                table.solve(highest, lower);
            }
            for lower in 1..=highest {
                table.solve(lower, highest);
            }
        }
        table
    }

    /// Appends the plays of all rolls with the placement `home`.
    fn push_plays(&mut self, home: &[u8; HOME_POINTS], plays: &mut Plays) {
        let position = alone(home);
        for roll in Roll::ALL {
            if position.mine.count(OFF) < CHECKERS {
                plays.generate(&position, roll);
                let mut ranks: Vec<u16> = plays.iter().map(|play| Self::rank(play.after.mine)).collect();
                ranks.sort_unstable();
                ranks.dedup();
                self.reached.extend(ranks);
            }
            self.ends.push(self.reached.len() as u32);
        }
    }

    /// Stores the winning probability of the player who has moved to the placement `theirs`, while the opponent at `mine` is on
    /// roll.
    fn solve(&mut self, mine: usize, theirs: usize) {
        self.after[mine * Self::PLACEMENTS + theirs] = 1.0 - self.before_roll(mine, theirs);
    }

    /// Returns the winning probability of the player on roll at the placement `mine`, whose opponent is at `theirs`.
    fn before_roll(&self, mine: usize, theirs: usize) -> f64 {
        let after = &self.after[theirs * Self::PLACEMENTS..(theirs + 1) * Self::PLACEMENTS];
        let first = Roll::COUNT * mine;
        let mut start = if first == 0 { 0 } else { self.ends[first - 1] as usize };
        let mut win = 0.0;
        for (roll, &end) in Roll::ALL.into_iter().zip(&self.ends[first..first + Roll::COUNT]) {
            let reached = &self.reached[start..end as usize];
            let best = reached.iter().map(|&rank| after[usize::from(rank)]).fold(0.0, f64::max);
            start = end as usize;
            win += f64::from(roll.permutations()) / 36.0 * best;
        }
        win
    }

    fn rank(side: Side) -> u16 {
        rank(&home_of(side), Self::CHECKERS) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::side::PLACES;
    use crate::testing::TwoSided;
    use vivarium_kernels::rng::Stream;

    /// Returns a random placement of `checkers` checkers on the points up to `highest`.
    fn random_side(random: &mut Stream, checkers: u8, highest: u32) -> Side {
        let mut counts = [0; PLACES];
        (0..checkers).for_each(|_| counts[1 + random.below(highest) as usize] += 1);
        counts[OFF] = CHECKERS - checkers;
        Side::from_counts(&counts)
    }

    fn random_position(random: &mut Stream, checkers: [u8; 2], highest: u32) -> Position {
        let [mine, theirs] = checkers.map(|checkers| random_side(random, checkers, highest));
        Position { mine, theirs }
    }

    #[test]
    fn winning_probabilities_are_those_of_the_reference() {
        let reference = TwoSided::new(4);
        let mut random = Stream::new(2, 0);
        for _ in 0..300 {
            let position = random_position(&mut random, [4, 4], 6);
            let [found, expected] = [
                TwoSidedBearOff::win_probability(&position).unwrap(),
                reference.win_probability(&position).unwrap(),
            ];
            assert!((found - expected).abs() < 1e-6, "{position:?}: {found} {expected}");
        }
    }

    #[test]
    fn other_positions_are_not_in_the_table() {
        let mut random = Stream::new(3, 0);
        for checkers in [[7, 2], [2, 7], [0, 2], [2, 0]] {
            let position = random_position(&mut random, checkers, 6);
            assert_eq!(TwoSidedBearOff::win_probability(&position), None, "{checkers:?}");
        }
        assert_eq!(TwoSidedBearOff::win_probability(&Position::START), None);
    }
}
