//! Bear-offs with a doubling cube: exact equities of small bear-offs, winning probabilities of larger bear-offs.

use super::context::{DoublingContext, Score};
use super::equity_by_owner::EquityByOwner;
use crate::backgammon::bearoff::{BearOff, HOME_POINTS, home_of, positions, rank};
use crate::backgammon::dice::Roll;
use crate::backgammon::plays::Plays;
use crate::backgammon::position::Position;
use crate::backgammon::side::{CHECKERS, OFF, Side};

/// Maximum number of pairs of placements for which the recursion computes equities, which takes a fraction of a second. Three
/// checkers on each side always fit, and 15 checkers on each ace point.
const MAX_PAIRS: usize = 10_000;

/// How the equities of a doubling decision were computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DoublingMethod {
    /// All rolls, plays and doubles to the end of the game, for money.
    Exact,
    /// Winning probability from the one-sided bear-off table; a dead cube, since no player doubles after this roll.
    LastRoll,
    /// Winning probability from the one-sided bear-off table, and Janowski's formula.
    BearOff,
    /// Cubeless probabilities of a network, and Janowski's formula.
    Janowski,
}

/// Returns the exact equities of no double, and of double and take, in a small bear-off for money; `None` for other
/// positions and in matches.
pub(super) fn exact(position: &Position, context: &DoublingContext) -> Option<[f64; 2]> {
    let Score::Money { jacoby } = context.score else { return None };
    let equities = table(position).map(|(_, equities)| equities).or_else(|| recursion(position, jacoby))?;
    // Without the errors of the sums, so that equal equities are equal.
    let rounded = |equity: f64| (equity * 1e9).round() / 1e9;
    Some([rounded(equities.of(context.owner)), rounded(2.0 * equities.theirs)])
}

/// Returns winning probability and equities in the two-sided bear-off table; `None` in builds without the table.
#[cfg(feature = "two-sided-bearoff")]
fn table(position: &Position) -> Option<(f64, EquityByOwner)> {
    let exact = super::TwoSidedBearOff::lookup(position)?;
    Some((exact.win, exact.equities))
}

/// Returns `None`: the build has no two-sided bear-off table.
#[cfg(not(feature = "two-sided-bearoff"))]
fn table(_: &Position) -> Option<(f64, EquityByOwner)> {
    None
}

/// Computes the equities of a bear-off with few pairs of placements; `None` for other positions.
pub(super) fn recursion(position: &Position, jacoby: bool) -> Option<EquityByOwner> {
    let placements = [Placements::of(position.mine)?, Placements::of(position.theirs)?];
    let pairs = placements[0].count * placements[1].count;
    if pairs > MAX_PAIRS || is_over(position) {
        return None;
    }
    let known = std::array::from_fn(|_| vec![None; pairs]);
    Some(ExactRecursion { jacoby, placements, known, plays: Plays::new() }.before_roll(0, position))
}

/// Returns the winning probability of the player on roll, and whether the opponent's next roll ends the game at the latest.
/// `None` unless both players bear off and no gammon is possible.
pub(super) fn win_probability(position: &Position) -> Option<(f64, bool)> {
    if is_over(position) {
        return None;
    }
    let one_sided = BearOff::without_gammons();
    let most = |side| one_sided.rolls(side).map(|(first, probabilities)| first + probabilities.len() - 1);
    let is_last = most(position.mine)?.min(most(position.theirs)?) <= 1;
    let win = table(position).map(|(win, _)| win).or_else(|| one_sided.win_probability(position))?;
    Some((win, is_last))
}

fn is_over(position: &Position) -> bool {
    [position.mine, position.theirs].iter().any(|side| side.count(OFF) == CHECKERS)
}

/// Placements that the checkers of one player can reach: up to `checkers` checkers on the points up to the highest.
#[derive(Clone, Copy)]
struct Placements {
    checkers: u8,
    count: usize,
}

impl Placements {
    /// Returns `None` if a checker is outside the home board.
    fn of(side: Side) -> Option<Self> {
        let (highest, checkers) = (side.highest(), CHECKERS - side.count(OFF));
        (highest <= HOME_POINTS).then(|| Self { checkers, count: positions(highest, checkers) as usize })
    }

    /// Returns the index of a placement that can be reached, below `count`.
    fn index(self, side: Side) -> usize {
        rank(&home_of(side), self.checkers) as usize
    }
}

/// Recursion over all rolls and plays of a bear-off.
struct ExactRecursion {
    jacoby: bool,
    /// Of each player.
    placements: [Placements; 2],
    /// Computed equities by the player on roll and the placements of both.
    known: [Vec<Option<EquityByOwner>>; 2],
    /// Legal plays of one roll; one list for all positions, since its memory is large.
    plays: Plays,
}

impl ExactRecursion {
    /// Returns the equities of `player`, who is on roll, after the decision not to double.
    fn before_roll(&mut self, player: usize, position: &Position) -> EquityByOwner {
        let [mine, theirs] = [self.placements[player], self.placements[1 - player]];
        let index = mine.index(position.mine) * theirs.count + theirs.index(position.theirs);
        if let Some(known) = self.known[player][index] {
            return known;
        }
        let mut mean = EquityByOwner { center: 0.0, mine: 0.0, theirs: 0.0 };
        for roll in Roll::ALL {
            self.plays.generate(position, roll);
            let afters: Vec<Position> = self.plays.iter().map(|play| play.after).collect();
            let lost = f64::NEG_INFINITY;
            let mut best = EquityByOwner { center: lost, mine: lost, theirs: lost };
            for position in afters {
                let after = self.after_play(player, &position);
                best.center = best.center.max(after.center);
                best.mine = best.mine.max(after.mine);
                best.theirs = best.theirs.max(after.theirs);
            }
            let probability = f64::from(roll.permutations()) / 36.0;
            mean.center += probability * best.center;
            mean.mine += probability * best.mine;
            mean.theirs += probability * best.theirs;
        }
        self.known[player][index] = Some(mean);
        mean
    }

    /// Returns the equities of `player`, who has played to `after`.
    fn after_play(&mut self, player: usize, after: &Position) -> EquityByOwner {
        if after.mine.count(OFF) == CHECKERS {
            let points = if after.theirs.count(OFF) == 0 { 2.0 } else { 1.0 };
            let center = if self.jacoby { 1.0 } else { points };
            return EquityByOwner { center, mine: points, theirs: points };
        }
        let opponent = self.before_roll(1 - player, &Position { mine: after.theirs, theirs: after.mine });
        EquityByOwner {
            center: -opponent.doubled(opponent.center),
            mine: -opponent.theirs,
            theirs: -opponent.doubled(opponent.mine),
        }
    }
}
