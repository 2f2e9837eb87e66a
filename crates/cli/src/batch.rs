//! Batch input: one item a line of standard input, such as a scramble or a position.

use crate::error::CliError;
use crate::{terminal, text};
use std::io::{self, BufRead};

/// Argument that selects standard input.
pub const STANDARD_INPUT: &str = "-";

/// Line of standard output for an invalid line.
pub const INVALID_LINE: &str = "invalid";

/// Calls `each` with the number and the text of every line of standard input. Empty lines and lines that begin with `#`
/// are ignored. An error of a line is reported on standard error with the line number, and the next line follows. `placeholder`: line
/// of standard output for a line that failed, so that a result without a line number can be matched with its line.
///
/// # Errors
/// [`CliError::Failed`] if a line failed, or if standard input cannot be read.
pub fn for_each_line(
    placeholder: Option<&str>,
    each: impl FnMut(u64, &str) -> Result<(), CliError>,
) -> Result<(), CliError> {
    process(&mut io::stdin().lock(), placeholder, each)
}

/// Calls `each` with the number and the text of every line of `input`, like [`for_each_line`].
fn process(
    input: &mut dyn BufRead,
    placeholder: Option<&str>,
    mut each: impl FnMut(u64, &str) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let (mut number, mut items, mut failed) = (0u64, 0u64, 0u64);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input.read_until(b'\n', &mut bytes);
        if read.map_err(|error| CliError::file("read", "standard input".as_ref(), error))? == 0 {
            break;
        }
        number += 1;
        // Text of other systems may begin with a byte order mark.
        let line = std::str::from_utf8(&bytes).map(|line| line.trim_start_matches('\u{feff}').trim());
        if line.is_ok_and(|line| line.is_empty() || line.starts_with('#')) {
            continue;
        }
        items += 1;
        let outcome = match line {
            Ok(line) => each(number, line),
            Err(_) => Err(CliError::failed("the text is not UTF-8")),
        };
        if let Err(error) = outcome {
            failed += 1;
            let message = error.message().unwrap_or("stopped");
            terminal::print_error(format_args!("line {number}: {message}"));
            if let Some(placeholder) = placeholder {
                terminal::print_line(placeholder);
            }
        }
    }
    if failed > 0 {
        return Err(CliError::failed(format!(
            "{} of {} failed",
            text::whole(failed),
            text::count(items, "line")
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_line_is_counted_and_the_next_line_follows() {
        let mut lines = Vec::new();
        let mut input: &[u8] = b"\xef\xbb\xbfR U\r\n\n  # comment\nbad\n\xff\nF";
        let outcome = process(&mut input, None, |number, line| {
            lines.push((number, line.to_owned()));
            if line == "bad" { Err(CliError::usage("invalid")) } else { Ok(()) }
        });
        assert_eq!(lines, [(1, "R U".to_owned()), (4, "bad".to_owned()), (6, "F".to_owned())]);
        let error = outcome.unwrap_err();
        assert_eq!((error.code(), error.message()), (1, Some("2 of 4 lines failed")));
        assert!(process(&mut &b"# nothing\n"[..], None, |_, _| Err(CliError::failed(""))).is_ok());
    }
}
