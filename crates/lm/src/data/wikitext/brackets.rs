//! Bracket matching in wikitext: `{{ }}`, `[[ ]]`, and `{| |}` at the start of a line.

use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq)]
enum BracketKind {
    Template,
    Link,
    Table,
}

/// Finds all pairs of matching brackets in wikitext in one pass. Returns a map from the byte offset of each opening
/// bracket to the byte offset of its closing bracket. Unclosed brackets are omitted.
pub fn pairs(text: &str) -> HashMap<usize, usize> {
    let bytes = text.as_bytes();
    let (mut open, mut pairs) = (Vec::<(BracketKind, usize)>::new(), HashMap::new());
    let mut of_kind = [0usize; 3];
    let mut at = 0;
    while at < bytes.len() {
        let top = open.last().map(|&(kind, _)| kind);
        let (kind, opens) = match &bytes[at..] {
            [b'<', b'!', b'-', b'-', ..] => {
                at = text[at..].find("-->").map_or(bytes.len(), |length| at + length + 3);
                continue;
            }
            [b'{', b'{', ..] => (BracketKind::Template, true),
            [b'}', b'}', ..] => (BracketKind::Template, false),
            [b'[', b'[', ..] => (BracketKind::Link, true),
            [b']', b']', ..] => (BracketKind::Link, false),
            [b'{', b'|', ..] if begins_line(&text[..at]) => (BracketKind::Table, true),
            // `|}}` closes a template whose last argument is empty.
            [b'|', b'}', b'}', ..] if top == Some(BracketKind::Template) => {
                at += 1;
                continue;
            }
            [b'|', b'}', ..] => (BracketKind::Table, false),
            _ => {
                at += 1;
                continue;
            }
        };
        if opens {
            open.push((kind, at));
            of_kind[kind as usize] += 1;
        } else if of_kind[kind as usize] > 0 {
            while let Some((closed, start)) = open.pop() {
                of_kind[closed as usize] -= 1;
                if closed == kind {
                    pairs.insert(start, at);
                    break;
                }
            }
        }
        at += 2;
    }
    pairs
}

/// Returns whether the position after the text `before` is at the start of a line. Spaces, tabs and colons at the end
/// of `before` are ignored.
fn begins_line(before: &str) -> bool {
    let before = before.trim_end_matches([' ', ':', '\t']);
    before.is_empty() || before.ends_with('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, usize)> {
        let mut pairs: Vec<_> = pairs(text).into_iter().collect();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn brackets_are_paired_by_kind() {
        assert_eq!(found("a{{b|{{c}}}}[[d]]"), [(1, 10), (5, 8), (12, 15)]);
        assert_eq!(found("{|\n|a||b\n|}{{x|}}"), [(0, 9), (11, 15)]);
        assert_eq!(found("f(x) {| no table |}"), []);
        assert_eq!(found("{{a [[b }} c]] <!-- {{ --> }}"), [(0, 8)]);
        assert_eq!(found(&"{{".repeat(100_000)), []);
    }
}
