//! Text rendering of the Connect Four board.

use vivarium_envs::connect_four::{COLUMNS, ConnectFour, ROWS};

/// Characters that represent the stones of the human player (first) and of the opponent.
pub const STONE_CHARS: [char; 2] = ['X', 'O'];

/// Draws the board with the numbers of the columns. `human` is the player number of the human player, 0 or 1.
pub fn draw(state: &ConnectFour, human: u8) -> String {
    let cell = |column: usize, row: usize| match state.stone(column, row) {
        Some(player) => STONE_CHARS[usize::from(player != human)],
        None => '.',
    };
    let line = |cells: &mut dyn Iterator<Item = char>| cells.map(String::from).collect::<Vec<_>>().join(" ");
    let rows =
        (0..ROWS).rev().map(|row| format!("| {} |", line(&mut (0..COLUMNS).map(|column| cell(column, row)))));
    let numbers = ('1'..='9').take(COLUMNS);
    rows.chain([format!("  {}", line(&mut { numbers }))]).collect::<Vec<_>>().join("\n")
}
