//! Formatting of durations, config values and shell words. [`vivarium_lab::text`] formats numbers and tables.

use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;
use time::OffsetDateTime;
pub use vivarium_lab::text::{column, count, fixed, number, share, signed, table, whole, wrapped};

/// Formats a duration in seconds: `8.0 s`, `3 min 05 s`, `2 h 10 min`; `–` if negative or not finite.
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return "–".to_owned();
    }
    if seconds < 9.95 {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// Formats the age of a file in seconds: as [`duration`] up to two days, then in days, such as `12 days`.
pub fn age(seconds: f64) -> String {
    const DAY: f64 = 86_400.0;
    if seconds.is_finite() && seconds >= 2.0 * DAY {
        return format!("{} days", (seconds / DAY) as u64);
    }
    duration(seconds)
}

/// Formats a time in seconds since 1970 as date and time in UTC, such as `2026-11-27 02:05`; `–` if the time is not finite
/// or has no date.
pub fn utc(seconds: f64) -> String {
    let time = OffsetDateTime::from_unix_timestamp(seconds as i64).ok().filter(|_| seconds.is_finite());
    let Some(time) = time else { return "–".to_owned() };
    format!("{} {:02}:{:02}", time.date(), time.hour(), time.minute())
}

/// Formats the value of a config field as `--set` accepts it, such as `128` for 128.0 and `[64,64]`.
pub fn field_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => {
            number.as_f64().map_or_else(|| number.to_string(), |number| number.to_string())
        }
        other => other.to_string(),
    }
}

/// Quotes a word for a POSIX shell if the word is empty or contains special characters.
pub fn shell_quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Quotes a path for a POSIX shell. Prepends `./` to a path with a leading hyphen, so that no program reads the path
/// as an option.
pub fn shell_quoted_path(path: &Path) -> String {
    let path =
        if path.as_os_str().as_encoded_bytes().starts_with(b"-") { &Path::new(".").join(path) } else { path };
    match path.to_str() {
        Some(text) => shell_quoted(text),
        None => {
            // Non-UTF-8 bytes in the $'…' syntax of bash and zsh.
            let escaped = path.as_os_str().as_encoded_bytes().iter().map(|&byte| match byte {
                b'\'' | b'\\' => format!("\\{}", char::from(byte)),
                b' '..=b'~' => char::from(byte).to_string(),
                byte => format!("\\x{byte:02x}"),
            });
            format!("$'{}'", escaped.collect::<String>())
        }
    }
}

/// Returns the arguments of this process, quoted for a POSIX shell.
pub fn shell_arguments() -> Vec<String> {
    let quoted = |word: OsString| match word.to_str() {
        Some(word) => shell_quoted(word),
        None => shell_quoted_path(Path::new(&word)),
    };
    std::env::args_os().skip(1).map(quoted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_words() {
        assert_eq!(
            [0.0, 8.04, 59.4, 185.0, 7800.0, -1.0].map(duration),
            ["0.0 s", "8.0 s", "59 s", "3 min 05 s", "2 h 10 min", "–"]
        );
        assert_eq!(
            [7800.0, 172_740.0, 172_800.0, 1e6, f64::INFINITY].map(age),
            ["2 h 10 min", "47 h 59 min", "2 days", "11 days", "–"]
        );
    }

    #[test]
    fn times_are_dates_in_utc() {
        for (seconds, date) in [
            (0.0, "1970-01-01 00:00"),
            (951_782_399.0, "2000-02-28 23:59"),
            (951_825_600.0, "2000-02-29 12:00"),
            (1_795_744_800.0, "2026-11-27 02:00"),
            (4_107_542_400.0, "2100-03-01 00:00"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(shell_quoted("runs/cartpole-1-1"), "runs/cartpole-1-1");
        assert_eq!(shell_quoted("return>=475"), "'return>=475'");
        assert_eq!(shell_quoted("my runs/it's"), "'my runs/it'\\''s'");
        assert_eq!(shell_quoted(""), "''");
    }

    #[test]
    fn paths_survive_a_shell_and_are_no_options() {
        let shown = |path: &str| shell_quoted_path(Path::new(path));
        assert_eq!(shown("runs/cartpole-1-1"), "runs/cartpole-1-1");
        assert_eq!(shown("my runs"), "'my runs'");
        assert_eq!(shown("-x/best"), "./-x/best");
    }

    #[test]
    #[cfg(unix)]
    fn a_non_utf8_path_is_quoted_for_a_shell() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"n\xff's \\"));
        assert_eq!(shell_quoted_path(path), r"$'n\xff\'s \\'");
    }
}
