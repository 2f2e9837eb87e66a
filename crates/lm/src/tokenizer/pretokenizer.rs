//! Pre-tokenizer: splits text into words with GPT-2's pattern (Radford et al. 2019). BPE merges stay within a word.
//!
//! Written by hand instead of with a regular expression, to keep Unicode tables out of the WebAssembly module.

/// Word pattern of the pre-tokenizer as a regular expression, for `tokenizer.json`. It is GPT-2's pattern with
/// `\p{Alphabetic}` instead of `\p{L}`, because `\p{L}` splits words at vowel signs and other combining marks.
pub const PATTERN: &str =
    r"'(?:[stmd]|re|ve|ll)| ?(?:(?!\p{N})\p{Alphabetic})+| ?\p{N}+| ?[^\s\p{Alphabetic}\p{N}]+|\s+(?!\S)|\s+";

/// Class of a character in the pre-tokenizer's word pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Letter,
    Digit,
    Space,
    Other,
}

impl CharClass {
    fn of(character: char) -> Self {
        match character {
            'a'..='z' | 'A'..='Z' => Self::Letter,
            '0'..='9' => Self::Digit,
            ' ' | '\t'..='\r' => Self::Space,
            '\0'..='\x7f' => Self::Other,
            _ if character.is_numeric() => Self::Digit,
            _ if character.is_alphabetic() => Self::Letter,
            _ if character.is_whitespace() => Self::Space,
            _ => Self::Other,
        }
    }
}

/// Returns the words of a text; their concatenation is the text. A word is an English contraction such as `'s`; a run
/// of letters, digits or symbols with an optional leading space; or whitespace.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (word, after) = rest.split_at(length(rest)?);
        rest = after;
        Some(word)
    })
}

/// Returns the length in bytes of the first word of a text; `None` for an empty text.
fn length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if first == '\''
        && let Some(length) = ending(&text.as_bytes()[1..])
    {
        return Some(1 + length);
    }
    let body = text.strip_prefix(' ').unwrap_or(text);
    Some(match body.chars().next().map(CharClass::of) {
        None | Some(CharClass::Space) => space(text),
        Some(kind) => text.len() - body.len() + run(body, kind),
    })
}

/// Returns the length in bytes of the English contraction at the start of `after`, the text after an apostrophe.
fn ending(after: &[u8]) -> Option<usize> {
    match after {
        [b's' | b't' | b'm' | b'd', ..] => Some(1),
        [b'r' | b'v', b'e', ..] | [b'l', b'l', ..] => Some(2),
        _ => None,
    }
}

/// Returns the length in bytes of the longest start of `text` whose characters all have the class `kind`.
fn run(text: &str, kind: CharClass) -> usize {
    text.find(|character| CharClass::of(character) != kind).unwrap_or(text.len())
}

/// Returns the length in bytes of the whitespace word at the start of a text: all leading whitespace. If a word
/// follows, the last whitespace character is excluded, because it is part of that word.
fn space(text: &str) -> usize {
    let all = run(text, CharClass::Space);
    let last = text[..all].chars().next_back().map_or(0, char::len_utf8);
    if all == text.len() || all == last { all } else { all - last }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        words(text).collect()
    }

    #[test]
    fn words_are_those_of_gpt_2() {
        assert_eq!(cut("Hello, world!"), ["Hello", ",", " world", "!"]);
        assert_eq!(
            cut("it's we'll they've I'd 'sup 'x"),
            ["it", "'s", " we", "'ll", " they", "'ve", " I", "'d", " '", "sup", " '", "x"]
        );
        assert_eq!(cut("don'T"), ["don", "'", "T"]);
        assert_eq!(cut("in 1905 or ab12"), ["in", " 1905", " or", " ab", "12"]);
        assert_eq!(cut("a  b\n\n c\n\nd\t"), ["a", " ", " b", "\n\n", " c", "\n", "\n", "d", "\t"]);
        assert_eq!(cut("x \n"), ["x", " \n"]);
        assert_eq!(cut("   "), ["   "]);
        assert_eq!(cut("naïve \u{a0}½ 中文。"), ["naïve", " ", "\u{a0}", "½", " 中文", "。"]);
        assert_eq!(cut(""), [""; 0]);
    }
}
