//! Quotations of file text in error messages.

/// Maximum length of a quotation in characters.
const MAX_LENGTH: usize = 60;

/// Quotes text of a file: escapes control characters, and truncates text of more than [`MAX_LENGTH`] characters. A binary
/// file may be a single long line.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{:?}", format!("{}…", &text[..end])),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn long_text_is_truncated_and_control_characters_are_escaped() {
        assert_eq!(quoted("a\u{1b}\"é"), r#""a\u{1b}\"é""#);
        assert_eq!(quoted(&"é".repeat(60)), format!("\"{}\"", "é".repeat(60)));
        assert_eq!(quoted(&"é".repeat(61)), format!("\"{}…\"", "é".repeat(60)));
    }
}
