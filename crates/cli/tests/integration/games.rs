//! Board games on the command line: play and evaluation.

use crate::common::ProgramFolder;
use serde_json::Value;
use vivarium_lab::checkpoint;

#[test]
fn a_game_is_played_through_a_pipe() {
    let folder = ProgramFolder::new("play");
    let lines = "help\nplays\nid\nhint\n99\nresign\nyes\n\nquit\n";
    let said = folder.run_with(&["play", "backgammon", "--against", "pips", "--seed", "3"], lines).success();
    for words in [
        "You play X",
        "pips plays O",
        "You rolled ",
        "invalid point 99; use 1 to 24",
        "equity   loses",
        "You resign a single game: 1 point.",
        "0 points won, 1 point lost.",
    ] {
        assert!(said.contains(words), "{words:?} is missing in\n{said}");
    }
    let again = folder.run_with(&["play", "backgammon", "--against", "pips", "--seed", "3"], lines).success();
    assert_eq!(said, again, "the same seed gives the same dice");
}

/// Checks that a game without `--checkpoint` is against the network of the program, which also gives hints.
#[test]
fn the_network_of_the_program_plays_and_gives_hints() {
    let folder = ProgramFolder::new("play-shipped");
    let play = ["play", "--seed", "3", "--simulations", "0"];
    let played = folder.run_with(&play, "hint\nroll 31\n8/5 6/5\n\nquit\n");
    // The origin of the network is printed in a terminal only.
    assert_eq!(played.err, "", "{played:?}");
    let said = played.success();
    for words in ["the network plays O", "equity   loses", "the network rolled "] {
        assert!(said.contains(words), "{words:?} is missing in\n{said}");
    }
    let play = ["play", "connect-four", "--seed", "3", "--simulations", "20"];
    let played = folder.run_with(&play, "hint\n4\nquit\n");
    let said = played.success();
    assert!(said.contains("column   value\n4 ") && said.contains("the network plays column "), "{said}");
    let evaluated = folder.run(&["eval", "backgammon", "--games", "2", "--against", "random", "--json"]);
    let said: Value = serde_json::from_str(&evaluated.success()).unwrap();
    assert_eq!((&said["checkpoint"], &said["network"]), (&Value::Null, &"alone".into()));
}

#[test]
fn a_rollout_ranks_plays_independently_of_the_threads() {
    let folder = ProgramFolder::new("rollout");
    let rollout = |more: &[&str]| {
        let common = ["rollout", "4HPwATDgc/ABMA", "--trials", "12", "--truncate", "2", "--plays", "2"];
        folder.run(&[&common[..], more].concat())
    };
    let [one, two] =
        ["1", "2"].map(|threads| rollout(&["--dice", "31", "--threads", threads, "--json"]).success());
    assert_eq!(one, two);
    let said: Value = serde_json::from_str(&one).unwrap();
    let estimates = said["estimates"].as_array().unwrap();
    assert_eq!((&said["trials"], estimates.len()), (&12.into(), 2));
    assert_eq!((&estimates[0]["play"], &estimates[0]["loss"]), (&"8/5 6/5".into(), &0.0.into()));
    assert!(estimates[1]["loss"].as_f64() > estimates[1]["loss_error"].as_f64(), "{one}");
    assert_eq!(said["doubling"], Value::Null);
    // A position before the roll; a bear-off in the table needs no trials.
    let text = rollout(&[]).success();
    assert!(
        text.contains("before the roll  +0.") && text.contains("12 trials, seed 1, truncated after 2 turns"),
        "{text}"
    );
    assert!(text.contains(" (opponent)\nBest: no double, take\n"), "{text}");
    let said: Value = serde_json::from_str(&rollout(&["--json"]).success()).unwrap();
    let doubling = &said["doubling"];
    assert_eq!((&doubling["method"], &doubling["best"]), (&"rollout".into(), &"no double, take".into()));
    let number = |value: &Value| value.as_f64().unwrap();
    for (name, estimate) in [("no_double", "equity"), ("no_double_error", "equity_error")] {
        let difference = number(&doubling[name]) - number(&said["estimates"][0][estimate]);
        assert!(difference.abs() < 1e-9, "{name}: {difference}");
    }
    assert!(number(&doubling["double_take_error"]) > number(&doubling["no_double_error"]), "{doubling}");
    // The losses of both players have the standard errors of the differences of the equities.
    let loss_errors = &doubling["loss_errors"];
    assert_eq!(loss_errors["take"], doubling["double_take_error"], "{doubling}");
    assert!(number(&loss_errors["no_double"]) > 0.0, "{doubling}");
    assert_eq!(loss_errors["no_double"], loss_errors["double"], "{doubling}");
    let exact =
        folder.run(&["rollout", "XGID=--A--A------------------a-:0:0:1:00:0:0:0:0:10", "--trials", "2"]);
    // 19 of 36 rolls win; a double is worth twice as much.
    let exact = exact.success();
    assert!(
        exact.contains("before the roll  +0.111  –      +0.056 ±0.000")
            && exact.contains("Best: double, take"),
        "{exact}"
    );
    folder.run(&["rollout", "nonsense"]).refused(2, &["position nonsense"]);
}

#[test]
fn the_match_equity_table_is_printed() {
    let folder = ProgramFolder::new("met");
    let text = folder.run(&["met", "--length", "3"]).success();
    assert!(
        text.contains("Source: recursion over scores with Janowski's formula") && text.contains("48.8"),
        "{text}"
    );
    assert!(
        folder.run(&["met", "--length", "3", "--csv"]).success().starts_with("away,1,2,3\n1,0.50000,0.67")
    );
    // The printed table is loaded again.
    let csv = folder.run(&["met", "--length", "3", "--csv"]).success();
    std::fs::write(folder.path().join("table.csv"), &csv).unwrap();
    assert_eq!(folder.run(&["met", "--met", "table.csv", "--csv"]).success(), csv);
    folder.run(&["met", "--met", "table.csv", "--length", "4"]).refused(2, &["--length", "only 3"]);
    folder.run(&["met", "--met", "absent.xml"]).refused(1, &["cannot read absent.xml"]);
    let said: Value = serde_json::from_str(&folder.run(&["met", "--json"]).success()).unwrap();
    assert_eq!(said["pre_crawford"].as_array().map(Vec::len), Some(11));
}

#[test]
fn connect_four_is_played_through_a_pipe() {
    let folder = ProgramFolder::new("play-connect-four");
    let play = ["play", "connect-four", "--against", "minimax-2", "--seed", "3"];
    let lines = "help\n4\n9\nmoves\nundo\nresign\n\nquit\n";
    let said = folder.run_with(&play, lines).success();
    for words in [
        "You play X, minimax-2 plays O.",
        "minimax-2 plays column ",
        "invalid column 9; use 1 to 7",
        "You resign.",
        "Final score: 0 won, 1 lost, 0 drawn.",
    ] {
        assert!(said.contains(words), "{words:?} is missing in\n{said}");
    }
    assert_eq!(said, folder.run_with(&play, lines).success(), "the same seed gives the same game");
    // The human player completes four in a row.
    let won = [&play[..], &["--position", "414243"]].concat();
    let said = folder.run_with(&won, "4\n").success();
    assert!(said.contains("You win.") && said.contains("Final score: 1 won, 0 lost, 0 drawn."), "{said}");
}

#[test]
fn closed_standard_input_is_not_a_bug() {
    let said = ProgramFolder::new("play-alone").run(&["play", "--position", "4HPwATDgc/ABMA"]).success();
    assert!(said.contains("You rolled ") && said.contains("Final score:"), "{said}");
}

#[test]
fn invalid_play_commands_have_distinct_errors() {
    let folder = ProgramFolder::new("play-usage");
    std::fs::write(folder.path().join("bad.safetensors"), [7u8; 64]).unwrap();
    let refused: &[(i32, &[&str], &[&str])] = &[
        (2, &["play", "chess"], &["chess is not a board game", "play backgammon or connect-four"]),
        (2, &["play", "connectfour"], &["did you mean connect-four?"]),
        (2, &["play", "connect-four", "--position", "48"], &["--position 48", "move 2", "columns"]),
        (2, &["play", "connect-four", "--position", "1212121"], &["--position", "the game is over"]),
        (2, &["play", "connect-four", "--against", "pubeval"], &["random, minimax-2", "solver"]),
        (2, &["play", "backgamon"], &["did you mean backgammon?"]),
        (2, &["play", "--position", "nonsense"], &["--position nonsense", "characters"]),
        (2, &["play", "--position", "AAAAAAAAAAAAAA"], &["--position"]),
        (2, &["play", "--position", "cAkKAAAAAAAA"], &["--position cAkKAAAAAAAA", "this is a match ID"]),
        (2, &["hint", "4HPwATDgc/ABMA", "--dice", "70"], &["--dice", "such as 64"]),
        (2, &["hint", "XGID=-b----E-C---eE---c-e----B-"], &["1 field;", "10 fields"]),
        (
            2,
            &["play", "--against", "pubevil"],
            &[
                "--against pubevil: neither an opponent of backgammon nor a file",
                "did you mean pubeval?",
                "random, pips, pubeval, gnubg",
            ],
        ),
        (2, &["play", "--simulations", "-1"], &["-1"]),
        (2, &["play", "--simulations", "2000000"], &["--simulations", "1000000"]),
        (1, &["play", "--checkpoint", "absent.safetensors"], &["absent.safetensors"]),
        (1, &["play", "--checkpoint", "bad.safetensors"], &["bad.safetensors", "not a safetensors file"]),
        (1, &["play", "--against", "bad.safetensors"], &["bad.safetensors"]),
    ];
    for (code, arguments, words) in refused {
        folder.run(arguments).refused(*code, words);
    }
}

#[test]
fn missing_gnu_backgammon_is_reported() {
    let folder = ProgramFolder::new("no-gnubg");
    let arguments = ["play", "--against", "gnubg"];
    let outcome = folder.run_in(&[("VIVARIUM_GNUBG", "/nonexistent/gnubg")], &arguments);
    outcome.refused(1, &["the program /nonexistent/gnubg", "VIVARIUM_GNUBG"]);
    // Another program exits instead of listening.
    let outcome = folder.run_in(&[("VIVARIUM_GNUBG", env!("CARGO_BIN_EXE_vivarium"))], &arguments);
    outcome.refused(1, &["GNU Backgammon exited instead of listening"]);
}

#[test]
fn the_network_of_a_checkpoint_is_read() {
    let folder = ProgramFolder::new("network-alone");
    let train = ["train", "connect-four", "--steps", "600", "--out", "run", "--threads", "1"];
    let network = ["network.width=8", "network.blocks=1"];
    let small = ["self_play.games=8", "self_play.generation=256", "learning.minibatch=32"];
    let small = [&network[..], &small].concat();
    let set = small.iter().flat_map(|field| ["--set", field]);
    folder.run(&train.into_iter().chain(set).collect::<Vec<_>>()).success();
    let eval = |checkpoint: &str| {
        let arguments = ["eval", "connect-four", "--checkpoint", checkpoint, "--json", "--games", "8"];
        let said = folder.run(&[&arguments[..], &["--against", "random"]].concat()).success();
        let said: Value = serde_json::from_str(&said).unwrap();
        assert!(said["matches"][0]["score"]["games"] == 8, "{said}");
        let network = said["network"].as_str().unwrap().to_owned();
        (network, said["matches"].clone(), said["trained_steps"].clone())
    };
    let (whole, alone) = ("run/best.safetensors", "alone.safetensors");
    // No match has been played: the best network is still the initial one.
    let (network, matches, steps) = eval(whole);
    assert_eq!(network, "newest");
    folder.run(&["export", whole, "--to", "weights", "--out", alone]).success();
    assert_eq!(eval(alone), ("alone".into(), matches, steps));
    let said = folder.run(&["eval", "connect-four", "--checkpoint", whole, "--games", "2"]).success();
    assert!(said.contains("over pairs of games with swapped seats\n") && !said.contains("dice"), "{said}");
    assert!(said.contains("the newest network (none has won a promotion match yet) after"), "{said}");
    let groups = |name: &str, group: &str| {
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        let (_, tensors) = checkpoint::read(&bytes).unwrap();
        let tensors = tensors.into_vec().into_iter();
        let of_group =
            tensors.filter_map(|tensor| Some((tensor.name.strip_prefix(group)?.to_owned(), tensor)));
        of_group.map(|(name, tensor)| (name, tensor.values)).collect::<Vec<_>>()
    };
    assert!(groups(alone, "best/") == groups(whole, "average/"), "the newest network is written alone");
    assert!(groups(alone, "best/") != groups(whole, "best/"), "the initial network is written");
    let [whole, alone] = [whole, alone].map(|name| folder.path().join(name).metadata().unwrap().len());
    assert!(alone * 2 < whole, "{alone} bytes of {whole}");
    let refused: &[(i32, &[&str], &[&str])] = &[
        (2, &["connect-four", "--episodes", "5"], &["--episodes", "--games"]),
        (2, &["cartpole", "--games", "4"], &["--games: cartpole is not a board game", "board games only"]),
    ];
    for (code, arguments, words) in refused {
        let checkpoint = ["--checkpoint", "alone.safetensors"];
        folder.run(&[&["eval"], *arguments, &checkpoint].concat()).refused(*code, words);
    }
    folder
        .run(&["export", "alone.safetensors", "--to", "weights", "--out", "run/latest.safetensors"])
        .refused(2, &["--out", "a file of the run in run"]);
    // A run from weights only starts at 0 steps; a run from a whole checkpoint at its steps.
    let from = |file| ["train", "--from", file, "--steps", "256", "--out", "fork"];
    folder.run(&from("run/best.safetensors")).refused(2, &["the checkpoint already has"]);
    folder.run(&from("alone.safetensors")).success();
}

#[test]
fn the_plays_of_a_hint_are_sorted_by_equity() {
    let folder = ProgramFolder::new("hint");
    let network =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/src/assets/networks/backgammon.safetensors");
    let play = ["play", "--checkpoint", network, "--against", "pips", "--simulations", "20", "--seed"];
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let said = folder.run_with(&[&play[..], &[seed]].concat(), "hint\nquit\n").success();
        let lines = said.lines().skip_while(|line| !line.contains("equity   loses")).skip(1);
        let lost = lines.map_while(|line| {
            let words: Vec<_> = line.split("  ").filter(|word| !word.trim().is_empty()).collect();
            match words.get(2)?.trim() {
                "–" => Some(0.0),
                number => number.parse::<f64>().ok(),
            }
        });
        let lost: Vec<_> = lost.collect();
        assert!(lost.len() == 5 && lost[0] == 0.0 && lost.is_sorted(), "{lost:?} in\n{said}");
    }
}

#[test]
fn a_hint_ranks_plays_and_decides_on_the_doubling_cube() {
    let folder = ProgramFolder::new("hint-command");
    let start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:1:0:10";
    let said = folder.run(&["hint", start, "--simulations", "0"]).success();
    assert!(said.contains("24/18 13/9") && said.contains("points per value of the doubling cube"), "{said}");
    assert!(said.contains("Before the roll: ") && said.contains("Best: no double, take"), "{said}");
    let again = folder.run(&["hint", "4HPwATDgc/ABMA", "--dice", "64", "--simulations", "0"]).success();
    let table = |said: &str| {
        let table = said.split_once("play  ").unwrap().1;
        table.split("Probabilities").next().unwrap().to_owned()
    };
    assert_eq!(table(&said), table(&again));
    // Expectimax at 0 plies is the network without a search.
    let plies = ["hint", "4HPwATDgc/ABMA", "--dice", "64", "--plies"];
    let none = folder.run(&[&plies[..], &["0"]].concat()).success();
    assert_eq!(table(&none), table(&again));
    let one = folder.run(&[&plies[..], &["1"]].concat()).success();
    assert!(one.contains("by expectimax to 1 ply.") && table(&one) != table(&none), "{one}");

    // An XGID without its prefix begins with a hyphen.
    let bare = folder.run(&["hint", "--simulations", "0", &start["XGID=".len()..]]).success();
    assert!(bare.contains(start) && bare.contains("24/18 13/9"), "{bare}");
    folder.run(&["hint", "4HPwATDgc/ABMA", "--dcie", "64"]).refused(2, &["'--dcie'", "--dice"]);
    let said = folder.run(&["hint", "4HPwATDgc/ABMA"]).success();
    assert!(
        said.contains("Best: no double, take")
            && said.contains("Cubeless probabilities by expectimax to 1 ply. "),
        "{said}"
    );
    let said = folder.run(&["hint", "4HPwATDgc/ABMA", "--plies", "1"]).success();
    assert!(said.contains("Cubeless probabilities by expectimax to 1 ply. "), "{said}");
    // A closed board against a checker on the bar.
    let won = "XGID=aBBBBBB--C---------bbceb--:0:0:1:00:0:0:1:0:10";
    let said = folder.run(&["hint", won]).success();
    assert!(said.contains("Best: double, pass"), "{said}");
    let said = folder.run(&["hint", &won.replace(":00:", ":D:")]).success();
    assert!(said.contains("\nplayer who doubles  equity  loses\n") && said.contains("Best: pass"), "{said}");
    let said = folder.run(&["hint", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:2:1:5:10"]).success();
    assert!(said.contains("no doubling decision: this is the Crawford game"), "{said}");
    assert!(
        said.contains("Match to 5: player on roll 4, opponent 2; Crawford game. Doubling cube 1"),
        "{said}"
    );
}

#[test]
fn the_best_play_depends_on_the_score() {
    let folder = ProgramFolder::new("hint-score");
    // Roll, and state after it: scores, Crawford game or Jacoby rule, match length.
    let best = |turn: i32, roll: u32, state: &str| {
        let line = format!("XGID=-b----E-C---eE---c-e----B-:0:0:{turn}:{roll}:{state}:10\n");
        let said = folder.run_with(&["hint", "-", "--plies", "1"], &line).success();
        said.split("  ").next().unwrap_or_default().to_owned()
    };
    assert_eq!(best(1, 64, "0:0:0:0"), "24/14");
    // The Crawford game: a gammon wins the match of the player who needs 2 points, …
    assert_eq!(best(1, 64, "3:4:1:5"), "8/2 6/2");
    // … also on the other side of the board, …
    assert_eq!(best(-1, 64, "4:3:1:5"), "8/2 6/2");
    // … and loses it against this player.
    assert_eq!([best(1, 41, "0:0:0:0"), best(1, 41, "4:3:1:5")], ["24/23 13/9", "24/23 24/20"]);

    // The match winning probability at one point away each is that of the game.
    let last = "XGID=-b----E-C---eE---c-e----B-:0:0:1:64:4:4:0:5:10";
    let said = folder.run(&["hint", last, "--simulations", "0"]).success();
    let row =
        said.lines().skip_while(|line| !line.contains("equity     MWC  loses")).nth(1).unwrap_or_default();
    let numbers: Vec<f64> = row.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!((numbers[1] - numbers[2]).abs() < 0.06, "MWC and win in {said}");
    let said = folder.run(&["hint", last, "--json", "--simulations", "0"]).success();
    let value: serde_json::Value = serde_json::from_str(&said).unwrap();
    let play = &value["plays"][1];
    let [equity, mwc, win] = [&play["equity"], &play["match_winning_probability"], &play["probabilities"][0]]
        .map(|number| number.as_f64().unwrap());
    assert!((equity - (2.0 * win - 1.0)).abs() < 1e-4 && (mwc - win).abs() < 1e-4, "{play}");
    let loss = play["loss"].as_f64().unwrap() - (value["plays"][0]["equity"].as_f64().unwrap() - equity);
    assert!(loss.abs() < 1e-9, "{value}");
}

#[test]
fn a_match_is_played_with_the_doubling_cube() {
    let folder = ProgramFolder::new("play-match");
    let play = ["play", "--against", "pips", "--seed", "3", "--match", "3"];
    let said = folder
        .run_with(&play, "resign\nyes\n\nresign\nyes\nresign\nyes\n\n\nresign gammon\nyes\nquit\n")
        .success();
    for words in
        ["Match to 3: you 0, pips 0. Doubling cube 1 in the center.", "Score: you 0, pips 1, match to 3."]
    {
        assert!(said.contains(words), "{words:?} is missing in\n{said}");
    }
    // The recorded match is analyzed.
    let recorded = [&play[..], &["--record", "match.mat"]].concat();
    folder.run_with(&recorded, "\n\n\nresign\nyes\n\n\n\nresign\nyes\nquit\n").success();
    let again = [&recorded[..], &["--simulations", "0"]].concat();
    folder.run(&again).refused(2, &["--record match.mat: the file exists", "--force"]);
    let said = folder.run(&["analyze", "match.mat"]).success();
    assert!(said.contains("Match to 3: Player, pips") && said.contains("pips wins 1 point."), "{said}");
    // The match and the doubling cube come from the XGID: 2 away, 2 away, a closed board against the bar.
    let won = "XGID=aBBBBBB--C---------bbceb--:0:0:1:00:3:3:0:5:10";
    let said = folder.run_with(&["play", "--position", won], "double\n\nquit\n").success();
    for words in [
        "Match to 5: you 3, the network 3. Doubling cube 1 in the center.",
        "You double to 2; the network passes.\nYou win 1 point.",
        "Score: you 4, the network 3, match to 5.",
    ] {
        assert!(said.contains(words), "{words:?} is missing in\n{said}");
    }
    // The record begins with the set-up position and the doubling cube.
    let recorded = ["play", "--position", won, "--record", "setup.sgf"];
    folder.run_with(&recorded, "double\n\nquit\n").success();
    let said = folder.run(&["analyze", "setup.sgf", "--json"]).success();
    let said: Value = serde_json::from_str(&said).unwrap();
    let first = &said["games"][0]["actions"][0];
    assert!(
        first["position"].as_str().unwrap().starts_with("XGID=aBBBBBB--C---------bbceb--:0:0:1:00:3:3:0:5"),
        "{said}"
    );
    let refused: &[(&[&str], &[&str])] = &[
        (&["play", "--match", "65"], &["--match", "0 to 64"]),
        (&["play", "--jacoby"], &["--jacoby", "--match 0"]),
        (&["play", "--jacoby", "--match", "5"], &["money sessions only"]),
        (&["play", "--match", "5", "--position", won], &["already contains a match"]),
        (&["play", "connect-four", "--match", "5"], &["backgammon only"]),
        (&["play", "--force"], &["--record"]),
        (&["play", "--record", "match.pdf"], &["--record match.pdf", ".mat or .sgf"]),
        (&["play", "--record", "match2.mat", "--position", won], &["--record match2.mat", "with .sgf"]),
        (&["analyze", "setup.sgf", "--convert", "setup.mat"], &["--convert setup.mat", "with .sgf"]),
    ];
    for (arguments, words) in refused {
        folder.run(arguments).refused(2, words);
    }
}

#[test]
fn a_recorded_match_is_analyzed_and_converted() {
    let folder = ProgramFolder::new("analyze");
    let fixture = |name: &str| format!("{}/../envs/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let [mat, sgf] = ["gnubg_money.mat", "gnubg_money.sgf"].map(fixture);
    let said = folder.run(&["analyze", &mat, "--recheck", "0"]).success();
    for words in
        ["Money session: gnubg, root", "Game 1: gnubg 0, root 0", "root wins 2 points.", "error rate"]
    {
        assert!(said.contains(words), "{words:?} is missing in\n{said}");
    }
    assert!(!said.contains("The record ends"), "{said}");
    let detailed = folder.run(&["analyze", &mat, "--candidates", "2", "--recheck", "0"]).success();
    for words in ["(played)", "double, pass", "Best: ", "cubeless equity", "before the roll"] {
        assert!(detailed.contains(words) && !said.contains(words), "{words:?}\n{detailed}");
    }
    // The largest errors, each with the XGID of the position.
    let worst = |more: &[&str]| {
        folder.run(&[&["analyze", &mat, "--worst", "3", "--recheck", "0"], more].concat()).success()
    };
    let errors = |text: &str| -> Vec<f64> {
        let lines: Vec<_> = text.lines().collect();
        let rows = lines.windows(2).filter(|pair| pair[1].starts_with("    XGID="));
        rows.map(|pair| pair[0][54..].split_whitespace().next().unwrap().parse().unwrap()).collect()
    };
    let both = worst(&[]);
    let found = errors(&both);
    assert!(found.len() == 3 && found.is_sorted_by(|one, other| one >= other) && found[2] > 0.0, "{both}");
    assert!(both.contains("Largest errors: 3 of ") && both.contains("error rate"), "{both}");
    let mine = worst(&["--player", "ROOT", "--candidates", "1"]);
    assert!(mine.contains("Largest errors of root: 3 of ") && mine.contains("(played)"), "{mine}");
    assert!(errors(&mine).len() == 3 && !mine.contains("   1 gnubg"), "{mine}");
    assert_eq!(worst(&["--player", "2"]), worst(&["--player", "root"]));
    assert_eq!(worst(&["--board"]).matches("13 14 15 16 17 18").count(), 3);
    // The actions of one player, without and with a second evaluation of marked errors.
    let of_root =
        |recheck| folder.run(&["analyze", &mat, "--player", "root", "--recheck", recheck]).success();
    let (once, again) = (of_root("0"), of_root("2"));
    assert!(once.lines().any(|line| line.starts_with("root") && line.contains(": ")), "{once}");
    assert!(!once.lines().any(|line| line.starts_with("gnubg") && line.contains(": ")), "{once}");
    assert!(
        once.contains("evaluation at 1 ply.") && again.contains("of marked errors at 2 plies"),
        "{again}"
    );
    let unknown = ["analyze", &mat, "--worst", "3", "--player", "Ann"];
    folder.run(&unknown).refused(2, &["--player Ann", "gnubg, root, 1 or 2"]);
    // A record that was cut off within a game.
    let text = std::fs::read_to_string(&mat).unwrap();
    let lines: Vec<_> = text.lines().take(20).collect();
    std::fs::write(folder.path().join("cut.mat"), lines.join("\n")).unwrap();
    let cut = folder.run(&["analyze", "cut.mat", "--recheck", "0"]).success();
    assert!(cut.contains("The record ends within game 1"), "{cut}");
    // The loss of a play is the difference of equities of the same depth, also if the network alone excludes the play.
    let listed = folder.run(&["analyze", &mat, "--candidates", "1", "--json", "--recheck", "0"]).success();
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let plays = listed["games"][0]["actions"].as_array().unwrap().iter();
    let mut played = plays
        .flat_map(|action| action["candidates"].as_array().unwrap())
        .filter(|play| play["played"] == true);
    assert!(played.all(|play| play["searched"] == true), "{listed}");
    let json = |file: &str| -> Value {
        serde_json::from_str(&folder.run(&["analyze", file, "--json", "--recheck", "0"]).success()).unwrap()
    };
    let value = json(&mat);
    assert_eq!(value, json(&sgf));
    let actions = value["games"][0]["actions"].as_array().unwrap();
    for doubling in actions.iter().map(|action| &action["doubling"]).filter(|doubling| !doubling.is_null()) {
        let win = doubling["probabilities"][0].as_f64().unwrap();
        assert!((0.3..1.0).contains(&win), "{doubling}");
    }
    let sum = |player: u64, key: &str| -> f64 {
        let mine = actions.iter().filter(|action| action["player"] == player);
        mine.filter_map(|action| action[key].as_f64()).sum()
    };
    for (player, total) in (0..).zip(value["totals"].as_array().unwrap()) {
        let errors = total["play_error"].as_f64().unwrap() + total["doubling_error"].as_f64().unwrap();
        assert!((sum(player, "error") - errors).abs() < 1e-6, "{total}");
        assert!((sum(player, "luck") - total["luck"].as_f64().unwrap()).abs() < 1e-6, "{total}");
        let count = total["plays"].as_f64().unwrap() + total["doubling_decisions"].as_f64().unwrap();
        assert!((total["error_rate"].as_f64().unwrap() - errors / count).abs() < 1e-6, "{total}");
        // GNU Backgammon at 0 plies errs little by this network.
        assert!(errors / count < 60.0, "{total}");
    }
    let results = value["games"].as_array().unwrap().iter().map(|game| &game["result"]);
    let points = results
        .map(|result| result["points"].as_f64().unwrap() * (1.0 - 2.0 * result["winner"].as_f64().unwrap()));
    let result = &value["result"];
    assert_eq!((&result["unit"], &result["actual"][0]), (&"points".into(), &points.sum::<f64>().into()));
    let adjusted = [0, 1].map(|player| result["luck_adjusted"][player].as_f64().unwrap());
    assert_eq!(adjusted[0], -adjusted[1]);
    folder.run(&["analyze", &mat, "--convert", "match.sgf"]).success();
    assert_eq!(json("match.sgf"), value);
    // An existing file is overwritten with --force only.
    let convert = ["analyze", &mat, "--convert", "match.sgf"];
    let written = folder.path().join("match.sgf");
    std::fs::write(&written, "mine").unwrap();
    folder.run(&convert).refused(2, &["--convert match.sgf: the file exists", "--force"]);
    assert_eq!(std::fs::read_to_string(&written).unwrap(), "mine");
    folder.run(&[&convert[..], &["--force"]].concat()).success();
    assert_eq!(json("match.sgf"), value);
    folder.run(&["analyze", &mat, "--convert", "match.pdf"]).refused(2, &["unknown format", ".mat or .sgf"]);
    folder.run(&["analyze", "absent.mat"]).refused(1, &["absent.mat"]);
    std::fs::write(folder.path().join("bad.mat"), " 3 point match\n\n Game 1\n A : 0   B : 0\n 1) 31: 8/1\n")
        .unwrap();
    folder.run(&["analyze", "bad.mat"]).refused(1, &["bad.mat", "line 5", "legal plays of 3-1"]);
    std::fs::write(folder.path().join("binary.mat"), [7u8; 12_000]).unwrap();
    let message = folder.run(&["analyze", "binary.mat"]).refused(1, &["binary.mat", "line 1", "…"]).err;
    assert!(message.len() < 600, "{message}");
}

#[test]
fn a_batch_of_positions_continues_after_an_invalid_line() {
    let folder = ProgramFolder::new("hint-batch");
    let start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
    let lines =
        format!("# openings\n4HPwATDgc/ABMA 31\n\nnonsense\n{start}\n{start} 70\n4HPwATDgc/ABMA\t64\n");
    let batch = ["hint", "-", "--plies", "0"];
    let hints = folder.run_with(&batch, &lines);
    assert_eq!(hints.code, Some(1), "{hints:?}");
    let said: Vec<_> = hints.out.lines().collect();
    assert_eq!(said.len(), 5, "{hints:?}");
    assert_eq!((said[1], said[3]), ("invalid", "invalid"));
    assert!(said[0].starts_with("8/5 6/5  +0."), "{hints:?}");
    assert!(said[2].starts_with("no double, take  +0."), "{hints:?}");
    for words in ["line 4: position nonsense: ", "line 6: roll 70: ", "2 of 5 lines failed"] {
        assert!(hints.err.contains(words), "{words:?} is missing in {hints:?}");
    }

    let objects = folder.run_with(&[&batch[..], &["--json", "--plays", "2"]].concat(), &lines).out;
    let objects: Vec<Value> = objects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&objects[0]["line"], &objects[0]["plays"][0]["play"]), (&2.into(), &"8/5 6/5".into()));
    assert_eq!(objects[0]["plays"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&objects[1]["line"], &objects[1]["doubling"]["best"]),
        (&5.into(), &"no double, take".into())
    );
    // A single position has the same object without the line.
    let single =
        folder.run(&["hint", "4HPwATDgc/ABMA", "--dice", "31", "--plies", "0", "--json", "--plays", "2"]);
    let mut single: Value = serde_json::from_str(&single.success()).unwrap();
    single["line"] = 2.into();
    assert_eq!(single, objects[0]);
}

#[test]
fn hints_and_rollouts_draw_the_board() {
    let folder = ProgramFolder::new("board");
    let hint = |more: &[&str]| folder.run(&[&["hint", "4HPwATDgc/ABMA", "--plies", "1"], more].concat());
    let said = hint(&["--board"]).success();
    for words in
        [" 13 14 15 16 17 18        19 20 21 22 23 24", "X player on roll: 167 pips", "O opponent: 167 pips"]
    {
        assert!(said.contains(words), "{words:?} is missing in\n{said}");
    }
    assert!(!hint(&[]).success().contains("O opponent"));
    hint(&["--board", "--json"]).refused(2, &["--board", "--json"]);
    folder.run(&["hint", "-", "--board"]).refused(2, &["--board", "batch"]);
    let rollout = ["rollout", "4HPwATDgc/ABMA", "--trials", "2", "--truncate", "1", "--board"];
    let said = folder.run(&rollout).success();
    assert!(said.contains("X player on roll: 167 pips"), "{said}");
}

#[test]
fn doubling_decisions_state_match_winning_probabilities_and_losses() {
    let folder = ProgramFolder::new("hint-losses");
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&folder.run(&[arguments, &["--json"]].concat()).success()).unwrap()
    };
    let number = |value: &Value| value.as_f64().unwrap();
    let at_score = "XGID=aa--BBC-B---cD-a-b-e-b--B-:0:0:1:00:1:3:0:5:10";
    let said = folder.run(&["hint", at_score, "--plies", "1"]).success();
    let row = |name: &str| -> Vec<String> {
        let line = said.lines().find(|line| line.starts_with(name));
        line.unwrap_or_else(|| panic!("{name:?} is missing in\n{said}"))[name.len()..]
            .split_whitespace()
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(row("player on roll "), ["equity", "MWC", "loses"]);
    let [none, take, pass] = ["no double ", "double, take ", "double, pass "].map(row);
    let cell = |row: &[String], at: usize| row[at].parse::<f64>().unwrap();
    assert!((cell(&none, 2) - (cell(&pass, 0) - cell(&none, 0))).abs() < 0.002, "{said}");
    assert!((cell(&take, 2) - (cell(&take, 0) - cell(&pass, 0))).abs() < 0.002, "{said}");
    assert_eq!((take[3].as_str(), pass[2].as_str()), ("(opponent)", "–"), "{said}");
    assert!(cell(&none, 1) < cell(&pass, 1) && cell(&pass, 1) < cell(&take, 1), "{said}");

    let value = json(&["hint", at_score, "--plies", "1"]);
    let doubling = &value["doubling"];
    let mwc = &doubling["match_winning_probabilities"];
    assert!((100.0 * number(&mwc["no_double"]) - cell(&none, 1)).abs() < 0.006, "{value}");
    assert!((100.0 * number(&mwc["double_take"]) - cell(&take, 1)).abs() < 0.006, "{value}");
    assert_eq!(value["match_winning_probability"], mwc["double_pass"]);
    let losses = &doubling["losses"];
    assert_eq!((number(&losses["double"]), number(&losses["pass"])), (0.0, 0.0));
    assert!((number(&losses["no_double"]) - (1.0 - number(&doubling["no_double"]))).abs() < 1e-9, "{value}");
    assert!((number(&losses["take"]) - (number(&doubling["double_take"]) - 1.0)).abs() < 1e-9, "{value}");
    // The opponent decides on an offered double.
    let offered = folder.run(&["hint", &at_score.replace(":00:", ":D:"), "--plies", "1"]).success();
    assert!(
        offered.contains("player who doubles  equity  MWC") && !offered.contains("(opponent)"),
        "{offered}"
    );
    // A rollout has the same columns, with standard errors.
    let rollout = ["rollout", at_score, "--trials", "36", "--truncate", "3"];
    let said = folder.run(&rollout).success();
    let row = said.lines().find(|line| line.starts_with("no double ")).unwrap();
    assert!(row.matches('±').count() == 2 && said.contains(" (opponent)"), "{said}");
    let value = json(&rollout);
    let estimate = number(&value["estimates"][0]["match_winning_probability"]);
    let best = number(&value["doubling"]["match_winning_probabilities"]["double_pass"]);
    assert!((estimate - best).abs() < 1e-9, "{value}");

    // Without a doubling decision: double match point and the Crawford game.
    for (state, is_win) in [("4:4:0:5", true), ("2:4:1:5", false)] {
        let xgid = format!("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:{state}:10");
        let said = folder.run(&["hint", &xgid, "--plies", "1"]).success();
        let line = said.lines().find(|line| line.starts_with("Equity at the score: ")).unwrap_or_default();
        assert!(line.contains("match winning probability (MWC): "), "{said}");
        let value = json(&["hint", &xgid, "--plies", "1"]);
        let mwc = number(&value["match_winning_probability"]);
        assert!(line.ends_with(&format!(" {:.2} %.", 100.0 * mwc)), "{value}\n{said}");
        assert_eq!((mwc - number(&value["probabilities"][0])).abs() < 1e-4, is_win, "{value}");
    }
    // A money game has no match winning probability.
    let money = json(&["hint", "4HPwATDgc/ABMA", "--plies", "0"]);
    assert_eq!(money["doubling"]["match_winning_probabilities"], Value::Null);
    assert!(number(&money["doubling"]["losses"]["pass"]) > 0.5, "{money}");
}

#[test]
fn selected_plays_are_ranked_and_rolled_out() {
    let folder = ProgramFolder::new("hint-play");
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&folder.run(&[arguments, &["--json"]].concat()).success()).unwrap()
    };
    let plays = |value: &Value, list: &str| -> Vec<String> {
        let plays = value[list].as_array().unwrap().iter();
        plays.map(|play| play["play"].as_str().unwrap().to_owned()).collect()
    };
    // A play that the network alone excludes from the search.
    let start = ["4HPwATDgc/ABMA", "--dice", "64"];
    for depth in [["--plies", "1"], ["--simulations", "20"]] {
        let hint = [&["hint"], &start[..], &depth, &["--plays", "2"]].concat();
        let selected = [&hint[..], &["--play", "8/2 24/20", "--play", "24/20 8/2"]].concat();
        let [without, with] = [&hint, &selected].map(|arguments| json(arguments));
        assert_eq!(plays(&without, "plays").len(), 2);
        assert_eq!(plays(&with, "plays")[..2], plays(&without, "plays"));
        let [_, second, listed] = [0, 1, 2].map(|at| &with["plays"][at]);
        assert_eq!(
            (&listed["play"], &listed["searched"], &second["rank"]),
            (&"24/20 8/2".into(), &true.into(), &2.into())
        );
        let rank = listed["rank"].as_u64().unwrap();
        assert!(rank > 2 && plays(&with, "plays").len() == 3, "{with}");
        let said = folder.run(&selected).success();
        let row = said.lines().find(|line| line.starts_with("24/20 8/2 (rank ")).unwrap_or_default();
        assert!(row.contains(&format!("(rank {rank} of ")) && !row.contains('*'), "{said}");
    }
    let rollout =
        [&["rollout"], &start[..], &["--trials", "4", "--truncate", "1", "--play", "24/20 8/2"]].concat();
    assert_eq!(plays(&json(&rollout), "estimates"), ["24/20 8/2"]);
    let more = json(&[&rollout[..], &["--play", "8/2 6/2", "--plays", "1"]].concat());
    let mut more = plays(&more, "estimates");
    more.sort();
    assert_eq!(more.len(), 3, "{more:?}");
    assert!(more.contains(&"8/2 6/2".to_owned()) && more.contains(&"24/20 8/2".to_owned()), "{more:?}");
    for command in ["hint", "rollout"] {
        let refused = |more: &[&str], words: &[&str]| {
            folder.run(&[&[command], &start[..1], more].concat()).refused(2, words);
        };
        refused(
            &["--dice", "64", "--play", "24/21 8/2"],
            &["--play 24/21 8/2: not a legal play", "24/20 8/2"],
        );
        refused(&["--dice", "64", "--play", "x"], &["--play x", "is not a move"]);
        refused(&["--play", "24/20 8/2"], &["--play 24/20 8/2", "no roll", "--dice"]);
    }
    folder.run(&["hint", "-", "--play", "24/20 8/2"]).refused(2, &["--play", "batch"]);
}

#[test]
fn hints_report_hits_during_the_bear_off() {
    let folder = ProgramFolder::new("hint-bear-off-hit");
    // The network gives the player on roll 46 %; rollout and GNU Backgammon give 60 %.
    let hit = "XGID=-a-BaBC-B---bC---c-d-b-AB-:1:1:1:00:2:3:0:5:8";
    let hint = |xgid: &str, more: &[&str]| {
        folder.run(&[&["hint", xgid, "--simulations", "0"], more].concat()).success()
    };
    let remark = "A checker was hit during the bear-off.";
    for roll in [":00:", ":31:"] {
        let xgid = hit.replace(":00:", roll);
        let said = hint(&xgid, &[]);
        assert!(said.contains(remark) && said.ends_with(&format!("vivarium rollout {xgid}\n")), "{said}");
    }
    assert!(hint(hit, &["--json"]).contains("\"bear_off_hit\":true"));
    // No checker has been borne off.
    let contact = "XGID=-a-BaBC-B---bC---e-d-b-AB-:1:1:1:00:2:3:0:5:8";
    assert!(!hint(contact, &[]).contains(remark));
    assert!(hint(contact, &["--json"]).contains("\"bear_off_hit\":false"));
}

#[test]
fn brief_hints_omit_the_notes() {
    let folder = ProgramFolder::new("hint-brief");
    let hint = |more: &[&str]| {
        let start = ["hint", "4HPwATDgc/ABMA:cAkAAAAAAAAA", "--simulations", "0", "--dice", "64"];
        folder.run(&[&start, more].concat())
    };
    let [full, brief] = [&[][..], &["--brief"]].map(|more| hint(more).success());
    for note in ["Probabilities by the network", "Janowski's formula", "Loses: ", "Wins and losses include"] {
        assert!(full.contains(note) && !brief.contains(note), "{note:?}\n{full}\n{brief}");
    }
    for line in ["play  ", "Before the roll: cubeless equity", "Best: "] {
        assert!(full.contains(line) && brief.contains(line), "{line:?}\n{full}\n{brief}");
    }
    hint(&["--brief", "--json"]).refused(2, &["--brief", "--json"]);
    folder.run(&["hint", "-", "--brief"]).refused(2, &["--brief", "batch"]);
}

#[test]
fn hints_report_evaluations_that_depend_on_the_depth() {
    let folder = ProgramFolder::new("hint-depth");
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&folder.run(&[arguments, &["--json"]].concat()).success()).unwrap()
    };
    // Winning probability 67 % at 1 ply, 69 % at 2 plies.
    let uncertain = "XGID=-DDBBB--------a-A-a--b-fe-:0:0:1:00:0:0:1:0:10";
    let warning = "The evaluation depends on the search depth: win 6";
    let said = folder.run(&["hint", uncertain]).success();
    let sentence = said.lines().find(|line| line.starts_with(warning)).unwrap_or_else(|| panic!("{said}"));
    for words in [
        " % (no double, take) at 1 ply, 6",
        " % (double, take) at 2 plies",
        "--plies 2",
        &format!("vivarium rollout {uncertain}"),
    ] {
        assert!(sentence.contains(words), "{words:?} is missing in {sentence}");
    }
    // The doubling decision before a roll as well; the rollout is that of the position before the roll.
    let said = folder.run(&["hint", &uncertain.replace(":00:", ":31:"), "--simulations", "0"]).success();
    assert!(said.contains(warning) && said.contains(&format!("vivarium rollout {uncertain}\n")), "{said}");
    let value = json(&["hint", uncertain]);
    let (check, deep) = (&value["depth_check"], json(&["hint", uncertain, "--plies", "2"]));
    assert_eq!((&check["differs"], &check["plies"]), (&true.into(), &2.into()));
    assert_eq!((&check["probabilities"], &check["equity"]), (&deep["probabilities"], &deep["equity"]));
    // A depth of the command line is not checked, nor are races and batches.
    assert_eq!(deep["depth_check"], Value::Null);
    assert!(!folder.run(&["hint", uncertain, "--plies", "1"]).success().contains("search depth: "));
    let race = "XGID=--A--A------------------a-:0:0:1:00:0:0:0:0:10";
    assert_eq!(json(&["hint", race])["depth_check"], Value::Null);
    let batch = folder.run_with(&["hint", "-", "--json"], uncertain).success();
    assert_eq!(serde_json::from_str::<Value>(&batch).unwrap()["depth_check"], Value::Null);
    // Both depths agree on the opening position.
    assert_eq!(json(&["hint", "4HPwATDgc/ABMA"])["depth_check"]["differs"], false);
    assert!(!folder.run(&["hint", "4HPwATDgc/ABMA"]).success().contains("search depth: "));
}

#[test]
fn a_match_id_may_follow_the_position_id() {
    let folder = ProgramFolder::new("hint-match-id");
    let joined = folder.run(&["hint", "4HPwATDgc/ABMA:cAkAAAAAAAAA", "--plies", "0"]).success();
    let pair = ["4HPwATDgc/ABMA", "cAkAAAAAAAAA"];
    assert_eq!(folder.run(&["hint", pair[0], pair[1], "--plies", "0"]).success(), joined);
    let rollout = ["--trials", "2", "--truncate", "1", "--json"];
    let said = folder.run(&[&["rollout"], &pair[..], &rollout].concat()).success();
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&said["match_id"], &said["assumed_money"]), (&"cAkAAAAAAAAA".into(), &false.into()));
    // Lines of a batch, with a roll as well.
    let lines = format!("{} {}\n{} {} 31\n{}:{} 31\n", pair[0], pair[1], pair[0], pair[1], pair[0], pair[1]);
    let said = folder.run_with(&["hint", "-", "--plies", "0"], &lines).success();
    let said: Vec<_> = said.lines().collect();
    assert!(said.len() == 3 && said[0].starts_with("no double, take"), "{said:?}");
    assert!(said[1].starts_with("8/5 6/5") && said[1] == said[2], "{said:?}");
    folder.run(&["hint", pair[0], "cAkAAAAAAA"]).refused(2, &["position 4HPwATDgc/ABMA:cAkAAAAAAA: "]);
    folder.run(&["hint", pair[1], pair[0]]).refused(2, &["the match ID comes first"]);
    folder.run(&["hint", "-", pair[1]]).refused(2, &["the match ID", "batch"]);
}
