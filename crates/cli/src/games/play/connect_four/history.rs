//! Moves and positions of a Connect Four game.

use vivarium_envs::connect_four::{ConnectFour, ConnectFourError};

/// Moves of a game, and the positions after them that can be taken back.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// All moves from the empty board, as columns from 1 to 7.
    moves: String,
    /// Position at the start of the session, and the position after each later move.
    states: Vec<ConnectFour>,
}

impl History {
    /// Creates the history of a game that starts after a list of moves, such as `4453`.
    ///
    /// # Errors
    /// [`ConnectFourError`] if a move is not a column or is illegal.
    pub fn from_moves(moves: &str) -> Result<Self, ConnectFourError> {
        Ok(Self { moves: moves.to_owned(), states: vec![ConnectFour::from_moves(moves)?] })
    }

    /// Creates the history of a game on the empty board.
    pub fn new() -> Self {
        Self { moves: String::new(), states: vec![ConnectFour::START] }
    }

    /// Returns the current position.
    pub fn state(&self) -> ConnectFour {
        self.states[self.states.len() - 1]
    }

    /// Returns all moves from the empty board, as columns from 1 to 7.
    pub fn moves(&self) -> &str {
        &self.moves
    }

    /// Drops a stone of the player to move into `column`, 0 to 6, which must not be full.
    pub fn push(&mut self, column: usize) {
        self.states.push(self.state().after(column));
        self.moves += &(column + 1).to_string();
    }

    /// Takes back the last two moves, so that the same player is to move. Returns whether there were two moves.
    pub fn undo(&mut self) -> bool {
        let Some(earlier) = self.states.len().checked_sub(2).filter(|&earlier| earlier > 0) else {
            return false;
        };
        self.states.truncate(earlier);
        self.moves.truncate(self.moves.len() - 2);
        true
    }
}
