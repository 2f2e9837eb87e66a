//! A player that knows the value of positions.

use super::search::{Known, ORDER, prospect, value};
use crate::players::{Decision, Player, PlayerError};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour, ROWS};

/// Plays perfectly once fourteen stones have been played. Before, it looks twelve plies ahead and keeps to the middle.
pub struct Solver {
    known: Known,
}

impl Solver {
    /// From so many empty cells on it knows the value of every column.
    pub const EXACT_FROM: u32 = 28;
    /// How far it looks before that.
    const AHEAD: u32 = 12;
    /// How far it looks to tell an early win from a late one.
    const NEAR: u32 = 6;
    /// Boards whose value it remembers: 16 MiB of them.
    const REMEMBERED: usize = (1 << 21) - 9;

    /// One that has looked at nothing yet.
    pub fn new() -> Self {
        Self { known: Known::new(Self::REMEMBERED) }
    }

    /// What a game is worth to the player to move when both play perfectly: 1, 0 or −1. It may take long with more than
    /// [`EXACT_FROM`](Self::EXACT_FROM) empty cells.
    pub fn value(&mut self, game: &ConnectFour) -> i8 {
        value(game, empty(game), Some(&mut self.known))
    }

    fn best_column(&mut self, game: &ConnectFour) -> usize {
        let mut worth = |column: usize| {
            let after = game.after(column);
            let value = match empty(game) {
                0..=Self::EXACT_FROM => self.value(&after),
                _ => value(&after, Self::AHEAD - 1, None),
            };
            (-value, prospect(game, column, Self::NEAR))
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

/// Cells without a stone.
fn empty(game: &ConnectFour) -> u32 {
    let [mine, theirs] = game.stones();
    (COLUMNS * ROWS) as u32 - (mine | theirs).count_ones()
}
