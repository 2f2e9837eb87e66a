//! Stratified dice of the trials of a rollout.

use vivarium_envs::backgammon::{Dice, Roll};
use vivarium_kernels::rng::{Permutation, derive};

/// Number of ordered outcomes of two dice.
const OUTCOMES: u32 = 36;

/// Streams of the random numbers of a rollout.
const FIRST_STREAM: u32 = 0;
const SECOND_STREAM: u32 = 1;
const LATER_STREAM: u32 = 2;

/// Dice of one trial, a function of seed and trial. Candidates with equal dice are compared without the luck of the
/// rolls.
///
/// The first and the second roll are stratified: each outcome of the first roll, and each outcome of the second roll,
/// occurs once in each block of 36 trials; each pair of outcomes occurs once in each block of 1,296 trials.
#[derive(Clone, Copy, Debug)]
pub struct TrialDice {
    seed: u64,
    trial: u32,
}

impl TrialDice {
    /// Returns the dice of the trial with the index `trial`.
    pub fn new(seed: u64, trial: u32) -> Self {
        Self { seed, trial }
    }

    /// Returns the roll of a turn; `turn` counts the turns of both players from 0.
    pub fn roll(self, turn: u32) -> Roll {
        let first = self.trial % OUTCOMES;
        match turn {
            0 => roll_of(first),
            1 => {
                // A Latin square with shuffled rows and columns.
                let (block, square) = (self.trial / OUTCOMES % OUTCOMES, self.trial / (OUTCOMES * OUTCOMES));
                let shuffled = |stream, at| {
                    Permutation::new(derive(self.seed, stream), square, OUTCOMES as usize).at(at)
                };
                roll_of((shuffled(FIRST_STREAM, first) + shuffled(SECOND_STREAM, block)) % OUTCOMES)
            }
            later => Dice { seed: derive(self.seed, LATER_STREAM), game: self.trial }.roll(later),
        }
    }
}

/// Returns the roll with the index `outcome`, below 36, of the ordered outcomes.
fn roll_of(outcome: u32) -> Roll {
    let die = |sides: u32| sides as u8 + 1;
    Roll::new(die(outcome / 6 % 6), die(outcome % 6)).expect("both dice show 1 to 6")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of occurrences of each roll.
    fn counts(rolls: impl Iterator<Item = Roll>) -> [u32; Roll::COUNT] {
        let mut counts = [0; Roll::COUNT];
        rolls.for_each(|roll| counts[roll.index()] += 1);
        counts
    }

    #[test]
    fn both_first_rolls_have_their_probabilities_in_each_block() {
        let expected = Roll::ALL.map(Roll::permutations);
        for block in [0, 1, 35, 36, 500] {
            for turn in [0, 1] {
                let trials = 36 * block..36 * (block + 1);
                assert_eq!(counts(trials.map(|trial| TrialDice::new(7, trial).roll(turn))), expected);
            }
        }
    }

    #[test]
    fn each_pair_of_first_rolls_occurs_in_1296_trials() {
        for square in [0, 3] {
            let mut pairs = vec![0; Roll::COUNT * Roll::COUNT];
            for trial in 1296 * square..1296 * (square + 1) {
                let dice = TrialDice::new(7, trial);
                pairs[dice.roll(0).index() * Roll::COUNT + dice.roll(1).index()] += 1;
            }
            for (pair, count) in pairs.into_iter().enumerate() {
                let [first, second] =
                    [pair / Roll::COUNT, pair % Roll::COUNT].map(|at| Roll::ALL[at].permutations());
                assert_eq!(count, first * second);
            }
        }
    }

    #[test]
    fn rolls_depend_on_seed_and_trial() {
        let later =
            |seed, trial| (0..20).map(|turn| TrialDice::new(seed, trial).roll(turn)).collect::<Vec<_>>();
        assert_eq!(later(1, 5), later(1, 5));
        assert_ne!(later(1, 5), later(2, 5));
        assert_ne!(later(1, 5), later(1, 5 + 1296));
    }
}
