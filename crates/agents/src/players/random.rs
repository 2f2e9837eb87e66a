//! Player of any game that chooses moves uniformly at random.

use super::{Decision, Player, PlayerError};
use vivarium_kernels::rng;
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

/// Returns a uniform 64-bit random number: the number with index `step` in random stream `stream` of the generator
/// with seed `seed`.
pub(super) fn draw(seed: u64, stream: u32, step: u32) -> u64 {
    let [low, high] = rng::block(seed, stream, step);
    u64::from(high) << 32 | u64::from(low)
}

/// Maps a uniform 64-bit random number to a nearly uniform integer from 0 to `count` − 1; the bias is below
/// `count`/2⁶⁴.
pub(super) fn below(random: u64, count: usize) -> usize {
    ((u128::from(random) * count as u128) >> 64) as usize
}
