//! What a person can type.

use vivarium_envs::backgammon::Win;
use vivarium_lab::spelling;

/// What a person asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The turn is over: an empty line.
    Done,
    /// Moves in writing, such as `13/8 6/5`.
    Moves(String),
    /// Where the checker of a place may go; 25 is the bar.
    Targets(usize),
    /// All plays.
    Plays,
    /// The best plays.
    Hint,
    /// Takes back the last move.
    Undo,
    /// Shows the board again.
    Board,
    /// Tells the position ID.
    Id,
    /// Gives up, for so much.
    Resign(Win),
    /// Says what can be typed.
    Help,
    /// Ends it.
    Quit,
}

/// What can be typed.
pub const HELP: &str = "\
  13/8 6/5     moves checkers: from a point to a point, bar/20, 6/off, 8/5(2) for two; one move or all of them
  13           shows where the checker on a point may go; so does bar
  (nothing)    hands the turn over once it is complete; with one legal play, plays it
  undo         takes the last move back
  plays        lists all legal plays
  hint         lists the best plays and what they are worth
  board        draws the board; id prints its position ID, which GNU Backgammon and the page read
  resign       gives up a single game; resign gammon and resign backgammon give up more
  quit         ends it";

/// The words that are commands.
const WORDS: [&str; 9] = ["undo", "plays", "hint", "board", "id", "resign", "help", "quit", "bar"];

/// Reads a line.
///
/// # Errors
/// A message that says what can be typed.
pub fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim().to_lowercase();
    Ok(match line.split_whitespace().collect::<Vec<_>>().as_slice() {
        [] | ["done"] => Command::Done,
        ["undo" | "u"] => Command::Undo,
        ["plays" | "moves"] => Command::Plays,
        ["hint" | "h"] => Command::Hint,
        ["board" | "b"] => Command::Board,
        ["id"] => Command::Id,
        ["help" | "?"] => Command::Help,
        ["quit" | "exit" | "q"] => Command::Quit,
        ["bar"] => Command::Targets(25),
        ["resign"] | ["resign", "single"] => Command::Resign(Win::Single),
        ["resign", "gammon"] => Command::Resign(Win::Gammon),
        ["resign", "backgammon"] => Command::Resign(Win::Backgammon),
        ["resign", ..] => return Err("it is resign, resign gammon or resign backgammon".to_owned()),
        [word] if word.chars().all(|digit| digit.is_ascii_digit()) => match word.parse() {
            Ok(point @ 1..=25) => Command::Targets(point),
            _ => return Err(format!("there is no point {word}; points are 1 to 24, and bar")),
        },
        _ if line.contains('/') => Command::Moves(line),
        [word, ..] => {
            let hint =
                spelling::nearest(word, WORDS).map_or(String::new(), |word| format!("did you mean {word}? "));
            return Err(format!("{word} is neither a move nor a command; {hint}help says what can be typed"));
        }
    })
}
