//! Interface between AlphaZero and a game: network inputs, value heads, search parameters.

use super::config::AlphaZeroConfig;
use crate::players::MatchGame;
use vivarium_kernels::gemm::SparseRow;
use vivarium_mcts::{BatchSearch, Evaluator, Puct, Tree};

/// Maximum number of value heads.
pub const MAX_HEADS: usize = 5;

/// Writer of one row of network inputs, the inputs of one state. Only nonzero inputs are written, in ascending order of
/// their column.
pub trait InputRow {
    /// Writes the first `len` pairs (column, value) of `numbers` to the row. `numbers` has a fixed length, so that an
    /// implementation can copy all pairs without a branch and then advance its end by `len`.
    ///
    /// # Panics
    /// If `numbers` has fewer than `len` elements.
    fn push_first<const N: usize>(&mut self, len: usize, numbers: [(usize, f32); N]);

    /// Writes the network input `number` to column `place` of the row.
    #[inline(always)]
    fn push(&mut self, place: usize, number: f32) {
        self.push_first(1, [(place, number)]);
    }

    /// Writes the network input `number` to column `place` of the row if `condition` holds.
    #[inline(always)]
    fn push_if(&mut self, condition: bool, place: usize, number: f32) {
        self.push_first(usize::from(condition), [(place, number)]);
    }
}

/// A dense row of network inputs, which the caller initializes with zeros.
impl InputRow for &mut [f32] {
    #[inline(always)]
    fn push_first<const N: usize>(&mut self, len: usize, numbers: [(usize, f32); N]) {
        numbers[..len].iter().for_each(|&(place, number)| self[place] = number);
    }
}

impl InputRow for SparseRow<'_> {
    #[inline(always)]
    fn push_first<const N: usize>(&mut self, len: usize, numbers: [(usize, f32); N]) {
        SparseRow::push_first(self, len, numbers);
    }
}

/// Calls a function that is generic over [`SelfPlayGame`] once per board game, as in `each_game!(measure(reporter))`.
/// Evaluates to the array of the results.
#[macro_export]
macro_rules! each_game {
    ($function:ident($($argument:expr),*)) => {
        [
            $function::<$crate::alphazero::Backgammon>($($argument),*),
            $function::<$crate::alphazero::ConnectFour>($($argument),*),
        ]
    };
}

/// Implements [`SelfPlayGame::gather`] and [`SelfPlayGame::backup`] in the crate of the game.
macro_rules! search_compiled_here {
    () => {
        #[inline(never)]
        fn gather(
            batch: &mut vivarium_mcts::BatchSearch<Self>,
            trees: &mut [vivarium_mcts::Tree<Self>],
        ) -> bool {
            batch.gather(trees)
        }

        #[inline(never)]
        fn backup(batch: &mut vivarium_mcts::BatchSearch<Self>, trees: &mut [vivarium_mcts::Tree<Self>]) {
            batch.backup(trees);
        }
    };
}
pub(super) use search_compiled_here;

/// A game that AlphaZero can learn by self-play.
pub trait SelfPlayGame: MatchGame + 'static {
    /// Identifier of the game, for example `connect-four`.
    const NAME: &'static str;
    /// Initial state of the game, before any move or roll.
    const START: Self;
    /// Number of network inputs of a state.
    const INPUTS: usize;
    /// Number of value heads: outcome probabilities, at most [`MAX_HEADS`].
    const HEADS: usize;

    /// Returns the default hyperparameters of the game, tuned for strength per wall-clock time.
    fn config() -> AlphaZeroConfig;

    /// Returns the default PUCT search parameters of the game.
    fn puct() -> Puct {
        Puct::default()
    }

    /// Writes the nonzero network inputs of the state, seen by the player to move, in ascending order of their index,
    /// which is below [`INPUTS`](Self::INPUTS). At a chance node the state is encoded before the roll, for the player
    /// who rolls.
    fn write_inputs(&self, row: &mut impl InputRow);

    /// Writes all network inputs to a dense row of length [`INPUTS`](Self::INPUTS).
    fn encode(&self, mut row: &mut [f32]) {
        row.fill(0.0);
        self.write_inputs(&mut row);
    }

    /// Writes the value heads of a finished game: `value` is its outcome in points for the player to move.
    fn outcome_heads(value: f32, heads: &mut [f32]);

    /// Looks up the state in an endgame table and writes its exact outcome probabilities. Returns `false` if no table
    /// contains the state.
    fn exact_heads(&self, heads: &mut [f32]) -> bool {
        let _ = heads;
        false
    }

    /// Converts value heads (outcome probabilities) from one player's view to the opponent's view.
    fn flip_heads(heads: &mut [f32]);

    /// Returns the equity, in points of the game, that the outcome probabilities `heads` imply.
    fn equity(heads: &[f32]) -> f32;

    /// Changes the win probability such that the equity of the heads becomes `equity`, or as close to it as possible.
    fn set_equity(heads: &mut [f32], equity: f32);

    /// Calls [`BatchSearch::gather`]. `search_compiled_here!` implements this function for every game, so that the
    /// compiler monomorphizes the search in this crate, with its optimization level. Downstream crates may be optimized
    /// for size.
    fn gather(batch: &mut BatchSearch<Self>, trees: &mut [Tree<Self>]) -> bool;

    /// Calls [`BatchSearch::backup`], monomorphized in this crate like [`gather`](Self::gather).
    fn backup(batch: &mut BatchSearch<Self>, trees: &mut [Tree<Self>]);

    /// Runs a batched search ([`BatchSearch::search`]) with a network. Returns the number of simulations.
    fn search(
        batch: &mut BatchSearch<Self>,
        trees: &mut [Tree<Self>],
        evaluator: &mut dyn Evaluator<Self>,
        simulations: u32,
    ) -> usize {
        batch.begin(trees, simulations);
        while Self::gather(batch, trees) {
            let (leaves, logits, values) = batch.evaluation();
            evaluator.evaluate(leaves, logits, values);
            Self::backup(batch, trees);
        }
        batch.simulations()
    }
}

/// Iterates over the set bits of a mask, lowest first.
#[inline]
pub(super) fn bits(mask: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut mask = mask.into();
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_an_allowed_config_of_its_own() {
        fn check<G: SelfPlayGame>() {
            G::config().check().unwrap();
            assert_ne!(G::config(), AlphaZeroConfig::default(), "{}", G::NAME);
        }
        crate::each_game!(check());
    }
}
