//! Commands that the human player types in `vivarium play`, and their parser.

use crate::games::roll::parse_roll;
use vivarium_envs::backgammon::{Roll, Win};
use vivarium_lab::spelling;

/// Command of the human player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Confirm the turn: an empty line.
    Done,
    /// Move checkers, such as `13/8 6/5`.
    Moves(String),
    /// Show the legal targets of a point; 25 is the bar.
    Targets(usize),
    /// List all legal plays of the roll.
    Plays,
    /// List the best plays of the roll with their equities.
    Hint,
    /// Undo the last move.
    Undo,
    /// Roll these dice, for a game with real dice: before the roll, or instead of the dice of the turn. `None`: roll the
    /// dice of the program.
    Roll(Option<Roll>),
    /// Double before the roll.
    Double,
    /// Take a double.
    Take,
    /// Pass a double: drop.
    Pass,
    /// Show the pips of both players.
    Pips,
    /// Show the board.
    Board,
    /// Show the position before the turn as XGID and as IDs of GNU Backgammon.
    Id,
    /// Resign a single game, gammon or backgammon.
    Resign(Win),
    /// Show the commands.
    Help,
    /// Quit the program.
    Quit,
}

/// Output of the command `help`.
pub const HELP: &str = "\
  13/8 6/5     move checkers: point to point, bar/20, 6/off, 8/5(2) for two checkers; one move or a complete play
  13           show the legal targets of a checker; also for the bar: bar
  (Enter)      confirm the completed turn; if only one play is legal, make it
  undo         undo the last move
  plays        list all legal plays
  hint         list the best plays with their equities; before a roll: the doubling decision
  pip          show the pips of both players
  roll 31      replace the dice of the turn, for a game with real dice; takes back the moves of the turn
  31           before a roll: enter these dice; with --dice manual, the program prompts for the rolls of both sides
  double       offer a double before the roll (matches and money sessions); Enter or roll rolls the dice
  take         accept a double of the opponent; pass or drop loses the game at the value before the double
  board        show the board
  id           show the position before the turn as XGID and as IDs of GNU Backgammon; the page accepts both
  resign       resign a single game; resign gammon or resign backgammon for more
  quit         quit";

/// Command words, for spelling suggestions.
const WORDS: [&str; 15] = [
    "undo", "plays", "hint", "pip", "roll", "double", "take", "pass", "drop", "board", "id", "resign",
    "help", "quit", "bar",
];

/// Parses a line of input before a roll as a command: dice alone, such as `31`, are a roll.
///
/// # Errors
/// A message with the problem and the allowed input.
pub fn parse_before_roll(line: &str) -> Result<Command, String> {
    parse_roll(line.trim()).map_or_else(|_| parse_command(line), |roll| Ok(Command::Roll(Some(roll))))
}

/// Returns the message for a roll that was typed after the roll.
fn replace_dice(roll: &str) -> String {
    format!("{roll} is a roll; to replace the dice of the turn, enter roll {roll}")
}

/// Parses a line of input as a command. Upper and lower case are equal.
///
/// # Errors
/// A message with the problem and the allowed input.
pub fn parse_command(line: &str) -> Result<Command, String> {
    let line = line.trim().to_lowercase();
    Ok(match line.split_whitespace().collect::<Vec<_>>().as_slice() {
        [] | ["done"] => Command::Done,
        ["undo" | "u"] => Command::Undo,
        ["plays" | "moves"] => Command::Plays,
        ["hint" | "h"] => Command::Hint,
        ["pip" | "pips"] => Command::Pips,
        ["roll"] => Command::Roll(None),
        ["roll", dice] => Command::Roll(Some(parse_roll(dice)?)),
        ["roll", first, second] => Command::Roll(Some(parse_roll(&format!("{first} {second}"))?)),
        ["double" | "redouble"] => Command::Double,
        ["take"] => Command::Take,
        ["pass" | "drop"] => Command::Pass,
        ["roll", ..] => return Err("use roll with two dice, such as roll 31".to_owned()),
        ["board" | "b"] => Command::Board,
        ["id"] => Command::Id,
        ["help" | "?"] => Command::Help,
        ["quit" | "exit" | "q"] => Command::Quit,
        ["bar"] => Command::Targets(25),
        ["resign"] | ["resign", "single"] => Command::Resign(Win::Single),
        ["resign", "gammon"] => Command::Resign(Win::Gammon),
        ["resign", "backgammon"] => Command::Resign(Win::Backgammon),
        ["resign", ..] => return Err("use resign, resign gammon or resign backgammon".to_owned()),
        [word] if word.chars().all(|digit| digit.is_ascii_digit()) => match word.parse() {
            Ok(point @ 1..=25) => Command::Targets(point),
            _ if parse_roll(word).is_ok() => return Err(replace_dice(word)),
            _ => return Err(format!("invalid point {word}; use 1 to 24 or bar")),
        },
        _ if parse_roll(&line).is_ok() => return Err(replace_dice(&line)),
        _ if line.contains('/') => Command::Moves(line),
        [word, ..] => {
            let hint =
                spelling::nearest(word, WORDS).map_or(String::new(), |word| format!("did you mean {word}? "));
            return Err(format!("{word} is neither a move nor a command; {hint}enter help for a list"));
        }
    })
}
