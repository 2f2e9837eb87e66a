//! Output to the terminal. A closed pipe (`vivarium info | head -1`) is ignored; other write errors on standard output
//! make the program fail at its end.

use indicatif::{ProgressBar, ProgressStyle};
use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;

/// First write error on standard output.
static UNWRITTEN: OnceLock<String> = OnceLock::new();

/// Prints a line to standard output.
pub fn out(line: &str) {
    note(&writeln!(io::stdout(), "{}", harmless(line)));
}

/// Stores the first error of a write to standard output for [`check`].
pub fn note(outcome: &io::Result<()>) {
    if let Err(error) = outcome
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = UNWRITTEN.set(error.to_string());
    }
}

/// Checks that no write to standard output has failed.
///
/// # Errors
/// The system's error message.
pub fn check() -> Result<(), &'static str> {
    note(&io::stdout().flush());
    UNWRITTEN.get().map_or(Ok(()), |error| Err(error))
}

/// Prints text to standard output without a line break, and flushes the output.
pub fn part(text: &str) {
    let mut out = io::stdout();
    note(&write!(out, "{}", harmless(text)).and_then(|()| out.flush()));
}

/// Prints a message line to standard error. Standard output is reserved for results, which other programs may parse.
pub fn aside(line: &str) {
    let _ = writeln!(io::stderr(), "{}", harmless(line));
}

/// Creates a progress bar on standard error; it is hidden if standard error is not a terminal.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Makes untrusted text, such as text from a checkpoint or a model, safe to print. Replaces control characters (except
/// line feed and tab) and bidirectional formatting characters by JSON escapes.
pub fn harmless(text: &str) -> Cow<'_, str> {
    let commands = |c: char| match c {
        '\n' | '\t' => false,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    };
    if !text.contains(commands) {
        return Cow::Borrowed(text);
    }
    let escape = |mut shown: String, c: char| {
        if commands(c) {
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
    use super::harmless;

    #[test]
    fn control_characters_are_escaped_and_text_is_unchanged() {
        for plain in ["", "Läufe: 3 × 4\n\tκαι 日本 🎲", "{\"a\":\"\\u001b\"}"] {
            assert_eq!(harmless(plain), plain);
        }
        assert_eq!(harmless("\u{1b}[2J\r\u{7f}\u{9b}1m\u{202e}x"), r"\u001b[2J\u000d\u007f\u009b1m\u202ex");
        // An escaped JSON line parses to the same text.
        let line = serde_json::json!({ "name": "\u{1b}\u{7f}\u{85}\u{2067}é" }).to_string();
        let read = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        assert_eq!(read(&harmless(&line)), read(&line));
    }
}
