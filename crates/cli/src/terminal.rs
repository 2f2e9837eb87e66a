//! Words for a person or a pipe. Whoever was to read them may have gone (`vivarium info | head -1`): that is no reason to
//! fail, and least of all for a training run.

use std::io::Write;

/// A line to standard output.
pub fn out(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// A part of a line to standard output, which is seen at once.
pub fn part(text: &str) {
    let mut out = std::io::stdout();
    let _ = write!(out, "{text}").and_then(|()| out.flush());
}

/// A line to standard error: what is said beside the result.
pub fn aside(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
