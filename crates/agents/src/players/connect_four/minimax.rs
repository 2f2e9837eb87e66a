//! Connect Four player by depth-limited minimax search.

use super::search::lookahead_score;
use crate::players::{Decision, Player, PlayerError, random};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};

/// Connect Four player that searches to a fixed depth without a heuristic: unfinished games have the value 0. Chooses
/// at random among columns of equal value.
#[derive(Clone, Copy, Debug)]
pub struct Minimax {
    /// Search depth in plies: 1 finds an immediate win of the player, 2 also an immediate win of the opponent.
    pub plies: u32,
}

impl Player<ConnectFour> for Minimax {
    fn choose(&mut self, decisions: &[Decision<ConnectFour>]) -> Result<Vec<usize>, PlayerError> {
        let choose = |decision: &Decision<ConnectFour>| {
            let game = &decision.state;
            let open = (0..COLUMNS).filter(|&column| game.is_open(column));
            let columns: Vec<_> =
                open.map(|column| (lookahead_score(game, column, self.plies), column)).collect();
            let best = columns.iter().map(|&(lookahead_score, _)| lookahead_score).max();
            let best: Vec<_> =
                columns.iter().filter(|&&(lookahead_score, _)| Some(lookahead_score) == best).collect();
            best[random::below(decision.random, best.len())].1
        };
        Ok(decisions.iter().map(choose).collect())
    }
}
