//! Output to the terminal. If the pipe on standard output is closed (`vivarium scramble cube3 --count 1000 | head -1`),
//! the program exits; training continues instead. After any other write error on standard output, the program exits
//! with an error at its end.

use crate::text;
use indicatif::{ProgressBar, ProgressStyle};
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;

/// First write error on standard output; unset if all writes succeeded.
static FIRST_WRITE_ERROR: OnceLock<String> = OnceLock::new();

/// Prints a line to standard output and flushes standard output. If its pipe is closed, exits the program with the
/// code 0.
pub fn print_line(line: &str) {
    print_raw(&format!("{}\n", escape_control(line)));
}

/// Prints a line to standard output, for a command whose results are files: a closed pipe is ignored.
pub fn print_if_open(line: &str) {
    record_error(&writeln!(io::stdout(), "{}", escape_control(line)));
}

/// Prints text to standard output without a line break, and flushes standard output. If its pipe is closed, exits the
/// program with the code 0.
pub fn print_text(text: &str) {
    print_raw(&escape_control(text));
}

/// Prints text and flushes standard output. Exits the program if its pipe is closed.
fn print_raw(text: &str) {
    let mut out = io::stdout().lock();
    let outcome = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if outcome.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe) {
        std::process::exit(0);
    }
    record_error(&outcome);
}

/// Stores the error of a write to standard output for [`check_written`]. Only the first error is stored; a closed
/// pipe is ignored.
fn record_error(outcome: &io::Result<()>) {
    if let Err(error) = outcome
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = FIRST_WRITE_ERROR.set(error.to_string());
    }
}

/// Flushes standard output and checks that no write has failed.
///
/// # Errors
/// The operating system's message for the first error.
pub fn check_written() -> Result<(), &'static str> {
    record_error(&io::stdout().flush());
    FIRST_WRITE_ERROR.get().map_or(Ok(()), |error| Err(error))
}

/// Returns the width of the terminal on standard output in columns: the environment variable `COLUMNS`, or else the width that the
/// terminal reports, or else 80. Returns `None` if standard output is not a terminal: files and pipes have no width.
pub fn output_width() -> Option<usize> {
    let is_set = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns > 0);
    let reported =
        || Some(usize::from(ratatui::crossterm::terminal::size().ok()?.0)).filter(|columns| *columns > 0);
    io::stdout().is_terminal().then(|| is_set().or_else(reported).unwrap_or(80))
}

/// Amount of output on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verbosity {
    /// Errors and reports, without progress and comments.
    Quiet,
    Normal,
}

/// Verbosity of the program; [`Verbosity::Normal`] if unset.
static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

/// Sets the verbosity of the program. The first call counts.
pub fn set_verbosity(verbosity: Verbosity) {
    let _ = VERBOSITY.set(verbosity);
}

/// Returns the verbosity of the program.
pub fn verbosity() -> Verbosity {
    VERBOSITY.get().copied().unwrap_or(Verbosity::Normal)
}

/// Prints progress or a comment as a line to standard error, unless the program is quiet. Standard output is reserved for
/// results, which other programs may parse.
pub fn print_message(line: &str) {
    if verbosity() == Verbosity::Normal {
        print_report(line);
    }
}

/// Prints a comment for an interactive user: as [`print_message`], only if standard output and standard error are terminals.
pub fn print_comment(line: &str) {
    if io::stdout().is_terminal() && io::stderr().is_terminal() {
        print_message(line);
    }
}

/// Prints an error or the summary of a command as a line to standard error.
pub fn print_report(line: &str) {
    let _ = writeln!(io::stderr(), "{}", escape_control(line));
}

/// Prints a report on a run in progress with the time `now`, in seconds since 1970, for the logs of unattended runs.
pub fn print_at(now: f64, line: &str) {
    print_report(&with_time(now, line));
}

fn with_time(now: f64, line: &str) -> String {
    format!("{} UTC: {line}", text::utc(now))
}

/// Prints an error of the program to standard error, with the name of the program.
pub fn print_error(message: impl Display) {
    print_report(&format!("vivarium: {message}"));
}

/// Creates a progress bar of `length` units on standard error. `template` is the layout of the bar, in the template
/// syntax of the crate `indicatif`. If standard error is not a terminal, the bar is hidden.
pub fn progress_bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Makes untrusted text, such as text from a checkpoint or a model, safe to print: control characters (except line
/// feed and tab) and bidirectional formatting characters are replaced by JSON escapes.
pub fn escape_control(text: &str) -> Cow<'_, str> {
    let is_control = |c: char| match c {
        '\n' | '\t' => false,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    };
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let escape = |mut shown: String, c: char| {
        if is_control(c) {
            shown.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            shown.push(c);
        }
        shown
    };
    Cow::Owned(text.chars().fold(String::new(), escape))
}

#[cfg(test)]
mod tests {
    use super::{escape_control, with_time};

    #[test]
    fn reports_on_a_run_have_the_time() {
        assert_eq!(with_time(1_795_744_800.0, "cannot write a"), "2026-11-27 02:00 UTC: cannot write a");
    }

    #[test]
    fn control_characters_are_escaped_and_text_is_unchanged() {
        for plain in ["", "Läufe: 3 × 4\n\tκαι 日本 🎲", "{\"a\":\"\\u001b\"}"] {
            assert_eq!(escape_control(plain), plain);
        }
        assert_eq!(
            escape_control("\u{1b}[2J\r\u{7f}\u{9b}1m\u{202e}x"),
            r"\u001b[2J\u000d\u007f\u009b1m\u202ex"
        );
        // An escaped JSON line parses to the same text.
        let line = serde_json::json!({ "name": "\u{1b}\u{7f}\u{85}\u{2067}é" }).to_string();
        let read = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        assert_eq!(read(&escape_control(&line)), read(&line));
    }
}
