//! A player that looks some plies ahead.

use super::search::prospect;
use crate::players::{Decision, Player, PlayerError, random};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};

/// Looks so many plies ahead, and at nothing but won and lost games: among columns that look equally good it draws lots.
#[derive(Clone, Copy, Debug)]
pub struct Minimax {
    /// How many plies, stones of both players: with one it sees its own wins, with two those of the opponent.
    pub plies: u32,
}

impl Player<ConnectFour> for Minimax {
    fn choose(&mut self, decisions: &[Decision<ConnectFour>]) -> Result<Vec<usize>, PlayerError> {
        let choose = |decision: &Decision<ConnectFour>| {
            let game = &decision.state;
            let open = (0..COLUMNS).filter(|&column| game.is_open(column));
            let columns: Vec<_> = open.map(|column| (prospect(game, column, self.plies), column)).collect();
            let best = columns.iter().map(|&(prospect, _)| prospect).max();
            let best: Vec<_> = columns.iter().filter(|&&(prospect, _)| Some(prospect) == best).collect();
            best[random::below(decision.random, best.len())].1
        };
        Ok(decisions.iter().map(choose).collect())
    }
}
