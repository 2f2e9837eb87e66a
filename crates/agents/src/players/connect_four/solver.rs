//! Connect Four player that plays endgames perfectly.

use super::search::{ORDER, TranspositionTable, lookahead_score, value};
use crate::players::{Decision, Player, PlayerError};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour, ROWS};

/// Connect Four player that plays perfectly if there are at least fourteen stones on the board. With fewer stones,
/// the player searches to a depth of 12 plies, and prefers center columns among moves of equal value.
pub struct Solver {
    table: TranspositionTable,
}

impl Solver {
    /// Maximum number of empty cells with which the player searches to the end of the game.
    pub const EXACT_FROM: u32 = 28;
    /// Search depth in plies if the board has more than [`EXACT_FROM`](Self::EXACT_FROM) empty cells.
    const AHEAD: u32 = 12;
    /// Search depth, in plies, of the tie-break between columns of equal value, which prefers early wins and late
    /// losses.
    const NEAR: u32 = 6;
    /// Number of slots of the transposition table, eight bytes each (16 MiB).
    const TABLE_SLOTS: usize = (1 << 21) - 9;

    /// Creates a player whose transposition table is empty.
    pub fn new() -> Self {
        Self { table: TranspositionTable::new(Self::TABLE_SLOTS) }
    }

    /// Returns the game-theoretic value of `game` for the player to move: 1 for a win, 0 for a draw, −1 for a loss.
    /// Slow if the board has more than [`EXACT_FROM`](Self::EXACT_FROM) empty cells.
    pub fn value(&mut self, game: &ConnectFour) -> i8 {
        value(game, empty(game), Some(&mut self.table))
    }

    fn best_column(&mut self, game: &ConnectFour) -> usize {
        let mut worth = |column: usize| {
            let after = game.after(column);
            let value = match empty(game) {
                0..=Self::EXACT_FROM => self.value(&after),
                _ => value(&after, Self::AHEAD - 1, None),
            };
            (-value, lookahead_score(game, column, Self::NEAR))
        };
        let mut best = None;
        for column in ORDER.into_iter().filter(|&column| game.is_open(column)) {
            let worth = worth(column);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, column));
            }
        }
        best.map_or(0, |(_, column)| column)
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Player<ConnectFour> for Solver {
    fn choose(&mut self, decisions: &[Decision<ConnectFour>]) -> Result<Vec<usize>, PlayerError> {
        Ok(decisions.iter().map(|decision| self.best_column(&decision.state)).collect())
    }
}

/// Returns the number of empty cells of the board.
fn empty(game: &ConnectFour) -> u32 {
    let [mine, theirs] = game.stones();
    (COLUMNS * ROWS) as u32 - (mine | theirs).count_ones()
}
