//! Text cut into words before byte pairs are merged within them: GPT-2's rule, by hand instead of by a regular
//! expression, so that the page carries no tables for one.

/// The rule as a regular expression, for files that other tools read. It is GPT-2's but for `\p{Alphabetic}`, which takes in
/// vowel signs and other marks that spell words, where GPT-2 has `\p{L}`, which cuts words at them.
pub const PATTERN: &str =
    r"'(?:[stmd]|re|ve|ll)| ?(?:(?!\p{N})\p{Alphabetic})+| ?\p{N}+| ?[^\s\p{Alphabetic}\p{N}]+|\s+(?!\S)|\s+";

/// What a word is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    Space,
    Other,
}

impl Kind {
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

/// The words of a text, which joined give it back: English endings such as `'s`; runs of letters, of digits or of other
/// signs, each with one space before it where there is one; and other white space.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (word, after) = rest.split_at(length(rest)?);
        rest = after;
        Some(word)
    })
}

/// Bytes of the first word; `None` where there is no text left.
fn length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if first == '\''
        && let Some(length) = ending(&text.as_bytes()[1..])
    {
        return Some(1 + length);
    }
    let body = text.strip_prefix(' ').unwrap_or(text);
    Some(match body.chars().next().map(Kind::of) {
        None | Some(Kind::Space) => space(text),
        Some(kind) => text.len() - body.len() + run(body, kind),
    })
}

/// Bytes of an English ending after an apostrophe.
fn ending(after: &[u8]) -> Option<usize> {
    match after {
        [b's' | b't' | b'm' | b'd', ..] => Some(1),
        [b'r' | b'v', b'e', ..] | [b'l', b'l', ..] => Some(2),
        _ => None,
    }
}

/// Bytes of the run of one kind with which a text begins.
fn run(text: &str, kind: Kind) -> usize {
    text.find(|character| Kind::of(character) != kind).unwrap_or(text.len())
}

/// Bytes of the white space with which a text begins, without its last character where a word follows and takes that.
fn space(text: &str) -> usize {
    let all = run(text, Kind::Space);
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
