//! Words for a person or a pipe. Whoever was to read them may have gone (`vivarium info | head -1`): that is no reason to
//! fail, and least of all for a training run. A result that could not be written, as on a full disk, is one.

use indicatif::{ProgressBar, ProgressStyle};
use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;

/// Why standard output could not be written, the first time.
static UNWRITTEN: OnceLock<String> = OnceLock::new();

/// A line to standard output.
pub fn out(line: &str) {
    note(&writeln!(io::stdout(), "{}", harmless(line)));
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
    note(&write!(out, "{}", harmless(text)).and_then(|()| out.flush()));
}

/// A line to standard error: what is said beside the result.
pub fn aside(line: &str) {
    let _ = writeln!(io::stderr(), "{}", harmless(line));
}

/// A bar on standard error, drawn where that is a terminal alone.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Text from wherever, such as a checkpoint's or a model's own, without what would command a terminal: control characters
/// other than a line's end and a tab, and those that turn the direction of writing, are written as JSON escapes them.
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
    fn nothing_commands_the_terminal_and_words_stay_as_they_are() {
        for plain in ["", "Läufe: 3 × 4\n\tκαι 日本 🎲", "{\"a\":\"\\u001b\"}"] {
            assert_eq!(harmless(plain), plain);
        }
        assert_eq!(harmless("\u{1b}[2J\r\u{7f}\u{9b}1m\u{202e}x"), r"\u001b[2J\u000d\u007f\u009b1m\u202ex");
        // What a JSON line holds still reads as the same text.
        let line = serde_json::json!({ "name": "\u{1b}\u{7f}\u{85}\u{2067}é" }).to_string();
        let read = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        assert_eq!(read(&harmless(&line)), read(&line));
    }
}
