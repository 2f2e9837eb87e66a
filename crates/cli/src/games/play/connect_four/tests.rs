//! Tests of Connect Four in the terminal: expected output for given input.

use super::board::draw;
use super::command::{Command, parse_command};
use super::history::History;
use super::session::{ColumnAdviser, ConnectFourSession, ConnectFourSettings};
use crate::games::play::console::Console;
use vivarium_agents::players::{Decision, Player, PlayerError};
use vivarium_envs::connect_four::ConnectFour;

/// Opponent that drops its stones into the first open column.
struct FirstColumn;

impl Player<ConnectFour> for FirstColumn {
    fn choose(&mut self, decisions: &[Decision<ConnectFour>]) -> Result<Vec<usize>, PlayerError> {
        Ok(decisions
            .iter()
            .map(|decision| (0..7).find(|&column| decision.state.is_open(column)).unwrap())
            .collect())
    }
}

/// Adviser for which a column is 0.25 better than the column to its right.
struct LeftAdviser;

impl ColumnAdviser for LeftAdviser {
    fn values(&mut self, state: &ConnectFour) -> Result<Vec<(usize, f32)>, String> {
        let open = (0..7).filter(|&column| state.is_open(column));
        Ok(open.map(|column| (column, 0.5 - 0.25 * column as f32)).collect())
    }
}

/// Plays a session from the position after `moves` with the input `lines` and returns the output. `adviser` selects
/// whether hints are available.
fn play(moves: &str, adviser: bool, lines: &str) -> String {
    let settings = ConnectFourSettings {
        seed: 7,
        position: Some(History::from_moves(moves).unwrap()),
        opponent: ("First".to_owned(), Box::new(FirstColumn)),
        adviser: adviser.then(|| Box::new(LeftAdviser) as Box<dyn ColumnAdviser>),
    };
    let (mut input, mut output) = (lines.as_bytes(), Vec::new());
    ConnectFourSession::new(settings, Console::new(&mut input, &mut output)).run().unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn the_board_shows_every_stone_from_the_view_of_the_human_player() {
    let state = ConnectFour::from_moves("4453").unwrap();
    let board = "\
| . . . . . . . |
| . . . . . . . |
| . . . . . . . |
| . . . . . . . |
| . . . O . . . |
| . . O X X . . |
  1 2 3 4 5 6 7";
    assert_eq!(draw(&state, 0), board);
    let swapped = board.replace('X', "x").replace('O', "X").replace('x', "O");
    assert_eq!(draw(&state, 1), swapped);
}

#[test]
fn commands_of_connect_four_are_parsed() {
    for (line, command) in [
        ("1", Command::Drop(0)),
        (" 7 ", Command::Drop(6)),
        ("Hint", Command::Hint),
        ("undo", Command::Undo),
        ("moves", Command::Moves),
        ("resign", Command::Resign),
        ("?", Command::Help),
        ("q", Command::Quit),
    ] {
        assert_eq!(parse_command(line), Ok(command), "{line:?}");
    }
    for (line, words) in [
        ("", &["a column from 1 to 7"][..]),
        ("8", &["invalid column 8", "1 to 7"]),
        ("0", &["invalid column 0"]),
        ("99999999999999999999", &["invalid column"]),
        ("undoo", &["undoo", "did you mean undo?"]),
        ("7/6", &["7/6 is neither a column nor a command"]),
    ] {
        let message = parse_command(line).unwrap_err();
        assert!(words.iter().all(|word| message.contains(word)), "{line:?}: {message}");
    }
}

#[test]
fn a_game_is_won_lost_and_drawn() {
    // The human player completes four in column 4; the opponent plays column 1.
    let said = play("", false, "4\n4\n4\n4\nquit\n");
    assert!(said.contains("You win.\nScore: you 1, First 0, 0 drawn."), "{said}");
    assert!(said.ends_with("Final score: 1 won, 0 lost, 0 drawn.\n"), "{said}");
    // The opponent completes four in column 1.
    let said = play("", false, "2\n3\n2\n3\nquit\n");
    assert!(said.contains("You lose.\nScore: you 0, First 1, 0 drawn."), "{said}");
    // One cell is empty.
    let said = play("65617356615221567642233737747314144542532", false, "1\nquit\n");
    assert!(said.contains("The game is drawn.\nScore: you 0, First 0, 1 drawn."), "{said}");
}

#[test]
fn the_players_begin_in_turn() {
    let said = play("", false, "4\n4\n4\n4\n\nquit\n");
    let second = said.split("another game, or enter quit.").nth(1).unwrap();
    assert!(second.contains("First plays column 1") && second.contains("| O . . . . . . |"), "{said}");
}

#[test]
fn moves_are_checked_and_undone() {
    let said = play("34", false, "1\nmoves\nundo\nmoves\nundo\nmoves\nboard\nhint\nnonsense\nresign\n");
    assert_eq!(
        (said.matches("column> 3411\n").count(), said.matches("column> 34\n").count()),
        (1, 2),
        "{said}"
    );
    assert!(said.contains("no adviser available; use --checkpoint FILE"), "{said}");
    assert!(said.contains("there is no move to undo"), "{said}");
    assert!(said.contains("You resign.\nScore: you 0, First 1, 0 drawn."), "{said}");
    let full = play("111111", false, "1\nmoves\n3\nmoves\nundo\nmoves\nquit\n");
    assert!(full.contains("column 1 is full; open columns are 2, 3, 4, 5, 6, 7"), "{full}");
    // The opponent's first open column is column 2.
    assert!(full.contains("First plays column 2") && full.contains("11111132"), "{full}");
    assert_eq!(full.matches("column> 111111\n").count(), 2, "{full}");
    for word in ["dice", "roll", "checker", "may not move"] {
        assert!(!said.contains(word) && !full.contains(word), "{word}");
    }
}

#[test]
fn hints_rank_the_columns_and_a_loss_is_reported() {
    let said = play("", true, "hint\n3\n1\nquit\n");
    assert!(said.contains("column   value\n1        +0.50\n2        +0.25\n"), "{said}");
    assert!(said.contains("column 3 loses 0.50; the best column is 1"), "{said}");
    assert!(!said.contains("column 1 loses"), "{said}");
}
