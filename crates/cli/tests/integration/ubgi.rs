//! The Universal Backgammon Interface through a pipe.

use crate::common::{Outcome, ProgramFolder};
use std::io::{BufRead, BufReader, Write};

/// Opening roll 3-1.
const OPENING: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
/// The opening roll 3-1 as a rawboard of FIBS: X is on roll and plays from point 1 to point 24.
const RAWBOARD: &str = "board:You:Bob:9999:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:3:1:0:0:1:1:1:0:-1:1:25:\
                        0:0:0:0:0:2:0:0:0";
/// The first player has a closed board against a checker on the bar.
const WON: &str = "XGID=aBBBBBB--C---------bbceb--:0:0:1:00:0:0:1:0:10";
/// A checker on the bar against six made points.
const CLOSED: &str = "XGID=-----DE-E----c-----bbbbbbA:0:0:1:61:0:0:0:0:10";

/// Returns the lines that the program prints after its identification, and standard error.
fn replies(arguments: &[&str], lines: &[&str]) -> (Vec<String>, String) {
    let folder = ProgramFolder::new(&format!("ubgi-{}-{}", arguments.len(), lines.len()));
    let input = format!("ubgi\n{}\n", lines.join("\n"));
    let outcome = folder.run_with(&[&["ubgi"], arguments].concat(), &input);
    let error = outcome.err.clone();
    let said = outcome.success();
    let mut said = said.lines().map(str::to_owned);
    assert_eq!(said.next().as_deref(), Some("id name Vivarium"));
    for prefix in ["id author ", "id version ", "readyok"] {
        let line = said.next().unwrap_or_default();
        assert!(line.starts_with(prefix), "{line}");
    }
    (said.collect(), error)
}

#[test]
fn positions_are_answered_until_the_end_of_the_input() {
    let doubled = OPENING.replace(":31:", ":D:");
    let too_good = WON.replace(":00:", ":D:");
    let (said, error) = replies(
        &["--simulations", "20"],
        &[OPENING, RAWBOARD, CLOSED, "", WON, &too_good, &doubled, "analyze this", "XGID=-b:0", OPENING],
    );
    assert_eq!(
        said,
        ["8/5 6/5", "8/5 6/5", "", "double", "drop", "take", "sorry", "sorry", "8/5 6/5"],
        "{error}"
    );
    for words in ["\"analyze this\" is not a command; send ubgi", "the XGID has 2 fields"] {
        assert!(error.contains(words), "{words:?} is missing in {error}");
    }
}

#[test]
fn expectimax_answers_too() {
    assert_eq!(replies(&["--plies", "1"], &[OPENING, WON]).0, ["8/5 6/5", "double"]);
}

#[test]
fn positions_need_the_network_and_a_network_that_cannot_be_read_is_reported() {
    let folder = ProgramFolder::new("ubgi-network");
    let outcome = folder.run_with(&["ubgi"], &format!("{OPENING}\nquit\n"));
    assert!(outcome.err.contains("send ubgi before the first position"), "{outcome:?}");
    assert_eq!(outcome.success(), "sorry\n");
    let outcome = folder.run_with(&["ubgi", "--checkpoint", "absent.safetensors"], "ubgi\n");
    assert!(outcome.err.contains("absent.safetensors"), "{outcome:?}");
    let said = outcome.success();
    assert!(said.ends_with("\nsorry\n") && !said.contains("readyok"), "{said}");
    folder.run(&["ubgi", "--simulations", "3", "--plies", "1"]).refused(2, &["--plies"]);
}

/// Stops searches that would last for minutes. The commands are read before the network is loaded, so that the searches
/// stop before their first simulation: the replies are those without a search.
#[test]
fn stop_and_quit_end_a_search() {
    let unlike = "XGID=a-BCBBBB------------AdcAb-:1:-1:1:52:0:1:0:3:10";
    let alone = replies(&["--simulations", "0"], &[unlike]).0;
    assert_ne!(alone, replies(&["--simulations", "200"], &[unlike]).0, "a search chooses another play");
    let folder = ProgramFolder::new("ubgi-stop");
    let mut program = folder.start_with_pipe(&["ubgi", "--simulations", "30000"]);
    let mut input = program.stdin.take().unwrap();
    let mut output = BufReader::new(program.stdout.take().unwrap()).lines();
    write!(input, "ubgi\n{unlike}\nstop\n").unwrap();
    let reply = output.nth(4).unwrap().unwrap();
    assert_eq!(reply, alone[0]);
    // The next search is not stopped before it begins, and the input is still open.
    writeln!(input, "{CLOSED}").unwrap();
    assert_eq!(output.next().unwrap().unwrap(), "");
    // In one piece: the program closes its input after quit.
    input.write_all(format!("{unlike}\nquit\n{CLOSED}\n").as_bytes()).unwrap();
    let legal = output.next().unwrap().unwrap();
    assert!(legal.contains('/'), "{legal}");
    assert!(output.next().is_none(), "lines after quit have no reply");
    assert_eq!(Outcome::of(program.wait_with_output().unwrap()).code, Some(0));
}
