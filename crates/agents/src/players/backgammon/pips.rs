//! Backgammon player that compares pip counts.

use crate::players::{Decision, Player, PlayerError, best_turn};
use vivarium_envs::backgammon::{POINTS, Side, State};

/// Player that maximizes its lead in pips after the play, and therefore prefers hits. Among plays with equal lead,
/// the player chooses the play that leaves the fewest blots.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pips;

impl Player<State> for Pips {
    fn choose(&mut self, decisions: &[Decision<State>]) -> Result<Vec<usize>, PlayerError> {
        // After a turn the opponent is on roll.
        let worth = |end: &State| {
            let [mine, theirs] = [end.position.theirs(), end.position.mine()];
            let lead = i64::from(theirs.pips()) - i64::from(mine.pips());
            (lead, std::cmp::Reverse(blots(mine)))
        };
        Ok(decisions.iter().map(|decision| best_turn(&decision.state, worth)).collect())
    }
}

/// Returns the number of blots of `side`: points with exactly one checker of `side`.
fn blots(side: Side) -> usize {
    (1..=POINTS).filter(|&point| side.count(point) == 1).count()
}
