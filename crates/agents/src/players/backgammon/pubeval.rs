//! Pubeval, a public benchmark player of backgammon with a linear evaluation function (Tesauro 1993).

use super::weights::{CONTACT, PubevalWeights, RACE};
use crate::players::{Decision, Player, PlayerError, best_turn};
use vivarium_envs::backgammon::{BAR, CHECKERS, OFF, POINTS, Position, PositionClass, State};

/// Pubeval (Gerald Tesauro, IBM Research, 1993, <https://bkgm.com/rgb/rgb.cgi?view+610>): a linear function of the
/// checkers on each point, with 122 weights for races and 122 for contact positions. Plays at an intermediate level.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pubeval;

impl Pubeval {
    /// Returns pubeval's score of a position after a play, from the view of the player who made the play. A higher
    /// score is better, but only scores of plays of the same roll are comparable. `race` is true if the position
    /// before the play had no contact.
    pub fn evaluate(position: &Position, race: bool) -> f32 {
        let [mine, theirs] = [position.mine(), position.theirs()];
        if mine.count(OFF) == CHECKERS {
            return f32::INFINITY;
        }
        let PubevalWeights { points, bar, off } = if race { &RACE } else { &CONTACT };
        let mut sum = bar * f32::from(theirs.count(BAR)) / 2.0 + off * f32::from(mine.count(OFF)) / 15.0;
        // The weights are in order from the 24-point to the ace point.
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
            let race = decision.state.position.class() != PositionClass::Contact;
            best_turn(&decision.state, |end| Self::evaluate(&end.position.mirrored(), race))
        };
        Ok(decisions.iter().map(choose).collect())
    }
}
