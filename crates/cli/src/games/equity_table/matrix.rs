//! Match equity table as a matrix of numbers: a line for each number of points that the first player needs.
//!
//! Commas, semicolons and blanks separate the numbers: probabilities, or percent if a number is greater than 1. A heading that
//! begins with `away` announces a first column with the points, as `vivarium met --csv` prints it. A line that begins with
//! `post-Crawford` has the probabilities after the Crawford game. Lines that begin with `#` are comments.

use super::entries::TableEntries;

/// First word of a heading.
const HEADING: &str = "away";
/// First word of the line after the Crawford game.
const POST_CRAWFORD: &str = "post-crawford";

/// Parses a matrix.
///
/// # Errors
/// A message with the line number if a number is invalid.
pub fn parse(text: &str) -> Result<TableEntries, String> {
    let mut entries = TableEntries { name: None, rows: Vec::new(), post_crawford: None };
    let mut has_labels = false;
    for (index, line) in text.lines().enumerate() {
        let cells: Vec<_> = line.split([',', ';', ' ', '\t']).filter(|cell| !cell.is_empty()).collect();
        let number = |cell: &&str| {
            let digits = cell.trim_end_matches('%');
            digits.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(|| {
                format!(
                    "line {}: {cell:?} is not a number; a line has the probabilities of one row, such as 0.5 0.677 0.751",
                    index + 1
                )
            })
        };
        let numbers = |cells: &[&str]| cells.iter().map(number).collect::<Result<Vec<_>, _>>();
        match cells.as_slice() {
            [] => {}
            [first, ..] if first.starts_with('#') => {}
            [first, ..] if first.eq_ignore_ascii_case(HEADING) => has_labels = true,
            [first, row @ ..] if first.eq_ignore_ascii_case(POST_CRAWFORD) => {
                entries.post_crawford = Some(numbers(row)?);
            }
            [label, row @ ..] if has_labels => {
                let expected = entries.rows.len() + 1;
                if label.parse() != Ok(expected) {
                    return Err(format!(
                        "line {}: the row begins with {label}; after the heading, this row begins with the points {expected}",
                        index + 1
                    ));
                }
                entries.rows.push(numbers(row)?);
            }
            row => entries.rows.push(numbers(row)?),
        }
    }
    let all = || entries.rows.iter().chain(&entries.post_crawford).flatten();
    if all().any(|&number| number > 1.0) {
        let rows = entries.rows.iter_mut().chain(&mut entries.post_crawford);
        rows.flatten().for_each(|number| *number /= 100.0);
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_headings_and_percent_are_read() {
        let rows = [vec![0.5, 0.75], vec![0.25, 0.5]];
        for text in [
            "0.5 0.75\n0.25\t0.5\n",
            "# my table\r\n0.5, 0.75\r\n\r\n0.25, 0.5\r\n",
            "away;1;2\n1;0.5;0.75\n2;0.25;0.5",
            "50% 75%\n25% 50%",
            "50 75\n25 50",
        ] {
            let entries = parse(text).unwrap();
            assert_eq!((&entries.rows[..], entries.post_crawford), (&rows[..], None), "{text}");
        }
        let entries = parse("away,1,2\n1,0.5,0.75\n2,0.25,0.5\npost-Crawford,0.5,0.488\n").unwrap();
        assert_eq!((&entries.rows[..], entries.post_crawford), (&rows[..], Some(vec![0.5, 0.488])));
    }

    #[test]
    fn invalid_lines_are_named() {
        for (text, words) in [
            ("0.5 0.7\n0.3 half", "line 2: \"half\" is not a number"),
            ("0.5 NaN", "line 1: \"NaN\" is not a number"),
            ("away 1 2\n0.5 0.7", "line 2: the row begins with 0.5; after the heading"),
        ] {
            let message = parse(text).err().unwrap();
            assert!(message.contains(words), "{text}: {message}");
        }
    }
}
