//! Numbers of rolls of one player in a race, and the outcome probabilities of both players.

use super::dice::{self, MAX_TRIALS};
use super::distribution::RollDistribution;
use super::goal::{RaceGoal, RacePolicy};
use crate::backgammon::position::{Position, PositionClass};
use crate::backgammon::side::{OFF, Side};

/// Distributions of the numbers of rolls that one player of a race needs.
#[derive(Clone, Debug)]
pub struct RaceRolls {
    all_off: RollDistribution,
    /// Until the first checker is borne off. Until then, the player can lose a gammon.
    first_off: RollDistribution,
    /// Until no checker is in the opponent's home board. Until then, the player can lose a backgammon.
    escaped: RollDistribution,
}

impl RaceRolls {
    /// Number of trials of [`new`](Self::new): each pair of outcomes of the first two rolls once.
    pub const TRIALS: usize = MAX_TRIALS;

    /// Computes the distributions of `side`, which must have no contact with the opponent. They are exact if all checkers are
    /// in the home board.
    pub fn new(side: Side) -> Self {
        Self::with_trials(side, Self::TRIALS)
    }

    /// Computes the distributions from a number of trials, at most [`TRIALS`](Self::TRIALS). A multiple of 36 is stratified.
    pub fn with_trials(side: Side, trials: usize) -> Self {
        let rolls_to = |goal: &RaceGoal| rolls_to(goal, side, trials.clamp(1, MAX_TRIALS));
        let has_borne_off = side.count(OFF) > 0;
        let or_zero = |goal: &RaceGoal| if has_borne_off { RollDistribution::zero() } else { rolls_to(goal) };
        Self {
            all_off: rolls_to(&RaceGoal::ALL_OFF),
            first_off: or_zero(&RaceGoal::FIRST_OFF),
            escaped: or_zero(&RaceGoal::ESCAPED),
        }
    }

    /// Returns the mean number of rolls until all checkers are borne off.
    pub fn mean(&self) -> f64 {
        self.all_off.mean()
    }

    /// Returns the outcome probabilities of the player with these rolls, who is on roll, in the order of
    /// [`Outcome::probabilities`](crate::backgammon::Outcome::probabilities).
    pub fn outcome_probabilities(&self, opponent: &Self) -> [f32; 5] {
        // When the player on roll has made n rolls, the opponent has made n - 1; when the opponent has made n, both have.
        [
            self.all_off.at_most(&opponent.all_off, 0),
            self.all_off.at_most(&opponent.first_off, 0),
            self.all_off.at_most(&opponent.escaped, 0),
            opponent.all_off.at_most(&self.first_off, 1),
            opponent.all_off.at_most(&self.escaped, 1),
        ]
        .map(|probability| probability.min(1.0) as f32)
    }

    /// Returns the outcome probabilities of the player on roll in a race or bear-off; `None` for other positions.
    pub fn of_position(position: &Position) -> Option<[f32; 5]> {
        matches!(position.class(), PositionClass::Race | PositionClass::BearOff)
            .then(|| Self::new(position.mine()).outcome_probabilities(&Self::new(position.theirs())))
    }
}

/// Estimates the distribution of the number of rolls of `side` to a goal.
fn rolls_to(goal: &RaceGoal, side: Side, trials: usize) -> RollDistribution {
    let mut sum = RollDistribution::default();
    let mut policy = RacePolicy::new(goal);
    // Without a checker outside the region, all trials are the same.
    let trials = if side.highest() > goal.region { trials } else { 1 };
    for trial in 0..trials {
        let (mut now, mut turn) = (side, 0);
        while now.highest() > goal.region {
            now = policy.after(now, dice::roll(turn, trial));
            turn += 1;
        }
        let rest = goal.table.and_then(|table| table().rolls(now));
        let (first, probabilities) = rest.unwrap_or((0, &[1.0]));
        sum.add(turn + first, probabilities, 1.0 / trials as f64);
    }
    sum
}
