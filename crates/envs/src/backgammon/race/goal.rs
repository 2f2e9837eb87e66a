//! Goals of a player in a race, and the policy that reaches a goal in few rolls.

use crate::backgammon::bearoff::{BearOff, HOME_POINTS};
use crate::backgammon::dice::Roll;
use crate::backgammon::plays::Plays;
use crate::backgammon::position::Position;
use crate::backgammon::side::{CHECKERS, PLACES, POINTS, Side};

/// Mean number of pips of a roll.
const PIPS_PER_ROLL: f32 = 49.0 / 6.0;
/// Highest point outside the opponent's home board.
const OPPONENTS_HOME: usize = 18;

/// Goal of a player in a race.
///
/// The trials of a rollout end when all checkers have entered a region of the lowest points. The table has the distribution of
/// the remaining number of rolls.
pub struct RaceGoal {
    /// Highest point of the region.
    pub region: usize,
    /// Cost of a checker on each point, in pips. A play of the policy minimizes the sum.
    costs: [f32; POINTS + 1],
    /// Remaining rolls in the region; `None` if entering the region reaches the goal.
    pub table: Option<fn() -> &'static BearOff>,
}

/// Cost of each quadrant that a checker has to cross to its home board, beyond the pips, nearest first: a move into the next
/// quadrant saves more than a longer way inside a quadrant.
const CROSSINGS: [f32; 3] = [1.8, 0.5, 1.0];
/// Cost of a checker on points 1 to 6: its pips, and pips that are wasted as checkers are borne off from low points.
const BEAR_OFF: [f32; HOME_POINTS] = [4.5, 4.5, 4.4, 5.1, 5.1, 6.0];
/// Cost of a checker on points 1 to 6 until the first checker is borne off, which is more likely from low points.
const FIRST_BEAR_OFF: [f32; HOME_POINTS] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];

impl RaceGoal {
    /// All checkers are borne off. The costs minimize the mean number of rolls of 30 random sides (coordinate descent).
    pub const ALL_OFF: Self =
        Self { region: HOME_POINTS, costs: costs(HOME_POINTS, BEAR_OFF), table: Some(BearOff::whole) };

    /// The first of 15 checkers is borne off, so that no gammon is lost.
    pub const FIRST_OFF: Self = Self {
        region: HOME_POINTS,
        costs: costs(HOME_POINTS, FIRST_BEAR_OFF),
        table: Some(BearOff::of_first_checker),
    };

    /// No checker is in the opponent's home board, so that no backgammon is lost.
    pub const ESCAPED: Self =
        Self { region: OPPONENTS_HOME, costs: costs(OPPONENTS_HOME, [0.0; HOME_POINTS]), table: None };

    /// Returns whether a play of `dice` moves of together `pips` pips can bring all checkers into the region.
    fn is_near(&self, side: Side, dice: u8, pips: usize) -> bool {
        let (mut checkers, mut distance) = (0, 0);
        for point in self.region + 1..=side.highest() {
            checkers += side.count(point);
            distance += (point - self.region) * usize::from(side.count(point));
        }
        checkers <= dice && distance <= pips
    }

    /// Returns the cost of a side in pips: by the table if all checkers are in the region, else of all checkers and a further
    /// roll.
    fn cost(&self, side: Side) -> f32 {
        if side.highest() > self.region {
            let cost = |point| self.costs[point] * f32::from(side.count(point));
            return PIPS_PER_ROLL + (1..=POINTS).map(cost).sum::<f32>();
        }
        let rolls = self.table.and_then(|table| table().mean_rolls(side));
        PIPS_PER_ROLL * rolls.unwrap_or(0.0) as f32
    }

    /// Returns the side after a move by `die` that saves most of the costs, and the saved costs. A checker must be outside the
    /// home board.
    fn moved(&self, side: Side, die: usize) -> (Side, f32) {
        let (mut best, mut most) = (0, f32::NEG_INFINITY);
        let mut sources = side.occupied() >> (die + 1) << (die + 1);
        while sources != 0 {
            let from = sources.trailing_zeros() as usize;
            let saved = self.costs[from] - self.costs[from - die];
            if saved >= most {
                (best, most) = (from, saved);
            }
            sources &= sources - 1;
        }
        (side.moved(best, best - die), most)
    }
}

/// Returns the costs of a checker on each point: `home` on points 1 to 6; on the points above `region` the pips to the home
/// board or, in the opponent's home board, out of it, and the crossings into `region` and before it.
const fn costs(region: usize, home: [f32; HOME_POINTS]) -> [f32; POINTS + 1] {
    let mut costs = [0.0; POINTS + 1];
    let mut point = 1;
    while point <= POINTS {
        if point <= HOME_POINTS {
            costs[point] = home[point - 1];
        } else if point > region {
            costs[point] = (point - region) as f32 + home[HOME_POINTS - 1];
        }
        let mut edge = region;
        while edge < point {
            costs[point] += CROSSINGS[edge / HOME_POINTS - 1];
            edge += HOME_POINTS;
        }
        point += 1;
    }
    costs
}

/// Policy of a player whose checkers cannot be hit or blocked.
pub struct RacePolicy<'a> {
    goal: &'a RaceGoal,
    plays: Plays,
}

impl<'a> RacePolicy<'a> {
    pub fn new(goal: &'a RaceGoal) -> Self {
        Self { goal, plays: Plays::new() }
    }

    /// Returns the side after the play of a roll. A play that may reach the region is the best one of all legal plays. In the
    /// others, each die saves most of the costs.
    pub fn after(&mut self, side: Side, roll: Roll) -> Side {
        let goal = self.goal;
        let [high, low] = [roll.high(), roll.low()].map(usize::from);
        let (dice, pips) = if roll.is_double() { (4, 4 * high) } else { (2, high + low) };
        if goal.is_near(side, dice, pips) {
            return self.best_play(side, roll);
        }
        if roll.is_double() {
            return (0..4).fold(side, |side, _| goal.moved(side, high).0);
        }
        let [by_high, by_low] = [[high, low], [low, high]].map(|[first, second]| {
            let (between, saved) = goal.moved(side, first);
            let (after, further) = goal.moved(between, second);
            (after, saved + further)
        });
        if by_low.1 > by_high.1 { by_low.0 } else { by_high.0 }
    }

    /// Returns the side with the lowest cost after all legal plays of a roll.
    fn best_play(&mut self, side: Side, roll: Roll) -> Side {
        // The opponent's checkers block no point of a race.
        let mut theirs = [0; PLACES];
        theirs[1] = CHECKERS;
        self.plays.generate(&Position { mine: side, theirs: Side::from_counts(&theirs) }, roll);
        let costs = self.plays.iter().map(|play| (play.after.mine, self.goal.cost(play.after.mine)));
        let (best, _) = costs
            .reduce(|best, other| if other.1 < best.1 { other } else { best })
            .expect("a roll has a play, which may have no moves");
        best
    }
}
