//! `vivarium ubgi`: the engine of a backgammon interface, by the Universal Backgammon Interface, draft 0.01 (Øystein
//! Schønning-Johansen, 2025, <https://github.com/oysteijo/Universal-Backgammon-Interface>).
//!
//! One thread reads lines from standard input, so that `stop` and `quit` act during a search. Another thread answers the
//! other lines in their order. The network is read after the command `ubgi`.

mod answer;
mod engine;

use super::adviser_args::AdviserArgs;
use super::equity_table::EquityTableArgs;
use crate::error::CliError;
use clap::Args;
use engine::UbgiEngine;
use std::io::{self, BufRead};
use std::sync::mpsc;
use std::thread;
use vivarium_exhibit_games::advice::StopSignal;

/// Command-line arguments of `vivarium ubgi`.
#[derive(Args, Debug)]
#[command(
    after_help = "Commands on standard input, one per line:\n  ubgi: load the network; the reply is id name, id author, id version and readyok\n  POSITION: an XGID or a rawboard of FIBS (board:…); the reply is the best action: a play (24/18 18/13), an empty line if no checker can move, double, roll, take or drop\n  stop: stop the search; the reply to the position is the best play of the completed part of the search\n  quit: stop the search, reply and exit\n\nThe reply to other lines is sorry, with the reason on standard error. After the end of the input, the program replies to the remaining lines and exits. Doubling decisions are computed as by hint."
)]
pub struct UbgiArgs {
    /// Network and search.
    #[command(flatten)]
    pub adviser: AdviserArgs,
    /// File of the match equity table.
    #[command(flatten)]
    pub equity_table: EquityTableArgs,
}

/// Command that stops the searches.
const STOP: &str = "stop";
/// Command that ends the program.
const QUIT: &str = "quit";

/// Runs `vivarium ubgi` until `quit` or the end of the input.
///
/// # Errors
/// [`CliError::Failed`] if standard input or the file of `--met` cannot be read; [`CliError::Bug`] if the engine panicked.
pub fn run(args: &UbgiArgs) -> Result<(), CliError> {
    let stop = StopSignal::default();
    let (sender, receiver) = mpsc::channel::<String>();
    let (equity_table, args, signal) = (args.equity_table.table()?, args.adviser.clone(), stop.clone());
    let answering = thread::spawn(move || {
        let mut engine = UbgiEngine::new(args, equity_table, signal);
        receiver.into_iter().for_each(|line| engine.reply(&line));
    });
    let read = read_lines(&mut io::stdin().lock(), |line| match line {
        STOP | QUIT => {
            stop.stop();
            line != QUIT
        }
        _ => {
            stop.request();
            sender.send(line.to_owned()).is_ok()
        }
    });
    // The engine ends after its last reply.
    drop(sender);
    answering.join().map_err(|_| CliError::Bug)?;
    read.map_err(|error| CliError::file("read", "standard input".as_ref(), error))
}

/// Passes the lines of the input that are not blank, without surrounding white space, to `handle` until it returns
/// `false`.
fn read_lines(input: &mut dyn BufRead, mut handle: impl FnMut(&str) -> bool) -> io::Result<()> {
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes)? > 0 {
        let text = String::from_utf8_lossy(&bytes);
        let line = text.trim();
        if !line.is_empty() && !handle(line) {
            break;
        }
        bytes.clear();
    }
    Ok(())
}
