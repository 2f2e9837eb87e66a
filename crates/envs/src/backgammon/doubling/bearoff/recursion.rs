//! Recursion over the rolls, plays and doubles of a bear-off.

use super::cube_states::{CubeRules, CubeStates, Equities};
use super::estimate::BearOffEstimate;
use super::placements::{PlacementPair, Placements};
use crate::backgammon::position::Position;
use crate::backgammon::side::{OFF, Side};

/// Number of neighboring equities whose maxima are computed together.
const LANES: usize = 32;

/// Recursion over the placements of both players. `STATES` is a divisor of [`LANES`].
pub struct BearOffRecursion<'a, const STATES: usize> {
    placements: &'a [Placements; 2],
    rules: [CubeRules<STATES>; 2],
    /// Equities of positions whose plays are not stored; `None` if the recursion reaches the end of the game.
    estimate: Option<BearOffEstimate<STATES>>,
}

impl<'a, const STATES: usize> BearOffRecursion<'a, STATES> {
    pub fn new(
        pair: &'a PlacementPair,
        cube: &CubeStates<'_>,
        estimate: Option<BearOffEstimate<STATES>>,
    ) -> Self {
        Self { placements: &pair.players, rules: [0, 1].map(|player| cube.rules(player)), estimate }
    }

    /// Returns the equities of no double, and of double and take, of the player on roll in the first state of the doubling cube.
    pub fn decision(&self) -> [f32; 2] {
        let [mine, theirs] = self.placements;
        let width = (theirs.len() * STATES).next_multiple_of(LANES);
        // Equities of the player after a play, while the opponent is on roll: rows of the player's placements, with the equities of
        // each placement of the opponent.
        let mut after = vec![0.0; (mine.len() - 1) * width];
        // Equities before a roll of the player, and of the opponent after the play before, by placement of the opponent.
        let [mut held, mut replies] = [0, 1].map(|_| vec![0.0; width]);
        for at in 0..mine.len() {
            let (earlier, row) = after.split_at_mut(at * width);
            self.before_my_roll(at, earlier, &mut held);
            let [held, replies] =
                [&mut held, &mut replies].map(|equities| equities.as_chunks_mut::<STATES>().0);
            for (their, (reply, held)) in replies.iter_mut().zip(held).take(theirs.len()).enumerate() {
                *reply = match theirs.side(their).finished() {
                    true => *self.rules[1].win(mine.side(at).count(OFF) == 0),
                    false => negated(self.rules[0].before_double(held)),
                };
            }
            // The present placement, which is the last one, has no row, since no play leads to it.
            let row = row.as_chunks_mut::<STATES>().0.iter_mut().take(theirs.len());
            row.enumerate().for_each(|(their, after)| *after = self.after_my_play(at, their, replies));
        }
        let held = &held.as_chunks::<STATES>().0[theirs.len() - 1];
        [held[0], self.rules[0].double_take(held, 0)]
    }

    /// Computes the equities of the player on roll, who has the placement `at`, for each placement of the opponent.
    fn before_my_roll(&self, at: usize, after: &[f32], held: &mut [f32]) {
        let [mine, theirs] = self.placements;
        if let Some(rolls) = mine.plays(at) {
            mean_of_best_rows(rolls, after, held);
            return;
        }
        for (their, held) in held.as_chunks_mut().0.iter_mut().take(theirs.len()).enumerate() {
            *held = self.estimated(0, mine.side(at), theirs.side(their));
        }
    }

    /// Returns the equities of the player, who has moved to the placement `at`. `replies` holds the opponent's equities after
    /// each reply.
    fn after_my_play(&self, at: usize, their: usize, replies: &[Equities<STATES>]) -> Equities<STATES> {
        let [mine, theirs] = self.placements;
        let (my_side, their_side) = (mine.side(at), theirs.side(their));
        if my_side.finished() {
            return *self.rules[0].win(their_side.count(OFF) == 0);
        }
        let Some(rolls) = theirs.plays(their) else {
            return negated(self.rules[1].before_double(&self.estimated(1, their_side, my_side)));
        };
        let mut held = [0.0; STATES];
        for (probability, plays) in rolls {
            let mut best = [f32::NEG_INFINITY; STATES];
            plays.iter().for_each(|&play| maximize(&mut best, &replies[play as usize]));
            accumulate(&mut held, &best, probability);
        }
        negated(self.rules[1].before_double(&held))
    }

    /// Estimates the equities of `player`, who is on roll. Returns 0 for positions that the recursion does not need: without an
    /// estimate, and after the end of the game.
    fn estimated(&self, player: usize, on_roll: Side, opponent: Side) -> Equities<STATES> {
        let position = Position { mine: on_roll, theirs: opponent };
        let is_over = on_roll.finished() || opponent.finished();
        let estimate = self.estimate.as_ref().filter(|_| !is_over);
        estimate.and_then(|estimate| estimate.equities(player, &position)).unwrap_or([0.0; STATES])
    }
}

/// Computes the mean over the rolls of the best plays: `plays` are rows of `after`, which are as long as `mean`.
fn mean_of_best_rows<'a>(rolls: impl Iterator<Item = (f32, &'a [u32])>, after: &[f32], mean: &mut [f32]) {
    let width = mean.len();
    mean.fill(0.0);
    for (probability, plays) in rolls {
        for (at, mean) in mean.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            let mut best = [f32::NEG_INFINITY; LANES];
            for &play in plays {
                let row = &after[play as usize * width..][at * LANES..];
                maximize(&mut best, row.first_chunk().expect("rows are as long as the mean"));
            }
            accumulate(mean, &best, probability);
        }
    }
}

fn maximize<const LEN: usize>(best: &mut [f32; LEN], other: &[f32; LEN]) {
    for (best, &other) in best.iter_mut().zip(other) {
        // One instruction, unlike `f32::max`.
        *best = if *best > other { *best } else { other };
    }
}

fn accumulate<const LEN: usize>(mean: &mut [f32; LEN], best: &[f32; LEN], probability: f32) {
    for (mean, best) in mean.iter_mut().zip(best) {
        *mean += probability * best;
    }
}

fn negated<const LEN: usize>(equities: [f32; LEN]) -> [f32; LEN] {
    equities.map(|equity| -equity)
}
