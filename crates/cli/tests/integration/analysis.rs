//! Analysis of matches by GNU Backgammon, and lists of the positions of errors.

use crate::common::ProgramFolder;
use serde_json::Value;

/// Returns the path of a record of the crate vivarium-envs.
fn fixture(name: &str) -> String {
    format!("{}/../envs/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// GNU Backgammon must be installed.
#[test]
fn a_match_is_analyzed_by_gnu_backgammon() {
    let folder = ProgramFolder::new("analyze-gnubg");
    let mat = fixture("gnubg_match.mat");
    let analyze = ["analyze", &mat, "--by", "gnubg"];
    let text = folder.run(&analyze).success();
    assert!(text.contains("by GNU Backgammon's evaluation without a search."), "{text}");
    assert!(!text.contains("network"), "{text}");
    let value: Value =
        serde_json::from_str(&folder.run(&[&analyze[..], &["--json"]].concat()).success()).unwrap();
    assert_eq!((&value["evaluator"], &value["plies"]), (&"gnubg".into(), &0.into()));
    assert_eq!(value["checkpoint"], Value::Null);
    // GNU Backgammon at 0 plies made the plays of the record.
    for total in value["totals"].as_array().unwrap() {
        assert!(total["error_rate"].as_f64().unwrap() < 2.0, "{total}");
        assert!(total["plays"].as_u64().unwrap() > 80, "{total}");
    }
    let network = folder.run(&["analyze", &mat, "--plies", "0", "--recheck", "0", "--json"]).success();
    let network: Value = serde_json::from_str(&network).unwrap();
    assert_eq!(network["evaluator"], "network");
    let rate = |value: &Value| value["totals"][0]["error_rate"].as_f64().unwrap();
    assert!(rate(&network) > 2.0 * rate(&value), "{} {}", rate(&network), rate(&value));
}

/// GNU Backgammon must be installed.
#[test]
fn hints_are_evaluated_by_gnu_backgammon() {
    let folder = ProgramFolder::new("hint-gnubg");
    let start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    let said = folder.run(&["hint", start, "--by", "gnubg-2ply", "--plays", "9"]).success();
    for words in [
        "Probabilities by GNU Backgammon at 2 plies.",
        "Cubeless probabilities by GNU Backgammon at 2 plies",
        "* equity and probabilities without a search",
    ] {
        assert!(said.contains(words), "{words:?} is missing in\n{said}");
    }
    let json = ["hint", start, "--by", "gnubg-2ply", "--json", "--play", "24/23 6/3"];
    let value: Value = serde_json::from_str(&folder.run(&json).success()).unwrap();
    assert_eq!((&value["evaluator"], &value["plies"]), (&"gnubg".into(), &2.into()));
    assert_eq!((&value["simulations"], &value["depth_check"]), (&Value::Null, &Value::Null));
    // The equity of GNU Backgammon itself is +0.218.
    let best = &value["plays"][0];
    assert_eq!(best["play"], "8/5 6/5");
    assert!((best["equity"].as_f64().unwrap() - 0.218).abs() < 0.03, "{best}");
    // A play beyond the filter is searched if --play names it.
    let mut plays = value["plays"].as_array().unwrap().iter();
    let selected = plays.find(|play| play["play"] == "24/23 6/3").unwrap();
    assert_eq!(selected["searched"], true, "{selected}");
}

#[test]
fn options_of_a_network_are_refused_with_gnu_backgammon() {
    let folder = ProgramFolder::new("by-refused");
    let mat = fixture("gnubg_money.mat");
    let analyze = ["analyze", &mat, "--by", "gnubg"];
    for more in [["--plies", "1"], ["--recheck", "2"], ["--checkpoint", "run"], ["--convert", "match.sgf"]] {
        folder.run(&[&analyze[..], &more].concat()).refused(2, &["--by", more[0]]);
    }
    for more in [["--plies", "1"], ["--simulations", "20"], ["--checkpoint", "run"]] {
        let hint = ["hint", "4HPwATDgc/ABMA", "--by", "gnubg"];
        folder.run(&[&hint[..], &more].concat()).refused(2, &["--by", more[0]]);
    }
    folder.run(&["analyze", &mat, "--by", "gnubg-3ply"]).refused(2, &["gnubg-3ply", "gnubg-2ply"]);
    let absent = [("VIVARIUM_GNUBG", "/nonexistent/gnubg")];
    for command in [&analyze[..], &["hint", "4HPwATDgc/ABMA", "--by", "gnubg"]] {
        folder.run_in(&absent, command).refused(1, &["the program /nonexistent/gnubg", "VIVARIUM_GNUBG"]);
    }
}

/// The list of errors is read by `hint -` and `rollout`.
#[test]
fn the_positions_of_errors_are_a_list_of_xgids() {
    let folder = ProgramFolder::new("xgids");
    let mat = fixture("gnubg_match.mat");
    // A double in a nearly equal position, and a pass of it: errors for any network.
    let pass = " 0 point match\n\n Game 1\n Ann : 0          Bob : 0\n  1) 31: 8/5 6/5                  64: 24/14\n  \
                2)  Doubles => 2                Drops\n";
    std::fs::write(folder.path().join("pass.mat"), pass).unwrap();
    let listed = |file: &str| {
        let analyze = ["analyze", file, "--plies", "0", "--recheck", "0", "--worst", "200"];
        let list = folder.run(&[&analyze[..], &["--xgids"]].concat()).success();
        // The same positions as in the text, in its order.
        let text = folder.run(&analyze).success();
        let of_text: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("    ")).collect();
        assert_eq!(list.lines().collect::<Vec<_>>(), of_text);
        // The hints rate the positions as the analysis: the best action is that of the text.
        let hints = folder.run_with(&["hint", "-", "--plies", "0", "--json"], &list).success();
        let hints: Vec<Value> = hints.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(hints.len(), list.lines().count());
        let rows = text.lines().collect::<Vec<_>>();
        let rows = rows.windows(2).filter(|pair| pair[1].starts_with("    XGID=")).map(|pair| pair[0]);
        for (row, hint) in rows.zip(&hints) {
            match hint["plays"][0]["play"].as_str() {
                Some(play) => assert!(row.ends_with(play), "{row}: {play}"),
                None => assert!(hint["doubling"]["best"].is_string(), "{row}: {hint}"),
            }
        }
        list
    };
    let replies = listed("pass.mat");
    assert!(replies.contains(":00:") && replies.contains(":D:"), "{replies}");
    let hints = folder.run_with(&["hint", "-", "--plies", "0"], &replies).success();
    assert!(hints.contains("take  "), "{hints}");
    let list = listed(&mat);
    let rolls = list.lines().filter_map(|line| line.split(':').nth(4)?.parse::<u8>().ok());
    assert!(rolls.filter(|&roll| roll > 0).count() > 10, "{list}");
    let first = list.lines().next().unwrap();
    let rollout = ["rollout", first, "--trials", "2", "--truncate", "1", "--plays", "1"];
    assert!(folder.run(&rollout).success().contains(first));
    // The largest error of one player, and options that do not fit.
    let one_player =
        ["analyze", &mat, "--plies", "0", "--recheck", "0", "--worst", "1", "--xgids", "--player"];
    assert_eq!(folder.run(&[&one_player[..], &["root"]].concat()).success().lines().count(), 1);
    folder.run(&["analyze", &mat, "--xgids"]).refused(2, &["--worst"]);
    for option in ["--board", "--json"] {
        folder.run(&["analyze", &mat, "--worst", "200", "--xgids", option]).refused(2, &[option]);
    }
}
