//! Player of any game that chooses moves uniformly at random.

use super::{Decision, Player, PlayerError};
use vivarium_mcts::Game;

/// Player that chooses a legal branch (move) uniformly at random.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, decisions: &[Decision<G>]) -> Result<Vec<usize>, PlayerError> {
        let mut scratch = G::Scratch::default();
        let mut branches = Vec::new();
        let choose = |decision: &Decision<G>| {
            branches.clear();
            decision.state.branches(&mut scratch, |branch, _| branches.push(branch));
            branches[below(decision.random, branches.len())]
        };
        Ok(decisions.iter().map(choose).collect())
    }
}

/// Maps a uniform 64-bit random number to a nearly uniform integer from 0 to `count` − 1; the bias is below
/// `count`/2⁶⁴.
pub(super) fn below(random: u64, count: usize) -> usize {
    ((u128::from(random) * count as u128) >> 64) as usize
}
