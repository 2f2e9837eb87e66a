//! Pubeval, the public linear evaluator that players of backgammon are measured against.

use super::weights::{CONTACT, RACE, Weights};
use crate::players::{Decision, Player, PlayerError, best_turn};
use vivarium_envs::backgammon::{BAR, CHECKERS, Class, OFF, POINTS, Position, State};

/// Pubeval (Gerald Tesauro, IBM Research, 1993): a linear function of how many checkers stand on each point, with one set of
/// 122 weights for races and one for positions of contact. It plays the play whose position it finds best, and plays at
/// an intermediate level.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pubeval;

impl Pubeval {
    /// What it finds of a position that a play has led to, seen by the player who made it; comparable among the plays of
    /// one roll. `race` says whether there was no contact any more before that play.
    pub fn evaluate(position: &Position, race: bool) -> f32 {
        let [mine, theirs] = [position.mine(), position.theirs()];
        if mine.count(OFF) == CHECKERS {
            return f32::INFINITY;
        }
        let Weights { points, bar, off } = if race { &RACE } else { &CONTACT };
        let mut sum = bar * f32::from(theirs.count(BAR)) / 2.0 + off * f32::from(mine.count(OFF)) / 15.0;
        // From the 24-point down.
        for (point, [blot_of_theirs, one, two, three, more]) in (1..=POINTS).rev().zip(points) {
            match mine.count(point) {
                0 if theirs.count(BAR - point) == 1 => sum += blot_of_theirs,
                0 => {}
                1 => sum += one,
                2 => sum += two,
                3 => sum += two + three,
                count => sum += two + more * f32::from(count - 3) / 2.0,
            }
        }
        sum
    }
}

impl Player<State> for Pubeval {
    fn choose(&mut self, decisions: &[Decision<State>]) -> Result<Vec<usize>, PlayerError> {
        let choose = |decision: &Decision<State>| {
            let race = decision.state.position.class() != Class::Contact;
            best_turn(&decision.state, |end| Self::evaluate(&end.position.mirrored(), race))
        };
        Ok(decisions.iter().map(choose).collect())
    }
}
