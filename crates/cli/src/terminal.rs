//! Words for a person or a pipe. Whoever was to read them may have gone (`vivarium info | head -1`): that is no reason to
//! fail, and least of all for a training run. A result that could not be written, as on a full disk, is one.

use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;

/// Why standard output could not be written, the first time.
static UNWRITTEN: OnceLock<String> = OnceLock::new();

/// A line to standard output.
pub fn out(line: &str) {
    note(&writeln!(io::stdout(), "{line}"));
}

/// Takes note of what became of a write to standard output.
pub fn note(outcome: &io::Result<()>) {
    if let Err(error) = outcome
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = UNWRITTEN.set(error.to_string());
    }
}

/// Whether all that went to standard output was written.
///
/// # Errors
/// The system's words for why it was not.
pub fn check() -> Result<(), &'static str> {
    note(&io::stdout().flush());
    UNWRITTEN.get().map_or(Ok(()), |error| Err(error))
}

/// A part of a line to standard output, which is seen at once.
pub fn part(text: &str) {
    let mut out = io::stdout();
    note(&write!(out, "{text}").and_then(|()| out.flush()));
}

/// A line to standard error: what is said beside the result.
pub fn aside(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
