//! Interface between AlphaZero and a board game: network inputs, outcome probabilities, and search parameters.

use super::config::AlphaZeroConfig;
use crate::players::MatchGame;
use vivarium_kernels::gemm::SparseRow;
use vivarium_kernels::rng::Stream;
use vivarium_mcts::{BatchSearch, Evaluator, Puct, Tree};

/// Maximum number of value heads (outcome probabilities) of a game's network.
pub const MAX_HEADS: usize = 5;

/// Destination for the network inputs of one game state, dense or sparse. Only nonzero inputs are written, in
/// ascending order of their index.
pub trait InputRow {
    /// Writes the first `len` of the pairs (input index, value) in `numbers` to the row. Since `numbers` has a fixed
    /// length, a sparse row can copy all pairs without a branch, and then advance its end by `len`.
    ///
    /// # Panics
    /// If `numbers` has fewer than `len` elements.
    fn push_first<const N: usize>(&mut self, len: usize, numbers: [(usize, f32); N]);

    /// Writes the value `number` to the network input with index `place`.
    #[inline(always)]
    fn push(&mut self, place: usize, number: f32) {
        self.push_first(1, [(place, number)]);
    }

    /// Writes the value `number` to the network input with index `place` if `condition` holds.
    #[inline(always)]
    fn push_if(&mut self, condition: bool, place: usize, number: f32) {
        self.push_first(usize::from(condition), [(place, number)]);
    }
}

/// A dense row with one element per network input. The caller initializes the row with zeros.
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

/// Calls a generic function once for each type that implements [`SelfPlayGame`] (backgammon, Connect Four), as in
/// `each_game!(measure(reporter))`. Evaluates to the array of the results.
#[macro_export]
macro_rules! each_game {
    ($function:ident($($argument:expr),*)) => {
        [
            $function::<$crate::alphazero::Backgammon>($($argument),*),
            $function::<$crate::alphazero::ConnectFour>($($argument),*),
        ]
    };
}

/// Implements [`SelfPlayGame::gather`] and [`SelfPlayGame::backup`] within an `impl SelfPlayGame` block, so that the
/// compiler generates the tree search in this crate.
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

/// A board game that AlphaZero can learn by self-play.
pub trait SelfPlayGame: MatchGame + 'static {
    /// Name of the game, for example `connect-four`.
    const NAME: &'static str;
    /// Initial state of a game, before the first move or roll.
    const START: Self;
    /// Number of network inputs that encode a state.
    const INPUTS: usize;
    /// Number of value heads of the network, each an outcome probability; at most [`MAX_HEADS`].
    const HEADS: usize;

    /// Returns the default hyperparameters for the game. The values are tuned for playing strength per training time.
    fn config() -> AlphaZeroConfig;

    /// Returns a random initial state for the share `varied_starts` of the self-play games: a state that games from
    /// [`START`](Self::START) rarely reach. `random` draws all random decisions. By default, as in matches.
    fn varied_start(random: &mut Stream) -> Self {
        Self::begin(random)
    }

    /// Returns the PUCT parameters that searches of this game use by default.
    fn puct() -> Puct {
        Puct::default()
    }

    /// Encodes the state from the view of the player to move: writes the nonzero network inputs to `row`, in
    /// ascending order of their index, which is below [`INPUTS`](Self::INPUTS). A chance node is encoded before the
    /// roll, from the view of the player who rolls.
    fn write_inputs(&self, row: &mut impl InputRow);

    /// Encodes the state as a dense row: writes all network inputs to `row`, which has the length
    /// [`INPUTS`](Self::INPUTS).
    fn encode(&self, mut row: &mut [f32]) {
        row.fill(0.0);
        self.write_inputs(&mut row);
    }

    /// Writes the known outcome of a finished game to `heads`, as outcome probabilities that are 0 or 1. `value` is
    /// the result of the game in points for the player to move. The length of `heads` is [`HEADS`](Self::HEADS).
    fn outcome_heads(value: f32, heads: &mut [f32]);

    /// Looks up the state in an endgame table, and writes its exact outcome probabilities to `heads`. Returns
    /// `false`, without writing, if no table contains the state.
    fn exact_heads(&self, heads: &mut [f32]) -> bool {
        let _ = heads;
        false
    }

    /// Sets the probabilities of outcomes that the rules exclude from this unfinished state to 0. `heads` are the outputs of the
    /// network for this state. By default, every outcome is possible.
    fn remove_impossible_outcomes(&self, heads: &mut [f32]) {
        let _ = heads;
    }

    /// Applies [`remove_impossible_outcomes`](Self::remove_impossible_outcomes) to each of `states`, with the outputs `heads`,
    /// `[states, HEADS]`. Each evaluation by the network, on CPU and GPU, ends with this step.
    fn remove_impossible_outcomes_of(states: &[Self], heads: &mut [f32]) {
        for (state, heads) in states.iter().zip(heads.chunks_exact_mut(Self::HEADS)) {
            state.remove_impossible_outcomes(heads);
        }
    }

    /// Converts the outcome probabilities `heads` from one player's view to the opponent's view, in place.
    fn flip_heads(heads: &mut [f32]);

    /// Returns the equity, the expected points of the game, that follows from the outcome probabilities `heads`.
    fn equity(heads: &[f32]) -> f32;

    /// Changes the win probability in `heads` such that the expected points become `equity`, or as close to `equity`
    /// as a valid probability allows.
    fn set_equity(heads: &mut [f32], equity: f32);

    /// Packs the state into 128 bits and a byte, for samples that another process receives.
    fn pack(&self) -> (u128, u8);

    /// Returns the state that [`pack`](Self::pack) has encoded; `None` if there is no such state.
    fn unpack(bits: u128, tag: u8) -> Option<Self>;

    /// Selects the next leaves of the searches in `trees`: calls [`BatchSearch::gather`]. `search_compiled_here!`
    /// implements this function for every game, so that the compiler monomorphizes the search in this crate, with its
    /// optimization level. Downstream crates may be optimized for size.
    fn gather(batch: &mut BatchSearch<Self>, trees: &mut [Tree<Self>]) -> bool;

    /// Backs up the evaluated leaves in `trees`: calls [`BatchSearch::backup`], monomorphized in this crate like
    /// [`gather`](Self::gather).
    fn backup(batch: &mut BatchSearch<Self>, trees: &mut [Tree<Self>]);

    /// Runs `simulations` simulations of PUCT search in each of `trees`, and evaluates the leaves of all trees in
    /// common batches. Returns the total number of simulations.
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

/// Iterates over the indices of the set bits of a bit mask, lowest first.
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
