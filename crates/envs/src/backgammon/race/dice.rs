//! Stratified dice of the trials of a race rollout.

use crate::backgammon::dice::Roll;
use std::sync::LazyLock;
use vivarium_kernels::rng::Permutation;

/// Number of ordered outcomes of two dice, and number of trials of a block.
pub const OUTCOMES: usize = 36;
/// Number of blocks.
const BLOCKS: usize = OUTCOMES;
/// Maximum number of trials.
pub const MAX_TRIALS: usize = BLOCKS * OUTCOMES;
/// Number of turns with dice of their own. A later turn has the dice of the turn 64 turns before.
const TURNS: usize = 64;
/// Seed of the dice.
const SEED: u64 = 1;

/// Index in [`Roll::ALL`] of the roll of each trial, by turn.
///
/// In each block of 36 trials, each outcome of two dice occurs once in each turn, so that the mean number of pips is exact
/// (Latin hypercube sampling; M. D. McKay, R. J. Beckman, W. J. Conover, 1979, <https://doi.org/10.2307/1268522>). Over all
/// trials, each pair of outcomes of the first two turns occurs once.
static ROLLS: LazyLock<Vec<[u8; MAX_TRIALS]>> =
    LazyLock::new(|| (0..TURNS).map(|turn| std::array::from_fn(|trial| index(turn, trial))).collect());

/// Returns the roll of a trial, below [`MAX_TRIALS`]. The dice are the same for all positions.
pub fn roll(turn: usize, trial: usize) -> Roll {
    Roll::ALL[usize::from(ROLLS[turn % TURNS][trial])]
}

fn index(turn: usize, trial: usize) -> u8 {
    let (block, at) = (trial / OUTCOMES, trial % OUTCOMES);
    let outcome = match turn {
        0 => at,
        1 => (at + block) % OUTCOMES,
        _ => Permutation::new(SEED, (turn * BLOCKS + block) as u32, OUTCOMES).at(at as u32) as usize,
    };
    let [first, second] = [outcome / 6, outcome % 6].map(|die| die as u8 + 1);
    Roll::new(first, second).expect("both dice show 1 to 6").index() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_has_all_outcomes_in_each_turn() {
        let expected = Roll::ALL.map(Roll::permutations);
        for turn in [0, 1, 2, 7, 63, 64] {
            for block in [0, 1, 35] {
                let mut counts = [0; Roll::COUNT];
                (0..OUTCOMES).for_each(|at| counts[roll(turn, block * OUTCOMES + at).index()] += 1);
                assert_eq!(counts, expected, "turn {turn}, block {block}");
            }
        }
        let order = |turn| (0..MAX_TRIALS).map(|trial| roll(turn, trial)).collect::<Vec<_>>();
        assert_ne!(order(2), order(3));
    }

    #[test]
    fn each_pair_of_first_rolls_has_its_probability() {
        let mut pairs = [[0; Roll::COUNT]; Roll::COUNT];
        (0..MAX_TRIALS).for_each(|trial| pairs[roll(0, trial).index()][roll(1, trial).index()] += 1);
        for (first, pairs) in Roll::ALL.into_iter().zip(pairs) {
            assert_eq!(pairs, Roll::ALL.map(|second| first.permutations() * second.permutations()));
        }
    }
}
