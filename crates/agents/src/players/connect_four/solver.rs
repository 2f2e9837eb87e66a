//! Perfect endgame player.

use super::search::{ORDER, TranspositionTable, lookahead_score, value};
use crate::players::{Decision, Player, PlayerError};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour, ROWS};

/// Player that plays perfectly from fourteen stones on the board on. With fewer stones, the player searches to a depth
/// of 12 plies and prefers the center.
pub struct Solver {
    table: TranspositionTable,
}

impl Solver {
    /// Maximum number of empty cells at which the player computes exact values.
    pub const EXACT_FROM: u32 = 28;
    /// Search depth in plies with more than [`EXACT_FROM`](Self::EXACT_FROM) empty cells.
    const AHEAD: u32 = 12;
    /// Search depth, in plies, of the tie-break between columns of equal value. The tie-break prefers early wins.
    const NEAR: u32 = 6;
    /// Number of slots of the transposition table (16 MiB).
    const TABLE_SLOTS: usize = (1 << 21) - 9;

    /// Creates a solver with an empty transposition table.
    pub fn new() -> Self {
        Self { table: TranspositionTable::new(Self::TABLE_SLOTS) }
    }

    /// Returns the game-theoretic value for the player to move: 1, 0 or −1. Slow with more than
    /// [`EXACT_FROM`](Self::EXACT_FROM) empty cells.
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

/// Returns the number of empty cells.
fn empty(game: &ConnectFour) -> u32 {
    let [mine, theirs] = game.stones();
    (COLUMNS * ROWS) as u32 - (mine | theirs).count_ones()
}
