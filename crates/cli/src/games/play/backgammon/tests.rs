//! Tests of `vivarium play`: expected output for given input.

use super::command::{Command, parse_command};
use super::session::{TerminalGame, TerminalGameSettings};
use super::turn::TypedTurn;
use crate::games::board_text::draw;
use crate::games::equity_table::EquityTable;
use crate::games::play::console::Console;
use vivarium_agents::players::Random;
use vivarium_envs::backgammon::doubling::EquityContext;
use vivarium_envs::backgammon::{DoublingCubeOwner, Match, OFF, PLACES, Plays, Position, Roll, Setup, Win};
use vivarium_exhibit_games::advice::{Advice, Adviser};

fn roll(first: u8, second: u8) -> Roll {
    Roll::new(first, second).unwrap()
}

/// Adviser whose equities follow the order of the generated plays: each equity is 0.1 higher than the equity of the
/// previous play.
struct OrderAdviser;

impl Adviser for OrderAdviser {
    fn advise(
        &mut self,
        position: &Position,
        roll: Roll,
        _: EquityContext<'_>,
    ) -> Result<Vec<Advice>, String> {
        let mut plays = Plays::new();
        plays.generate(position, roll);
        let advice = |(at, play): (usize, &_)| Advice {
            play: *play,
            probabilities: [0.5, 0.25, 0.0, 0.125, 0.0],
            equity: 0.1 * at as f64,
            searched: true,
        };
        Ok(plays.iter().enumerate().map(advice).rev().collect())
    }

    fn probabilities_before_roll(&mut self, _: &Position, _: EquityContext<'_>) -> Result<[f32; 5], String> {
        Ok([0.5, 0.0, 0.0, 0.0, 0.0])
    }

    fn method_before_roll(&self, _: &Position) -> String {
        String::new()
    }
}

/// Adviser with a fixed winning probability of the player on roll, without gammons.
struct WinAdviser(f32);

impl Adviser for WinAdviser {
    fn advise(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
    ) -> Result<Vec<Advice>, String> {
        OrderAdviser.advise(position, roll, context)
    }

    fn probabilities_before_roll(&mut self, _: &Position, _: EquityContext<'_>) -> Result<[f32; 5], String> {
        Ok([self.0, 0.0, 0.0, 0.0, 0.0])
    }

    fn method_before_roll(&self, _: &Position) -> String {
        String::new()
    }
}

/// Plays games with the doubling cube from the starting position, before the roll of the player who is on roll in `state`,
/// with an adviser that gives this player the winning probability `win`. Returns the output.
fn play_match(state: Match, win: f32, lines: &str) -> String {
    let settings = TerminalGameSettings {
        comments: true,
        seed: 7,
        position: Some(Position::START),
        roll: None,
        manual_dice: false,
        match_state: Some(state),
        equity_table: EquityTable::computed(),
        recorder: None,
        opponent: ("Random".to_owned(), Some(Box::new(Random))),
        adviser: Some(Box::new(WinAdviser(win))),
    };
    let mut output = Vec::new();
    TerminalGame::new(settings, Console::new(&mut lines.as_bytes(), &mut output)).run().unwrap();
    String::from_utf8(output).unwrap()
}

/// Plays a session with the input `lines` and returns the output. `adviser` selects whether hints are available.
fn play_session(position: Option<Position>, adviser: bool, lines: &str) -> String {
    let table = TerminalGameSettings {
        comments: true,
        seed: 7,
        position,
        roll: None,
        manual_dice: false,
        match_state: None,
        equity_table: EquityTable::computed(),
        recorder: None,
        opponent: ("Random".to_owned(), Some(Box::new(Random))),
        adviser: adviser.then(|| Box::new(OrderAdviser) as Box<dyn Adviser>),
    };
    let mut output = Vec::new();
    TerminalGame::new(table, Console::new(&mut lines.as_bytes(), &mut output)).run().unwrap();
    String::from_utf8(output).unwrap()
}

/// Plays a session from the starting position, with the human player on roll, and returns the output.
fn play_from_start(adviser: bool, lines: &str) -> String {
    play_session(Some(Position::START), adviser, lines)
}

#[test]
fn the_board_shows_every_checker() {
    let board = draw(&Position::START);
    let lines: Vec<_> = board.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "   13 14 15 16 17 18        19 20 21 22 23 24",
            " +-------------------+----+-------------------+",
            " |  X           O    |    |  O              X |  O opponent: 167 pips, 0 off",
            " |  X           O    |    |  O              X |",
        ]
    );
    assert_eq!(board.matches('X').count(), 15 + 1);
    assert_eq!(board.matches('O').count(), 15 + 1);

    // Seven checkers on a point, two checkers of a player on the bar.
    let (mut mine, mut theirs) = ([0; PLACES], [0; PLACES]);
    (mine[3], mine[OFF]) = (7, 8);
    (theirs[25], theirs[1], theirs[OFF]) = (2, 3, 10);
    let board = draw(&Position::new(mine, theirs).unwrap());
    assert!(board.contains("Ox2") && board.contains("  7 ") && board.contains("21 pips, 8 off"), "{board}");
    let widths = board.lines().skip(1).take(13).map(|line| line.rfind(['|', '+']).unwrap());
    assert!(widths.clone().all(|width| width == 46), "{board}");
}

#[test]
fn lines_are_understood() {
    for (line, command) in [
        ("", Command::Done),
        ("  13/8  6/5 ", Command::Moves("13/8  6/5".into())),
        ("BAR/20", Command::Moves("bar/20".into())),
        ("bar", Command::Targets(25)),
        ("13", Command::Targets(13)),
        ("Undo", Command::Undo),
        ("pip", Command::Pips),
        ("roll 31", Command::Roll(Some(roll(3, 1)))),
        ("roll", Command::Roll(None)),
        ("double", Command::Double),
        ("take", Command::Take),
        ("drop", Command::Pass),
        ("pass", Command::Pass),
        ("resign", Command::Resign(Win::Single)),
        ("resign gammon", Command::Resign(Win::Gammon)),
        ("?", Command::Help),
        ("q", Command::Quit),
        ("roll 3 1", Command::Roll(Some(roll(3, 1)))),
        ("roll 3,1", Command::Roll(Some(roll(3, 1)))),
    ] {
        assert_eq!(parse_command(line), Ok(command), "{line:?}");
    }
    for (line, words) in [
        ("29", &["invalid point 29", "1 to 24"][..]),
        ("42", &["42 is a roll", "enter roll 42"]),
        ("4-2", &["enter roll 4-2"]),
        ("0", &["invalid point 0"]),
        ("roll 7", &["two dice from 1 to 6"]),
        ("roll 3 1 2", &["roll 31"]),
        ("99999999999999999999", &["invalid point"]),
        ("undoo", &["undoo", "did you mean undo?"]),
        ("zebra", &["zebra", "enter help"]),
        ("resign all", &["resign gammon", "resign backgammon"]),
        ("🎲", &["🎲", "help"]),
    ] {
        let message = parse_command(line).unwrap_err();
        assert!(words.iter().all(|word| message.contains(word)), "{line:?}: {message}");
    }
}

#[test]
fn a_turn_is_entered_as_a_play_or_as_single_moves() {
    let wanted = {
        let mut plays = Plays::new();
        plays.generate(&Position::START, roll(3, 1));
        plays.find(&Position::START, "8/5 6/5").unwrap().after
    };
    for moves in [&["8/5 6/5"][..], &["6/5", "8/5"], &["8/5,6/5"], &["8/5", "6/5"]] {
        let mut turn = TypedTurn::new(Position::START, roll(3, 1));
        moves.iter().try_for_each(|text| turn.enter(text)).unwrap();
        assert_eq!(turn.play().map(|play| play.after), Some(wanted), "{moves:?}");
        assert!(turn.enter("24/23").unwrap_err().contains("undo"), "the turn is complete");
        (0..moves.len()).for_each(|_| assert!(turn.undo()));
        assert!(!turn.undo() && turn.position() == Position::START, "{moves:?}");
    }
    let mut double = TypedTurn::new(Position::START, roll(1, 1));
    double.enter("6/5(2)").unwrap();
    assert_eq!(double.dice_left(), [1, 1]);
    double.enter("8/7(2)").unwrap();
    assert!(double.play().is_some());
}

#[test]
fn illegal_moves_change_nothing_and_list_the_legal_targets() {
    for (text, words) in [
        ("8/3", &["from 8 to 3", "to 5 or 7 or 4"][..]),
        ("24/18", &["may move to"]),
        ("13/14", &["from 13 to 14", "to 10 or 9"]),
        ("7/6", &["no checker on 7"]),
        ("8/5 6/2", &["6", "2"]),
        ("x/y", &["x/y", "moves are written"]),
        ("8/", &["8/", "moves are written"]),
        ("8/5(9)", &["8/5(9)", "moves are written"]),
    ] {
        let mut turn = TypedTurn::new(Position::START, roll(3, 1));
        let message = turn.enter(text).unwrap_err();
        assert!(words.iter().all(|word| message.contains(word)), "{text}: {message}");
        assert_eq!(turn.position(), Position::START);
    }
    let turn = TypedTurn::new(Position::START, roll(3, 1));
    assert!(turn.targets(13).contains("from 13: 10, 9"), "{}", turn.targets(13));
    assert!(turn.targets(7).contains("no legal move from 7; legal moves start from 24, 13, 8, 6"));
}

#[test]
fn a_session_answers_every_line() {
    let said = play_from_start(true, "help\nplays\nhint\nid\n13\nundo\nboard\nnonsense\n26/3\nquit\n");
    for words in [
        "You play X, from point 24 to point 1; Random plays O. Dice seed: 7.",
        "You rolled ",
        "13/8 6/5     move checkers",
        "equity",
        "     –  ",
        ":0:0:0:0:10\n4HPwATDgc/ABMA\n",
        "legal targets from 13: ",
        "there is no move to undo",
        "nonsense is neither a move nor a command",
        "\"26/3\" is not a move",
        "Final score: 0 points won, 0 points lost.",
    ] {
        assert!(said.contains(words), "{words:?} is missing in\n{said}");
    }
}

#[test]
fn without_an_adviser_there_are_no_hints_and_resignations_are_accepted() {
    let said = play_from_start(false, "hint\nresign\nno\nresign\nyes\n");
    assert!(said.contains("--checkpoint FILE"), "{said}");
    assert!(said.contains("Resign a single game: 1 point? yes or no> You play on.\n"), "{said}");
    assert!(said.contains("You resign a single game: 1 point.\nScore: you 0, Random 1."), "{said}");
    assert!(said.ends_with("Final score: 0 points won, 1 point lost.\n"), "{said}");
}

#[test]
fn a_resignation_below_the_equity_is_declined() {
    /// Adviser with an equity of -1.8 for every play.
    struct FixedEquityAdviser;
    impl Adviser for FixedEquityAdviser {
        fn advise(
            &mut self,
            position: &Position,
            roll: Roll,
            context: EquityContext<'_>,
        ) -> Result<Vec<Advice>, String> {
            let advice = OrderAdviser.advise(position, roll, context)?;
            Ok(advice.into_iter().map(|advice| Advice { equity: -1.8, ..advice }).collect())
        }

        fn probabilities_before_roll(
            &mut self,
            position: &Position,
            context: EquityContext<'_>,
        ) -> Result<[f32; 5], String> {
            OrderAdviser.probabilities_before_roll(position, context)
        }

        fn method_before_roll(&self, _: &Position) -> String {
            String::new()
        }
    }
    let table = TerminalGameSettings {
        comments: true,
        seed: 1,
        position: Some(Position::START),
        roll: None,
        manual_dice: false,
        match_state: None,
        equity_table: EquityTable::computed(),
        recorder: None,
        opponent: ("Random".to_owned(), Some(Box::new(Random))),
        adviser: Some(Box::new(FixedEquityAdviser)),
    };
    let mut output = Vec::new();
    let mut input = &b"resign\nyes\nresign gammon\nyes\nquit\n"[..];
    TerminalGame::new(table, Console::new(&mut input, &mut output)).run().unwrap();
    let said = String::from_utf8(output).unwrap();
    assert!(said.contains("the equity of Random is +1.80, that of the offer +1.00; offer more"), "{said}");
    assert!(said.contains("You resign a gammon: 2 points.") && said.contains("2 points lost"), "{said}");
}

#[test]
fn a_play_that_loses_equity_is_reported() {
    // The plays in the program's own order.
    let said = play_from_start(true, "plays\nquit\n");
    let listed: Vec<_> = said.lines().filter(|line| line.contains('/') && !line.contains("> ")).collect();
    let first = said.split("> ").nth(1).unwrap().lines().next().unwrap();
    let (first, last) = (first, *listed.last().unwrap());
    let said = play_from_start(true, &format!("{first}\n\nquit\n"));
    assert!(
        said.contains(&format!("{first} loses ")) && said.contains(&format!("the best play is {last}")),
        "{said}"
    );
    assert!(said.contains("Random rolled "), "the turn is handed over:\n{said}");
    let said = play_from_start(true, &format!("{last}\n\nquit\n"));
    assert!(!said.contains("the best play is") && said.contains("Random rolled "), "{said}");
}

#[test]
fn a_session_ends_with_a_summary_of_the_errors() {
    let said = play_from_start(true, "plays\nquit\n");
    let first = said.split("> ").nth(1).unwrap().lines().next().unwrap();
    assert!(!said.contains("performance rating"), "a session without decisions has no summary:\n{said}");
    let said = play_from_start(true, &format!("{first}\n\nquit\n"));
    let summary = said.split_once("Final score: ").unwrap().1;
    for words in [
        "Your 1 play with a choice lost ",
        "your 0 doubling decisions 0.000. Errors by mark: ?? 1, ? 0, ?! 0.",
        "performance rating (PR) ",
        "--record games.sgf",
    ] {
        assert!(summary.contains(words), "{words:?} is missing in\n{said}");
    }
    let without_adviser = play_from_start(false, &format!("{first}\n\nquit\n"));
    assert!(!without_adviser.contains("performance rating"), "{without_adviser}");
    // The decision not to double at 50 % is not close; the double loses equity.
    let state = Match { on_roll: 0, ..Match::start(7, false) };
    let decisions = |lines| play_match(state, 0.5, lines).contains("your 1 doubling decision ");
    assert!(decisions("double\n\nquit\n") && !decisions("roll\nplays\nquit\n"));
    assert!(play_match(state, 0.7, "roll\nquit\n").contains("your 1 doubling decision "));
}

#[test]
fn the_notes_of_hints_are_printed_once() {
    let count = |said: &str, words: &str| said.matches(words).count();
    let said = play_from_start(true, "hint\nhint\nquit\n");
    assert_eq!([count(&said, "loses "), count(&said, "after the play. Win and loss")], [2, 1], "{said}");
    let state = Match { on_roll: 0, ..Match::start(7, false) };
    let said = play_match(state, 0.5, "hint\nhint\nquit\n");
    assert_eq!([count(&said, "Best: "), count(&said, "Loses: ")], [2, 1], "{said}");
}

#[test]
fn dice_are_entered_by_hand_and_pips_are_counted() {
    let said = play_from_start(false, "24/23\nroll 31\n8/5 6/5\npip\nroll 4-2\nundo\nquit\n");
    assert!(said.contains("You rolled 3-1.") && said.contains("8/5 6/5: press Enter"), "{said}");
    assert!(said.contains("you: 163 pips, Random: 167 pips"), "{said}");
    // A new roll takes back the moves of the turn.
    assert!(said.contains("You rolled 4-2.") && said.contains("there is no move to undo"), "{said}");
}

#[test]
fn a_game_is_played_to_its_end() {
    // Two checkers against two: the human bears off within two rolls.
    let (mut mine, mut theirs) = ([0; PLACES], [0; PLACES]);
    (mine[1], mine[OFF]) = (2, 13);
    (theirs[6], theirs[OFF]) = (10, 5);
    let position = Position::new(mine, theirs).unwrap();
    let said = play_session(Some(position), true, "\n\nquit\n");
    assert!(said.contains("You win a single game: 1 point."), "{said}");
    assert!(said.contains("Score: you 1, Random 0."), "{said}");
    // The next game starts from the starting position.
    assert!(said.contains("O opponent: 167 pips") || said.contains("Random rolled"), "{said}");
    assert!(said.ends_with("Final score: 1 point won, 0 points lost.\n"), "{said}");
}

#[test]
fn many_games_of_first_plays_come_to_an_end() {
    // Always enter the first legal play, so that every game ends.
    let mut lines = String::new();
    for _ in 0..400 {
        // If several plays are legal, an empty line is rejected, and a move by the roll is tried from every point.
        for point in (1..=25).rev() {
            let from = if point == 25 { "bar".to_owned() } else { point.to_string() };
            for die in 1..=6 {
                let to = if point <= die { "off".to_owned() } else { (point - die).to_string() };
                lines += &format!("{from}/{to}\n");
            }
        }
        lines += "\n";
    }
    let said = play_from_start(false, &lines);
    assert!(said.contains("You win ") || said.contains("You lose "), "no game ended");
    assert!(!said.contains("panicked"));
}

/// Checks that `said` contains all `words`.
fn assert_said(said: &str, words: &[&str]) {
    for words in words {
        assert!(said.contains(words), "{words:?} is missing in\n{said}");
    }
}

#[test]
fn a_double_is_passed_or_taken_by_the_opponent() {
    let passed = play_match(Match::start(3, false), 0.9, "double\n\nquit\n");
    assert_said(
        &passed,
        &[
            "Match to 3: you 0, Random 0. Doubling cube 1 in the center.",
            "roll or double> You double to 2; Random passes.\nYou win 1 point.",
            "Score: you 1, Random 0, match to 3. Press Enter for the next game",
        ],
    );
    let taken = play_match(Match::start(7, false), 0.5, "hint\ndouble\n\nid\nboard\nresign\nyes\nquit\n");
    assert_said(
        &taken,
        &[
            "Best: no double, take",
            "double loses ",
            "the best action is no double",
            "You double to 2; Random takes.",
            "You rolled ",
            "You resign a single game: 2 points.",
            "Score: you 0, Random 2, match to 7.",
        ],
    );
    let ids: Vec<_> = taken.lines().filter_map(|line| Setup::parse(line.rsplit("> ").next()?).ok()).collect();
    assert_eq!((ids.len(), ids[0]), (2, ids[1]), "XGID and IDs of GNU Backgammon:\n{taken}");
    let state = ids[0].state.unwrap();
    assert_eq!((state.doubling_cube(), state.doubling_cube_owner), (2, DoublingCubeOwner::Player(1)));
    assert!(state.roll.is_some() && ids[0].position == Position::START, "{taken}");
    // A double is made when it is confirmed.
    let undone = play_match(Match::start(7, false), 0.5, "undo\ndouble\nroll\nundo\n31\ndouble\nquit\n");
    assert_said(
        &undone,
        &[
            "there is no double to take back",
            "double to 2: press Enter to confirm, or enter undo",
            "press Enter to confirm the double",
            "the double is taken back",
            "You rolled 3-1.",
            "the dice have been rolled",
        ],
    );
    assert!(!undone.contains("You double"), "{undone}");
    // A roll without a double that should have been made.
    let missed = play_match(Match::start(0, true), 0.75, "roll 31\nquit\n");
    assert_said(
        &missed,
        &[
            "Money session with the Jacoby rule",
            "no double loses ",
            "the best action is double",
            "You rolled 3-1.",
        ],
    );
}

#[test]
fn the_reason_for_no_double_after_the_roll_is_named() {
    let after_roll = |state| play_match(state, 0.5, "31\ndouble\nquit\n");
    assert!(after_roll(Match::start(7, false)).contains("the dice have been rolled"));
    let crawford = Match { score: [4, 0], crawford: true, ..Match::start(5, false) };
    let said = play_match(crawford, 0.5, "double\nquit\n");
    assert!(said.contains("Crawford game") && !said.contains("the dice have been rolled"), "{said}");
    let cubeless = play_from_start(true, "double\nquit\n");
    assert!(cubeless.contains("no doubling cube; start play with --match"), "{cubeless}");
}

#[test]
fn a_double_of_the_opponent_is_taken_or_passed() {
    let state = Match::start(5, false).turn_of(1);
    let passed = play_match(state, 0.75, "nonsense\n8/5\nhint\ntake\nundo\ndrop\n\nquit\n");
    assert_said(
        &passed,
        &[
            "Random doubles to 2.",
            "nonsense is neither",
            "enter take or pass",
            "Best: take",
            "take at 2: press Enter to confirm, or enter undo",
            "the answer is taken back",
            "pass and lose 1 point: press Enter to confirm",
            "pass loses ",
            "the best action is take",
            "You lose 1 point.\nScore: you 0, Random 1, match to 5.",
        ],
    );
    let taken = play_match(state, 0.75, "take\n\n");
    assert_said(&taken, &["Random rolled ", "Doubling cube 2 owned by you.", "roll or double> "]);
    assert!(!taken.contains("loses"), "{taken}");
    // A position in which the double has already been offered.
    let offered = play_match(state.double(), 0.3, "take\n\n");
    assert_said(&offered, &["Random doubles to 2.", "Doubling cube 2 owned by you."]);
    let none = play_match(state, 0.5, "quit\n");
    assert!(!none.contains("doubles to"), "{none}");
}

#[test]
fn a_match_has_a_crawford_game_and_an_end() {
    // A double of the human player that is passed leaves the human player one point away.
    let lines = "double\n\n\nresign\nyes\n\nresign\nyes\nquit\n";
    let said = play_match(Match::start(2, false), 0.9, lines);
    assert_said(&said, &["Match to 2: you 1, Random 0; Crawford game. Doubling cube 1 in the center."]);
    let crawford = said.split("Crawford game").nth(1).unwrap();
    let game = crawford.split("Press Enter").next().unwrap();
    assert!(!game.contains("roll or double"), "no double in the Crawford game:\n{said}");
    assert_said(&said, &["Score: you 1, Random 1, match to 2."]);
    let last = play_match(Match::start(1, false), 0.9, "resign\nyes\n\nquit\n");
    assert_said(&last, &["Score: you 0, Random 1. You lose the match. Press Enter for another match"]);
    assert_said(&last, &["Match to 1: you 0, Random 0. No doubling cube.\n"]);
    assert!(!last.contains("Doubling cube") && !last.contains("Crawford"), "{last}");
}

/// Plays with dice that the user enters and an adviser that gives the player on roll a winning probability of 50 %. Returns the
/// output.
fn play_manual(position: Option<Position>, match_state: Option<Match>, lines: &str) -> String {
    let settings = TerminalGameSettings {
        comments: true,
        seed: 7,
        position,
        roll: None,
        manual_dice: true,
        match_state,
        equity_table: EquityTable::computed(),
        recorder: None,
        opponent: ("Random".to_owned(), Some(Box::new(Random))),
        adviser: Some(Box::new(WinAdviser(0.5))),
    };
    let mut output = Vec::new();
    TerminalGame::new(settings, Console::new(&mut lines.as_bytes(), &mut output)).run().unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn manual_dice_of_both_sides_are_entered() {
    // The human player wins the opening roll, then both sides roll.
    let said = play_manual(None, None, "33\n7\n31\n8/5 6/5\n\nhelp\nboard\npip\n99\n64\nroll 52\nquit\n");
    assert_said(
        &said,
        &[
            "You enter the dice of both sides.",
            "opening roll> equal dice: both players roll again",
            "opening roll> enter two dice from 1 to 6, your die first",
            "You rolled 3-1.",
            "roll of Random> ",
            "you: 163 pips, Random: 167 pips",
            "enter two dice from 1 to 6, such as 31",
            "Random rolled 6-4 and played ",
            "your roll> ",
            "You rolled 5-2.",
        ],
    );
    // The opponent wins the opening roll.
    let said = play_manual(None, None, "13\nquit\n");
    assert_said(&said, &["Random rolled 3-1 and played ", "your roll> "]);
}

#[test]
fn manual_dice_follow_a_doubling_decision() {
    let start = Some(Position::START);
    let said = play_manual(start, Some(Match::start(5, false)), "31\nquit\n");
    assert_said(&said, &["roll or double> You rolled 3-1."]);
    // Enter rolls: the prompt of the dice follows.
    let said = play_manual(start, Some(Match::start(5, false)), "\n11\nquit\n");
    assert_said(&said, &["roll or double> your roll> You rolled 1-1."]);
    let said = play_manual(start, Some(Match::start(5, false)), "double\n\n21\nquit\n");
    assert_said(&said, &["Random takes.", "your roll> ", "You rolled 2-1."]);
}

#[test]
fn commands_are_answered_at_the_prompts_of_manual_dice() {
    let start = Some(Position::START);
    let said =
        play_manual(start, Some(Match::start(5, false)), "\nhint\npip\nid\nundo\ndouble\nfoo\n31\nquit\n");
    let prompt = said.split("your roll> ").skip(1).collect::<Vec<_>>();
    for (answer, words) in prompt.iter().zip([
        "cubeless equity +0.000;",
        "you: 167 pips, Random: 167 pips",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10\n4HPwATDgc/ABMA:",
        "there is no move to undo",
        "no doubling decision",
        "foo is neither a move nor a command",
        "You rolled 3-1.",
    ]) {
        assert!(answer.starts_with(words), "{words:?} is missing in\n{said}");
    }
    assert!(prompt[0].contains("Best: no double, take"), "{said}");
    // Without the doubling cube, there is no doubling decision, and the position has no match ID.
    let said = play_manual(start, None, "hint\nid\nresign\nyes\n");
    let prompt = said.split("your roll> ").skip(1).collect::<Vec<_>>();
    assert!(prompt[0].starts_with("cubeless equity") && !prompt[0].contains("double"), "{said}");
    assert!(prompt[1].starts_with("XGID=") && prompt[1].trim_end().ends_with("\n4HPwATDgc/ABMA"), "{said}");
    assert!(prompt[2].contains("You resign a single game: 1 point."), "{said}");
    // After a double, a resignation costs its value.
    let said = play_manual(start, Some(Match::start(5, false)), "double\n\nresign\nyes\nquit\n");
    assert!(said.contains("You resign a single game: 2 points."), "{said}");
    let said = play_manual(start, Some(Match::start(5, false).turn_of(1)), "resign\nhint\nquit\n");
    assert!(
        said.contains("roll of Random> resign in your own turn") && said.contains("Best: no double"),
        "{said}"
    );
}
