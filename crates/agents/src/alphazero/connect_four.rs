//! Connect Four as a game for AlphaZero: network inputs and outcome probabilities.

use super::config::AlphaZeroConfig;
use super::game::{InputRow, SelfPlayGame, bits, search_compiled_here};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour, ROWS};

/// Number of cells of the Connect Four board: 42.
const CELLS: usize = COLUMNS * ROWS;

/// Connect Four for AlphaZero. The network inputs are four 0/1 planes of 42 cells, column by column, each column from
/// the bottom up: stones of the player to move, stones of the opponent, and for each of them the empty cells that
/// complete four in a row.
///
/// The two value heads are the probabilities to win and to lose; the remainder is the probability of a draw.
impl SelfPlayGame for ConnectFour {
    const NAME: &'static str = "connect-four";
    const START: Self = Self::START;
    const INPUTS: usize = 4 * CELLS;
    const HEADS: usize = 2;

    fn config() -> AlphaZeroConfig {
        // Connect Four has no dice, so the first moves are sampled. Only a quarter of the moves is searched, which
        // yields four times as many games in the same time (playout cap randomization: Wu 2019, "Accelerating
        // Self-Play Learning in Go", <https://arxiv.org/abs/1902.10565>).
        AlphaZeroConfig {
            width: 64,
            search_share: 0.25,
            tolerance: 0.05,
            final_trace: 0.8,
            trace_samples: 1_000_000,
            replay_capacity: 65_536,
            replay_ratio: 2.0,
            minibatch: 128,
            learning_rate: 2e-3,
            anneal_samples: 4_000_000,
            generation: 16_384,
            ..AlphaZeroConfig::default()
        }
    }

    fn write_inputs(&self, row: &mut impl InputRow) {
        let [mine, theirs] = self.stones();
        let [my_fours, their_fours] = self.completions();
        for (plane, stones) in [mine, theirs, my_fours, their_fours].into_iter().enumerate() {
            // A column has `ROWS` cells but `ROWS` + 1 bits.
            bits(stones).for_each(|bit| row.push(plane * CELLS + bit - bit / (ROWS + 1), 1.0));
        }
    }

    fn outcome_heads(value: f32, heads: &mut [f32]) {
        heads.copy_from_slice(&[f32::from(value > 0.0), f32::from(value < 0.0)]);
    }

    fn flip_heads(heads: &mut [f32]) {
        heads.reverse();
    }

    fn equity(heads: &[f32]) -> f32 {
        heads[0] - heads[1]
    }

    fn set_equity(heads: &mut [f32], equity: f32) {
        // Keeps the probability of a draw unless the equity requires a higher probability to win or lose.
        let equity = equity.clamp(-1.0, 1.0);
        let decided = (heads[0] + heads[1]).max(equity.abs());
        heads.copy_from_slice(&[0.5 * (decided + equity), 0.5 * (decided - equity)]);
    }

    fn pack(&self) -> (u128, u8) {
        let [mine, theirs] = self.stones();
        (u128::from(mine) | u128::from(theirs) << 64, self.player())
    }

    fn unpack(bits: u128, tag: u8) -> Option<Self> {
        Self::from_stones([bits as u64, (bits >> 64) as u64], tag)
    }

    search_compiled_here!();
}
