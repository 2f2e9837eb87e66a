//! Tests of match records: files of GNU Backgammon 1.07.001, round trips of random games, and invalid texts.
//!
//! GNU Backgammon played the games at 0 plies against itself and wrote both formats (`export match mat FILE`, `save match
//! FILE`). Its evaluations were removed from the SGF files.

use super::positions::Positions;
use proptest::prelude::*;
use vivarium_envs::backgammon::record::{
    GameReplay, MatchRecord, RecordError, RecordTag, RecordedAction, RecordedGame, RecordedResult,
    RecordedSetup,
};
use vivarium_envs::backgammon::{Dice, DoublingCubeOwner, Match, Plays};
use vivarium_kernels::rng::Stream;

const MATCH: [&str; 2] =
    [include_str!("../../fixtures/gnubg_match.mat"), include_str!("../../fixtures/gnubg_match.sgf")];
const MONEY: [&str; 2] =
    [include_str!("../../fixtures/gnubg_money.mat"), include_str!("../../fixtures/gnubg_money.sgf")];

#[test]
fn both_formats_of_gnu_backgammon_have_the_same_content() {
    for ([mat, sgf], length, games) in [(MATCH, 5, 6), (MONEY, 0, 1)] {
        let [mat, sgf] = [mat, sgf].map(|text| MatchRecord::parse(text).unwrap());
        assert_eq!(mat, sgf);
        assert_eq!((mat.length, mat.games.len()), (length, games));
        assert_eq!(mat.players, ["gnubg", "root"]);
        assert_eq!(MatchRecord::parse(&mat.to_mat()).as_ref(), Ok(&mat));
        assert_eq!(MatchRecord::parse(&mat.to_sgf()).as_ref(), Ok(&mat));
    }
    let record = MatchRecord::parse(MATCH[0]).unwrap();
    let crawford: Vec<_> = record.games.iter().map(|game| game.crawford).collect();
    assert_eq!(crawford, [false, false, false, false, true, false]);
    // The score follows from the results.
    let mut state = Match::start(5, false);
    for game in &record.games {
        assert_eq!((game.score, game.crawford), (state.score, state.crawford));
        let RecordedResult { winner, points } = game.result.unwrap();
        state = state.after_game(winner, points);
    }
    assert_eq!(state.winner(), Some(1));
    // The fifth game ends by a resignation: the letter R in the result of the SGF file.
    assert!(MATCH[1].contains("RE[W+1R]") && record.to_sgf().contains("RE[W+1R]"));
    // GNU Backgammon takes a result on a line of its own, after a pass, for a beaver.
    assert!(
        record.to_mat().contains(" 14)  Drops                       Wins 1 point\n"),
        "{}",
        record.to_mat()
    );
    // The first game ends by a pass.
    assert!(matches!(record.games[0].actions.last(), Some(RecordedAction::Pass { player: 0 })));
}

#[test]
fn a_score_at_the_limit_of_its_number_is_read() {
    let record = MatchRecord::parse("0 point match\n\n Game 1\n Ann : 65535     Bob : 0\n").unwrap();
    assert_eq!((record.games[0].score, record.games[0].crawford), ([65_535, 0], false));
}

/// Returns a match of random plays, doubles and replies.
fn random_match(seed: u64, length: u16, games: u32, jacoby: bool) -> MatchRecord {
    let mut random = Stream::new(seed, 0);
    let mut plays = Plays::new();
    let mut state = Match::start(length, jacoby);
    let players = ["Ann Lee".to_owned(), "Bob-2".to_owned()];
    let mut record = MatchRecord::new(players, length, jacoby);
    for game in 0..games {
        let dice = Dice { seed, game };
        let mut replay = GameReplay::new(state);
        let mut actions = Vec::new();
        let mut player = random.below(2) as u8;
        // Some games are unfinished.
        for turn in 0..20 + random.below(200) {
            let mut act = |action: RecordedAction, replay: &mut GameReplay| {
                replay.apply(&action).unwrap();
                actions.push(action);
            };
            if turn > 0 && replay.state().may_double() && random.below(8) == 0 {
                act(RecordedAction::Double { player }, &mut replay);
                let opponent = 1 - player;
                if random.below(4) == 0 {
                    act(RecordedAction::Pass { player: opponent }, &mut replay);
                    break;
                }
                act(RecordedAction::Take { player: opponent }, &mut replay);
            }
            let roll = if turn == 0 { dice.opening().1 } else { dice.roll(turn) };
            plays.generate(replay.position(), roll);
            let play = plays[random.below(plays.len() as u32) as usize];
            act(RecordedAction::Play { player, roll, play }, &mut replay);
            if replay.result().is_some() {
                break;
            }
            player = 1 - player;
        }
        let result = replay.result();
        let game = RecordedGame::new(state.score, state.crawford);
        record.games.push(RecordedGame { actions, result, ..game });
        let Some(RecordedResult { winner, points }) = result else { break };
        state = state.after_game(winner, points);
        if state.winner().is_some() {
            break;
        }
    }
    record
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_random_match_survives_both_formats(seed: u64, length in 0u16..12, games in 1u32..8, jacoby: bool) {
        let jacoby = jacoby && length == 0;
        let record = random_match(seed, length, games, jacoby);
        let sgf = MatchRecord::parse(&record.to_sgf());
        prop_assert_eq!(sgf.as_ref(), Ok(&record));
        let mat = MatchRecord::parse(&record.to_mat()).unwrap();
        // The format .mat does not store the Jacoby rule.
        let expected = MatchRecord { jacoby: mat.jacoby, ..record };
        prop_assert_eq!(mat.jacoby, length == 0);
        prop_assert_eq!(mat.games, expected.games);
        prop_assert_eq!(mat.players, expected.players);
    }

    #[test]
    fn no_text_panics(at in 0usize..4000, text in "\\PC{0,12}") {
        for record in MATCH {
            let at = (0..=at.min(record.len())).rev().find(|&at| record.is_char_boundary(at)).unwrap_or(0);
            let damaged = format!("{}{text}{}", &record[..at], &record[at..]);
            let _ = MatchRecord::parse(&damaged);
            let _ = MatchRecord::parse(&record[..at]);
        }
        let _ = MatchRecord::parse(&text);
    }
}

/// A game of a match to 3 points that ends by a pass: player 2 wins 1 point.
const PASSED: &str =
    "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops                       Wins 1 point\n";

#[test]
fn scores_and_results_that_contradict_the_games_are_refused() {
    let header = " 3 point match\n\n Game 1\n Ann : 0          Bob : 0\n";
    let record = |rest: &str| MatchRecord::parse(&format!("{header}{rest}"));
    let problem = |rest: &str| record(rest).unwrap_err().to_string();
    let game = |score: &str| format!("\n Game 2\n {score}\n");
    assert!(record(&format!("{PASSED}{}", game("Ann : 0     Bob : 1"))).is_ok());
    for (rest, words) in [
        (
            PASSED.replace("Wins 1 point", "Wins 2 points"),
            "line 6: the record says that player 2 wins 2 points, but the actions end the game with 1 point (doubling cube 1); \
             correct the result",
        ),
        (
            PASSED.replace("                       Wins 1 point", "\n      Wins 1 point"),
            "line 7: the record says that player 1 wins, but the actions end the game with a win of player 2",
        ),
        (
            "  1) 31: 8/5 6/5\n      Wins 5 points\n".to_owned(),
            "line 6: the record says that player 1 wins 5 points, but a resignation with the doubling cube at 1 costs 1, 2 or 3 \
             points",
        ),
        (
            format!("{PASSED}{}", game("Ann : 1     Bob : 0")),
            "line 9: the score is 1-0, but 0-1 follows from game 1; correct the score, or the result of game 1",
        ),
        (
            format!("  1) 31: 8/5 6/5\n      Wins 3 points\n{}", game("Ann : 3     Bob : 0")),
            "the score is 3-0, so player 1 has won the match to 3 before this game",
        ),
    ] {
        let message = problem(&rest);
        assert!(message.contains(words), "{rest}: {message}");
    }
    // A program may write only the points that the match needs, and a record may begin within a match.
    let within = header.replace("Ann : 0", "Ann : 2");
    let ends = "  1) 31: 8/5 6/5\n      Wins 1 point\n";
    assert!(MatchRecord::parse(&format!("{within}{ends}")).is_ok());
    let resigned = "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Takes\n      Wins 3 points\n";
    assert!(record(resigned).is_ok(), "the doubling cube is 2, and 3 points are needed");
}

#[test]
fn impossible_crawford_games_are_refused() {
    let tree = |score: &str, rules: &str| format!("(;GM[6]MI[length:5]{score}RU[{rules}])");
    let problem = |text: &str| MatchRecord::parse(text).unwrap_err().to_string();
    assert!(MatchRecord::parse(&tree("[ws:4][bs:2]", "Crawford:CrawfordGame")).is_ok());
    let message = problem(&tree("[ws:3][bs:2]", "Crawford:CrawfordGame"));
    assert!(message.contains("the score 3-2 of a match to 5 points has no Crawford game"), "{message}");
    let cube = tree("[ws:4][bs:2]", "Crawford:CrawfordGame").replace("])", "]AW[a]AB[b]CV[2])");
    assert!(
        problem(&cube).contains("the doubling cube is used in the Crawford game (value 2)"),
        "{}",
        problem(&cube)
    );
    // A second Crawford game, and one that is not marked.
    let games = |first: &str, second: &str| {
        format!(
            "(;GM[6]MI[length:5][ws:3][bs:0]RU[Crawford]RE[W+1R])(;GM[6]MI[length:5][ws:4][bs:0]RU[{first}]RE[B+1R])\
                 (;GM[6]MI[length:5][ws:4][bs:1]RU[{second}])"
        )
    };
    assert!(MatchRecord::parse(&games("Crawford:CrawfordGame", "Crawford")).is_ok());
    let message = problem(&games("Crawford:CrawfordGame", "Crawford:CrawfordGame"));
    assert!(message.contains("game 3") && message.contains("not the first game"), "{message}");
    let message = problem(&games("Crawford", "Crawford"));
    assert!(message.contains("game 2") && message.contains("the record does not mark it"), "{message}");
    // A match without the Crawford rule has no marks.
    assert!(MatchRecord::parse(&games("", "").replace("RU[Crawford]", "")).is_ok());
    // In .mat files, the first game at which exactly one player needs 1 point is the Crawford game.
    let mat = MatchRecord::parse(" 5 point match\n\n Game 1\n A : 4    B : 4\n").unwrap();
    assert!(!mat.games[0].crawford);
}

#[test]
fn numbers_for_bar_and_off_are_read() {
    let text = " 0 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5     64: 24/14\n  2) 21: 13/11* 6/5           21: 25/23 24/23\n";
    let named = MatchRecord::parse(&text.replace("25/23", "bar/23")).unwrap();
    assert_eq!(MatchRecord::parse(text), Ok(named));
}

#[test]
fn facts_about_the_event_survive_both_formats() {
    let text = "; [Site \"Prague\"]\n; [Event \"Czech Open\"]\n; [Round \"3\"]\n; [EventDate \"2025.08.31\"]\n; [Transcriber \"Eva\"]\n\
                ; [Unrated \"Off\"]\n 3 point match\n\n Game 1\n Ann : 0          Bob : 0\n";
    let record = MatchRecord::parse(text).unwrap();
    let date = (RecordTag::Date, "2025-08-31".to_owned());
    assert!(record.tags.len() == 5 && record.tags.contains(&date), "{:?}", record.tags);
    let mat = record.to_mat();
    assert!(mat.starts_with("; [Site \"Prague\"]\n; [Event \"Czech Open\"]\n"), "{mat}");
    assert_eq!(MatchRecord::parse(&mat).as_ref(), Ok(&record));
    let sgf = record.to_sgf();
    for property in ["EV[Czech Open]", "RO[3]", "PC[Prague]", "DT[2025-08-31]", "AN[Eva]"] {
        assert!(sgf.contains(property), "{property}: {sgf}");
    }
    let read = MatchRecord::parse(&sgf).unwrap();
    assert!(read.tags.len() == 5 && record.tags.iter().all(|tag| read.tags.contains(tag)), "{:?}", read.tags);
}

#[test]
fn names_are_escaped() {
    let mut record = random_match(3, 3, 1, false);
    record.players = ["A]n\\n: x".to_owned(), "Bob".to_owned()];
    assert_eq!(MatchRecord::parse(&record.to_sgf()), Ok(record.clone()));
    assert_eq!(MatchRecord::parse(&record.to_mat()).unwrap().players, ["A]n\\n x", "Bob"]);
}

#[test]
fn games_from_set_up_positions_survive_sgf() {
    let mut positions = Positions::new(21, 0);
    let mut plays = Plays::new();
    for seed in 0..300 {
        let (position, _) = positions.next();
        let mut random = Stream::new(seed, 0);
        if position.outcome().is_some() {
            continue;
        }
        let on_roll = random.below(2) as u8;
        let owner = [DoublingCubeOwner::Centered, DoublingCubeOwner::Player(0), DoublingCubeOwner::Player(1)];
        let setup = RecordedSetup {
            position,
            on_roll,
            doubling_cube_exponent: random.below(4) as u8,
            doubling_cube_owner: owner[random.below(3) as usize],
        };
        let game = RecordedGame { setup: Some(setup), ..RecordedGame::new([2, 1], false) };
        let players = ["Ann".to_owned(), "Bob".to_owned()];
        let mut record = MatchRecord { games: vec![game], ..MatchRecord::new(players, 9, false) };
        assert_eq!(MatchRecord::parse(&record.to_sgf()).as_ref(), Ok(&record));
        // A first play, after a double if the player on roll may double.
        let mut replay = GameReplay::of(&record, &record.games[0]);
        let mut actions = Vec::new();
        if replay.state().may_double() {
            let player = 1 - on_roll;
            actions.extend([RecordedAction::Double { player: on_roll }, RecordedAction::Take { player }]);
            actions.iter().for_each(|action| replay.apply(action).unwrap());
        }
        let roll = Dice { seed, game: 0 }.roll(1);
        plays.generate(replay.position(), roll);
        actions.push(RecordedAction::Play { player: on_roll, roll, play: plays[0] });
        replay.apply(actions.last().unwrap()).unwrap();
        record.games[0].actions = actions;
        record.games[0].result = replay.result();
        assert_eq!(MatchRecord::parse(&record.to_sgf()).as_ref(), Ok(&record), "{}", record.to_sgf());
    }
}

#[test]
fn invalid_records_are_refused_with_their_place() {
    let header = " 3 point match\n\n Game 1\n Ann : 0          Bob : 0\n";
    let problem = |text: &str| MatchRecord::parse(text).unwrap_err().to_string();
    for (lines, words) in [
        ("  1) 31: 8/5 6/4\n", "line 5: \"8/5 6/4\" is not among the legal plays of 3-1"),
        ("  1) 31: 8/5 6/5\n  2) 21: 13/11 6/5\n", "player 1 is not on roll"),
        ("  1)  Doubles => 2\n", "line 5: player 1 may not double here"),
        ("  1) 31: 8/5 6/5                  Takes\n", "line 5: no double has been offered"),
        (
            "  1) 31: 8/5* 6/5\n",
            "line 5: \"8/5* 6/5\" marks a hit on point 5, where no checker is hit; omit the star",
        ),
        (
            "  1) 31: 8/5 6/5                  Doubles => 4\n",
            "line 5: \"Doubles => 4\" doubles to 4, but the doubling cube is 1 here; correct the number to 2",
        ),
        ("  1) 31: 8/5 6/5                  Doubles => 2\n  2) 21: 13/11 6/5\n", "takes or passes first"),
        ("  1) hello\n", "line 5: \"hello\" is not an action"),
        ("  1) 71: 8/5\n", "a die shows 7"),
    ] {
        let message = problem(&format!("{header}{lines}"));
        assert!(message.contains(words), "{lines}: {message}");
    }
    for (text, words) in [
        ("", "no game"),
        ("Game 1\n", "line 1: \"Game 1\" is not the match length"),
        ("(;GM[1]SZ[19])", "GM[6]"),
        ("(;GM[6]AW[a])", "the game is over in the set-up position"),
        ("(;GM[6]AW[a]AB[b][z])", "\"z\" is not a place of a checker"),
        ("(;GM[6]AW[a]AB[a])", "set-up position: both players have checkers on point 1"),
        ("(;GM[6]AW[a]AB[b]CV[3])", "CV is \"3\"; the doubling cube is a power of two"),
        ("(;GM[6];W[31hefe];AW[a]AB[b])", "after the first play"),
        ("(;GM[6]AW[a]AB[b]PL[W];B[31az])", "game 1, action 1: player 2 is not on roll"),
        ("(;GM[6];W[31hefe]", "parenthesis is missing"),
        ("(;GM[6];W[31hefe", "bracket is missing"),
        ("(;GM[6];W[31hexx])", "game 1, action 1"),
        ("(;GM[6]RE[X+1])", "W+1 or B+1"),
    ] {
        let message = problem(text);
        assert!(message.contains(words), "{text}: {message}");
    }
    assert_eq!(
        MatchRecord::parse("()").unwrap_err().to_string(),
        "game 1, action 0: the game tree has no nodes"
    );
    assert_eq!(MatchRecord::parse(" 5 point match\n"), Err(RecordError::Empty));
    // Of several variations, the first counts.
    let variations = "(;GM[6]MI[length:3](;W[31hefe](;B[21ln])(;B[21lnqr]))(;W[31mpfe]))";
    assert!(MatchRecord::parse(variations).is_err(), "13/11 alone is not a play of 2-1");
    let variations = "(;GM[6]MI[length:3](;W[31hefe](;B[21lnst])(;B[21lnqr]))(;W[31mjfe]))";
    assert_eq!(MatchRecord::parse(variations).unwrap().games[0].actions.len(), 2);
}
