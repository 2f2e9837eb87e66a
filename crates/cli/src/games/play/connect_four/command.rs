//! Commands that the human player types in a game of Connect Four, and their parser.

use vivarium_envs::connect_four::COLUMNS;
use vivarium_lab::spelling;

/// Command of the human player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Drop a stone into this column, 0 to 6.
    Drop(usize),
    /// Rank the columns by their values.
    Hint,
    /// Take back the last move and the opponent's reply.
    Undo,
    /// Show the moves of the game.
    Moves,
    /// Show the board.
    Board,
    /// Resign the game.
    Resign,
    /// Show the commands.
    Help,
    /// Quit the program.
    Quit,
}

/// Output of the command `help`.
pub const HELP: &str = "\
  4            drop a stone into a column, 1 to 7; four in a row win
  hint         rank the columns by the expected result: +1 is a win, -1 a loss
  undo         take back your last move and the opponent's reply
  moves        show the moves of the game, which --position and the page accept
  board        show the board
  resign       resign the game
  quit         quit";

/// Command words, for spelling suggestions.
const WORDS: [&str; 7] = ["hint", "undo", "moves", "board", "resign", "help", "quit"];

/// Parses a line of input as a command. Upper and lower case are equal.
///
/// # Errors
/// A message with the problem and the allowed input.
pub fn parse_command(line: &str) -> Result<Command, String> {
    let line = line.trim().to_lowercase();
    Ok(match line.as_str() {
        "" => return Err(format!("enter a column from 1 to {COLUMNS}, or help")),
        "hint" | "h" => Command::Hint,
        "undo" | "u" => Command::Undo,
        "moves" => Command::Moves,
        "board" | "b" => Command::Board,
        "resign" => Command::Resign,
        "help" | "?" => Command::Help,
        "quit" | "exit" | "q" => Command::Quit,
        number if number.chars().all(|digit| digit.is_ascii_digit()) => match number.parse() {
            Ok(column @ 1..=COLUMNS) => Command::Drop(column - 1),
            _ => return Err(format!("invalid column {number}; use 1 to {COLUMNS}")),
        },
        word => {
            let hint =
                spelling::nearest(word, WORDS).map_or(String::new(), |word| format!("did you mean {word}? "));
            return Err(format!("{word} is neither a column nor a command; {hint}enter help for a list"));
        }
    })
}
