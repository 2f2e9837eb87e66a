//! What a learner needs to know of a game beside its rules.

use crate::players::Contest;
use vivarium_kernels::gemm::SparseRow;
use vivarium_mcts::{Batch, Evaluator, Puct, Tree};

/// The most value heads of any game.
pub const MOST_HEADS: usize = 5;

/// A row of numbers, of which those that are not 0 are written down, from the first place to the last.
pub trait Row {
    /// Writes the first `len` of some numbers, each at its place. The others may be written, too, as long as nothing reads them.
    ///
    /// # Panics
    /// If there are fewer than `len`.
    fn push_first<const N: usize>(&mut self, len: usize, numbers: [(usize, f32); N]);

    /// Writes a number at its place.
    #[inline(always)]
    fn push(&mut self, place: usize, number: f32) {
        self.push_first(1, [(place, number)]);
    }

    /// Writes a number at its place, or does not.
    #[inline(always)]
    fn push_if(&mut self, condition: bool, place: usize, number: f32) {
        self.push_first(usize::from(condition), [(place, number)]);
    }
}

/// Begins as zeros.
impl Row for &mut [f32] {
    #[inline(always)]
    fn push_first<const N: usize>(&mut self, len: usize, numbers: [(usize, f32); N]) {
        numbers[..len].iter().for_each(|&(place, number)| self[place] = number);
    }
}

impl Row for SparseRow<'_> {
    #[inline(always)]
    fn push_first<const N: usize>(&mut self, len: usize, numbers: [(usize, f32); N]) {
        SparseRow::push_first(self, len, numbers);
    }
}

/// A game that a network can learn.
pub trait Learnable: Contest + 'static {
    /// Its name, as in `connect-four`.
    const NAME: &'static str;
    /// The beginning of a game.
    const START: Self;
    /// How many numbers describe a state.
    const INPUTS: usize;
    /// How many probabilities describe how a game may end, at most [`MOST_HEADS`].
    const HEADS: usize;

    /// How a search of it chooses best.
    fn puct() -> Puct {
        Puct::default()
    }

    /// Writes down the numbers that describe the state, seen by the player to move, and are not 0: each with its place among
    /// all [`INPUTS`](Self::INPUTS), from the first to the last. Where chance comes next, it is that player's state before
    /// the dice.
    fn describe(&self, row: &mut impl Row);

    /// Writes the state into a row of [`INPUTS`](Self::INPUTS) numbers.
    fn encode(&self, mut row: &mut [f32]) {
        row.fill(0.0);
        self.describe(&mut row);
    }

    /// The heads of a game that is over and worth this to the player to move.
    fn heads_of(value: f32, heads: &mut [f32]);

    /// Fills in the heads of a state of which a table knows the chances, and returns whether there is one.
    fn known(&self, heads: &mut [f32]) -> bool {
        let _ = heads;
        false
    }

    /// The same heads seen by the other player.
    fn turn(heads: &mut [f32]);

    /// The value that heads stand for, in the game's points.
    fn equity(heads: &[f32]) -> f32;

    /// Makes a win more or less likely, so that the heads stand for another value, or come as near to it as they can.
    fn lean(heads: &mut [f32], equity: f32);

    /// [`Batch::gather`]. All games do the same; but where a game does it, its search is compiled: for speed here, and not in
    /// a crate that only puts a learner together and may have been made small for the page.
    fn gather(batch: &mut Batch<Self>, trees: &mut [Tree<Self>]) -> bool;

    /// [`Batch::hand_back`], compiled where [`gather`](Self::gather) is.
    fn hand_back(batch: &mut Batch<Self>, trees: &mut [Tree<Self>]);

    /// [`Batch::search`] by a network, returning how many simulations were made.
    fn search(
        batch: &mut Batch<Self>,
        trees: &mut [Tree<Self>],
        evaluator: &mut dyn Evaluator<Self>,
        simulations: u32,
    ) -> usize {
        batch.begin(trees, simulations);
        while Self::gather(batch, trees) {
            let (leaves, logits, values) = batch.evaluation();
            evaluator.evaluate(leaves, logits, values);
            Self::hand_back(batch, trees);
        }
        batch.made()
    }
}

/// The places of a mask from the lowest up.
#[inline]
pub(super) fn bits(mask: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut mask = mask.into();
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(place)
    })
}
