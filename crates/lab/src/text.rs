//! Formatting of numbers, tables and text for front ends.

/// Formats a number with three significant digits and an SI prefix: `1.18G`, `842K`, `475`, `0.250`, `0.00248`. Numbers from
/// 1,000 to 9,999 have four digits, numbers below 0.001 two: `5540`, `2.5e-4`.
#[must_use]
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let size = value.abs();
    // The bounds account for rounding: 999,600 is 1.00M and not 1000K.
    match size {
        s if s >= 999.5e6 => format!("{}G", three_digits(value / 1e9)),
        s if s >= 999.5e3 => format!("{}M", three_digits(value / 1e6)),
        s if s >= 9999.5 => format!("{}K", three_digits(value / 1e3)),
        s if s >= 0.000_999_5 || s == 0.0 => three_digits(value),
        _ => format!("{value:.1e}"),
    }
}

fn three_digits(value: f64) -> String {
    match value.abs() {
        size if size >= 99.95 => format!("{value:.0}"),
        size if size >= 9.995 => format!("{value:.1}"),
        size if size >= 0.9995 || size == 0.0 => format!("{value:.2}"),
        size if size >= 0.099_95 => format!("{value:.3}"),
        size if size >= 0.009_995 => format!("{value:.4}"),
        _ => format!("{value:.5}"),
    }
}

/// Formats an integer: exactly if below 10,000 (`475`), otherwise with three significant digits and an SI prefix
/// (`1.18G`).
#[must_use]
pub fn whole(value: u64) -> String {
    if value < 10_000 { value.to_string() } else { number(value as f64) }
}

/// Formats a fraction from 0 to 1 as a percentage, rounded to one decimal. Within 1 % of 0 % and 100 %, the percentage has
/// two to five decimals, so that the distance has two significant digits; only 0 and 1 result in `0 %` and `100 %`.
#[must_use]
pub fn share(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let percent = 100.0 * value;
    let decimals = match percent.min(100.0 - percent) {
        distance if distance >= 1.0 => 1,
        distance if distance >= 0.1 => 2,
        distance if distance >= 0.01 => 3,
        distance if distance >= 0.001 => 4,
        _ => 5,
    };
    let factor = 10f64.powi(decimals);
    let rounded = (percent * factor).round() / factor;
    match rounded {
        0.0 if percent > 0.0 => "< 0.00001 %".to_owned(),
        100.0 if percent < 100.0 => "> 99.99999 %".to_owned(),
        _ => format!("{rounded} %"),
    }
}

/// Formats `number` with the noun `thing` in the singular or plural: `1 board`, `3 boards`.
#[must_use]
pub fn count(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// Wraps `words` into lines of at most `width` characters. A word that is longer than `width` gets its own line.
#[must_use]
pub fn wrapped(words: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Pads or truncates text to `width` characters. Truncation replaces the beginning of the text by `…`, because the
/// end of a path is more important.
#[must_use]
pub fn column(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return format!("{text:<width$}");
    }
    ['…'].into_iter().chain(text.chars().skip(length - width + 1)).collect()
}

/// Formats rows of cells as a table with aligned columns. The first row is the heading.
#[must_use]
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Formats a number with a fixed number of decimals. A number that rounds to zero has no minus sign.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| c == '0' || c == '.') => digits.to_owned(),
        _ => text,
    }
}

/// Formats a number like [`fixed`], with a plus sign if it is not negative.
#[must_use]
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit_a_column() {
        let shown: Vec<_> =
            [0.0, 0.25, 9.81, 475.0, 999.7, 5540.0, 842_123.0, 1.118e9, -110.0, 0.000_25, f64::NAN]
                .map(number)
                .to_vec();
        assert_eq!(
            shown,
            ["0.00", "0.250", "9.81", "475", "1000", "5540", "842K", "1.12G", "-110", "2.5e-4", "–"]
        );
        assert_eq!(number(999_600.0), "1.00M");
        let small = [0.099_96, 0.099_94, 0.0248, 0.009_996, 0.002_48, -0.001, 0.000_999_6].map(number);
        assert_eq!(small, ["0.100", "0.0999", "0.0248", "0.0100", "0.00248", "-0.00100", "0.00100"]);
        assert_eq!([0, 7, 9_999, 842_123].map(whole), ["0", "7", "9999", "842K"]);
    }

    #[test]
    fn percentages_are_rounded_and_only_the_complete_share_is_shown_as_100_percent() {
        let shown =
            [1.0, 0.999_999, 0.999_84, 0.998_5, 0.976_562_5, 0.28, 0.5, 2e-6, 0.0, f64::NAN].map(share);
        assert_eq!(
            shown,
            ["100 %", "99.9999 %", "99.984 %", "99.85 %", "97.7 %", "28 %", "50 %", "0.0002 %", "0 %", "–"]
        );
        assert_eq!([1e-12, 1.0 - 1e-12].map(share), ["< 0.00001 %", "> 99.99999 %"]);
        assert_eq!(
            [0, 1, 2].map(|number| count(number, "wrong bit")),
            ["0 wrong bits", "1 wrong bit", "2 wrong bits"]
        );
    }

    #[test]
    fn words_wrap_between_them() {
        assert_eq!(wrapped("a hole is cut × and heals", 11), ["a hole is", "cut × and", "heals"]);
        assert_eq!(wrapped("unbreakable", 4), ["unbreakable"]);
        assert!(wrapped(" ", 4).is_empty());
    }

    #[test]
    fn zero_is_never_negative() {
        assert_eq!(
            [-0.0004, 0.0, -0.04, -0.06, 12.34].map(|value| fixed(value, 1)),
            ["0.0", "0.0", "0.0", "-0.1", "12.3"]
        );
        assert_eq!(
            [-0.0, -0.0004, -0.0006, 1.5].map(|value| signed(value, 3)),
            ["+0.000", "+0.000", "-0.001", "+1.500"]
        );
        assert_eq!(fixed(-0.4, 0), "0");
    }

    #[test]
    fn table_columns_are_aligned() {
        let rows = [["run", "seed"], ["runs/a", "1"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows), "run     seed\nruns/a  1");
        assert_eq!(table(&[]), "");
    }
}
