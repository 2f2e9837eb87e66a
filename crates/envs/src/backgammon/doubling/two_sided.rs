//! Two-sided bear-off table: exact winning probabilities and equities of bear-offs with few checkers.

use super::equity_by_owner::EquityByOwner;
use crate::backgammon::bearoff::{HOME_POINTS, alone, home_of, next, positions, rank};
use crate::backgammon::dice::Roll;
use crate::backgammon::plays::Plays;
use crate::backgammon::position::Position;
use crate::backgammon::side::{CHECKERS, OFF, Side};
use std::sync::LazyLock;

/// Two-sided bear-off table: all pairs of placements of up to [`CHECKERS`](Self::CHECKERS) checkers of each player in the
/// home boards, 853,776 pairs. No gammon is possible.
///
/// The winning probability is that of optimal play without a doubling cube; the equities are those of optimal play and
/// optimal doubling decisions for money. The constructor computes the table by a recursion over all rolls and plays.
pub struct TwoSidedBearOff {
    /// Placements that the plays of a roll reach, as ranks.
    reached: Vec<u16>,
    /// End of the range in `reached`, by `Roll::COUNT · rank + index of the roll`. A range starts at the previous end.
    ends: Vec<u32>,
    /// Values of the player who has moved to a placement, by `placements · rank of the opponent, who is on roll + rank`.
    after: Vec<AfterPlay>,
}

/// Values of a player after a play: winning probability without a doubling cube, and equities with a centered doubling cube,
/// with an own one, and with the opponent's, in units of its value.
type AfterPlay = [f64; 4];

/// Winning probability and equities of the player on roll, before the roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactBearOff {
    /// Winning probability without a doubling cube.
    pub win: f64,
    /// Equities after the decision not to double.
    pub(super) equities: EquityByOwner,
}

impl TwoSidedBearOff {
    /// Maximum number of checkers of a player.
    pub const CHECKERS: u8 = 6;
    /// Number of placements of one player.
    const PLACEMENTS: usize = positions(HOME_POINTS, Self::CHECKERS) as usize;

    /// Returns the values of the player on roll in a shared table, which is computed when a position in it is first needed.
    /// `None` if a player has more checkers than the table, or none, or a checker outside the home board.
    pub fn lookup(position: &Position) -> Option<ExactBearOff> {
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
            after: vec![[1.0; 4]; Self::PLACEMENTS * Self::PLACEMENTS],
        };
        let (mut home, mut plays) = ([0; HOME_POINTS], Plays::new());
        for _ in 0..Self::PLACEMENTS {
            table.push_plays(&home, &mut plays);
            next(&mut home, Self::CHECKERS);
        }
        // A play leads to a lower rank, so that all values of lower ranks come first. The values at rank 0, where the player
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

    /// Stores the values of the player who has moved to the placement `theirs`, while the opponent at `mine` is on roll.
    fn solve(&mut self, mine: usize, theirs: usize) {
        let ExactBearOff { win, equities } = self.before_roll(mine, theirs);
        let EquityByOwner { center, mine: owned, theirs: other } = equities;
        self.after[mine * Self::PLACEMENTS + theirs] =
            [1.0 - win, -equities.doubled(center), -other, -equities.doubled(owned)];
    }

    /// Returns the values of the player on roll at the placement `mine`, whose opponent is at `theirs`.
    fn before_roll(&self, mine: usize, theirs: usize) -> ExactBearOff {
        let after = &self.after[theirs * Self::PLACEMENTS..(theirs + 1) * Self::PLACEMENTS];
        let first = Roll::COUNT * mine;
        let mut start = if first == 0 { 0 } else { self.ends[first - 1] as usize };
        let mut mean = [0.0; 4];
        for (roll, &end) in Roll::ALL.into_iter().zip(&self.ends[first..first + Roll::COUNT]) {
            let mut best = [f64::NEG_INFINITY; 4];
            for &rank in &self.reached[start..end as usize] {
                for (best, value) in best.iter_mut().zip(&after[usize::from(rank)]) {
                    *best = best.max(*value);
                }
            }
            start = end as usize;
            for (mean, best) in mean.iter_mut().zip(best) {
                *mean += f64::from(roll.permutations()) / 36.0 * best;
            }
        }
        let [win, center, mine, theirs] = mean;
        ExactBearOff { win, equities: EquityByOwner { center, mine, theirs } }
    }

    fn rank(side: Side) -> u16 {
        rank(&home_of(side), Self::CHECKERS) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::super::bearoff;
    use super::super::{CUBE_LIFE, DoublingContext, DoublingDecision};
    use super::*;
    use crate::backgammon::Match;
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
    fn equities_are_those_of_the_recursion() {
        let mut random = Stream::new(1, 0);
        for count in 0..300 {
            // All positions with three checkers on each side, and low positions with more.
            let (checkers, highest) = match count % 3 {
                0 => ([3, 3], 6),
                1 => ([2, 6], 3),
                _ => ([6, 6], 2),
            };
            let position = random_position(&mut random, checkers, highest);
            let equities = TwoSidedBearOff::lookup(&position).unwrap().equities;
            for jacoby in [false, true] {
                let expected = bearoff::recursion(&position, jacoby).unwrap();
                for (found, expected) in [
                    (equities.center, expected.center),
                    (equities.mine, expected.mine),
                    (equities.theirs, expected.theirs),
                ] {
                    assert!((found - expected).abs() < 1e-12, "{position:?}: {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn winning_probabilities_are_those_of_the_reference() {
        let reference = TwoSided::new(4);
        let mut random = Stream::new(2, 0);
        for _ in 0..300 {
            let position = random_position(&mut random, [4, 4], 6);
            let [found, expected] = [
                TwoSidedBearOff::lookup(&position).unwrap().win,
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
            assert_eq!(TwoSidedBearOff::lookup(&position), None, "{checkers:?}");
        }
        assert_eq!(TwoSidedBearOff::lookup(&Position::START), None);
    }

    /// Compares the formula with exact equities in 1,000 random positions of 5 or 6 checkers a player.
    #[test]
    fn the_formula_is_close_to_exact_equities() {
        let mut random = Stream::new(4, 0);
        let context = DoublingContext::new(&Match::MONEY).unwrap();
        let (mut error, mut worst, mut cost, mut actions) = (0.0, 0.0_f64, 0.0, 0);
        let count = 1_000;
        for _ in 0..count {
            let checkers = [5 + random.below(2) as u8, 5 + random.below(2) as u8];
            let position = random_position(&mut random, checkers, 6);
            let [no_double, double_take] = bearoff::exact(&position, &context).unwrap();
            let exact = DoublingDecision { no_double, double_take, double_pass: 1.0 };
            let (win, is_last) = bearoff::win_probability(&position).unwrap();
            let cube_life = if is_last { 0.0 } else { CUBE_LIFE };
            let formula = DoublingDecision::new([win as f32, 0.0, 0.0, 0.0, 0.0], &context, cube_life);
            let difference = (formula.no_double - no_double).abs();
            error += difference;
            worst = worst.max(difference);
            actions += usize::from(formula.action() != exact.action());
            let best = exact.no_double.max(exact.double());
            let chosen = if formula.double() > formula.no_double { exact.double() } else { exact.no_double };
            cost += best - chosen;
        }
        let mean = error / f64::from(count);
        println!(
            "no double: mean error {mean:.4}, largest {worst:.3} points; {actions} of {count} actions differ, which costs {:.4} \
             points a decision",
            cost / f64::from(count)
        );
        assert!(mean < 0.1 && worst < 0.6, "{mean} {worst}");
        assert!(actions < 300, "{actions}");
    }
}
