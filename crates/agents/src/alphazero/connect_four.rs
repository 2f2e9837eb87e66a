//! Connect Four as a network sees it.

use super::game::{Learnable, Row, bits};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour, ROWS};
use vivarium_mcts::{Batch, Tree};

/// Cells of the board.
const CELLS: usize = COLUMNS * ROWS;

/// Four planes of the board, cell by cell from the bottom up, column by column: my stones, those of the opponent, the
/// empty cells where a stone of mine would make four, and those where one of the opponent's would.
///
/// Two heads: the chances to win and to lose; what remains is a draw.
impl Learnable for ConnectFour {
    const NAME: &'static str = "connect-four";
    const START: Self = Self::START;
    const INPUTS: usize = 4 * CELLS;
    const HEADS: usize = 2;

    fn describe(&self, row: &mut impl Row) {
        let [mine, theirs] = self.stones();
        let [my_fours, their_fours] = self.completions();
        for (plane, stones) in [mine, theirs, my_fours, their_fours].into_iter().enumerate() {
            // Each column has one bit more than cells.
            bits(stones).for_each(|bit| row.push(plane * CELLS + bit - bit / (ROWS + 1), 1.0));
        }
    }

    fn heads_of(value: f32, heads: &mut [f32]) {
        heads.copy_from_slice(&[f32::from(value > 0.0), f32::from(value < 0.0)]);
    }

    fn turn(heads: &mut [f32]) {
        heads.reverse();
    }

    fn equity(heads: &[f32]) -> f32 {
        heads[0] - heads[1]
    }

    fn lean(heads: &mut [f32], equity: f32) {
        // A draw stays as likely as it was, if that leaves enough to win or lose.
        let equity = equity.clamp(-1.0, 1.0);
        let decided = (heads[0] + heads[1]).max(equity.abs());
        heads.copy_from_slice(&[0.5 * (decided + equity), 0.5 * (decided - equity)]);
    }

    #[inline(never)]
    fn gather(batch: &mut Batch<Self>, trees: &mut [Tree<Self>]) -> bool {
        batch.gather(trees)
    }

    #[inline(never)]
    fn hand_back(batch: &mut Batch<Self>, trees: &mut [Tree<Self>]) {
        batch.hand_back(trees);
    }
}
