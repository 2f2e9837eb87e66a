//! Conversion of wikitext to plain text, without templates, tables, references and pictures.

mod brackets;
mod entities;
mod layout;

use std::collections::HashMap;

/// Appends the plain text of wikitext to `out`. Links become their labels; headings and list items become lines.
pub fn plain_text(wikitext: &str, out: &mut String) {
    let words = String::with_capacity(wikitext.len());
    let mut writer =
        PlainTextWriter { text: wikitext, pairs: brackets::pairs(wikitext), depth: 0, out: words };
    writer.write(0, wikitext.len());
    layout::arrange(&writer.out, out);
}

/// Names of the wikitext elements, such as `<ref>`, whose content is omitted from the plain text.
const DROPPED: [&str; 15] = [
    "ref",
    "math",
    "chem",
    "gallery",
    "syntaxhighlight",
    "source",
    "timeline",
    "score",
    "table",
    "imagemap",
    "hiero",
    "graph",
    "mapframe",
    "templatedata",
    "style",
];

/// Templates whose plain text is one of their arguments: name of the template, and index of this argument, from 1.
const SHOWN: [(&str, usize); 12] = [
    ("nowrap", 1),
    ("nobr", 1),
    ("lang", 2),
    ("transl", 2),
    ("transliteration", 2),
    ("small", 1),
    ("em", 1),
    ("strong", 1),
    ("abbr", 1),
    ("val", 1),
    ("circa", 1),
    ("visible anchor", 1),
];

/// Names of namespaces in several languages. Links into these namespaces, such as `[[Kategorie:…]]`, are omitted from
/// the plain text.
const NAMESPACES: [&str; 12] = [
    "file",
    "image",
    "category",
    "media",
    "datei",
    "bild",
    "kategorie",
    "fichier",
    "catégorie",
    "archivo",
    "categoría",
    "template",
];

struct PlainTextWriter<'a> {
    text: &'a str,
    pairs: HashMap<usize, usize>,
    /// Current nesting depth of brackets in the wikitext.
    depth: usize,
    out: String,
}

/// Maximum nesting depth of brackets; deeper content is dropped.
const MAX_DEPTH: usize = 64;
/// Maximum length of an external link in bytes.
const MAX_LINK_BYTES: usize = 4000;

impl PlainTextWriter<'_> {
    /// Converts the byte range `at..end` of the wikitext to plain text, and appends the plain text to the output.
    fn write(&mut self, mut at: usize, end: usize) {
        self.depth += 1;
        while at < end && self.depth < MAX_DEPTH {
            let plain = self.text[at..end].find(['<', '{', '[', '\'', '&', '_']).unwrap_or(end - at);
            self.out.push_str(&self.text[at..at + plain]);
            at += plain;
            if at < end {
                at = self.markup(at, end).min(end);
            }
        }
        self.depth -= 1;
    }

    /// Converts the markup at byte offset `at` of the wikitext, such as a link or a template, to plain text in the
    /// output. Returns the byte offset after the markup. `end` is the end of the text to convert.
    fn markup(&mut self, at: usize, end: usize) -> usize {
        let rest = &self.text[at..end];
        let close = self.pairs.get(&at).copied().filter(|&close| close + 2 <= end);
        match (rest.as_bytes(), close) {
            ([b'{', b'|', ..], Some(close)) => close + 2,
            ([b'{', ..], Some(close)) => self.template(at + 2, close),
            ([b'[', ..], Some(close)) => self.link(at + 2, close),
            ([b'[', ..], None) => self.external_link(at, rest),
            ([b'<', ..], _) => self.element(at, rest),
            ([b'\'', b'\'', ..], _) => {
                let quotes = rest.bytes().take_while(|&byte| byte == b'\'').count();
                // 2 apostrophes are italic, 3 bold, 5 both; 4 and 6 include a literal apostrophe.
                self.out.push_str(if matches!(quotes, 4 | 6) { "'" } else { "" });
                at + quotes
            }
            ([b'&', ..], _) => at + entities::write(rest, &mut self.out),
            _ => {
                let length = magic_word(rest);
                self.out.push_str(if length.is_none() { &rest[..1] } else { "" });
                at + length.unwrap_or(1)
            }
        }
    }

    fn template(&mut self, from: usize, close: usize) -> usize {
        let mut parts = self.arguments(from, close);
        let name = parts.next().map_or("", |(start, end)| self.text[start..end].trim()).to_lowercase();
        let arguments: Vec<_> = parts.filter(|&(start, end)| !self.text[start..end].contains('=')).collect();
        let shown = match &*name {
            "convert" | "cvt" => arguments.get(..2).unwrap_or_default(),
            "ndash" | "spnd" | "snd" | "spaced ndash" => {
                self.out.push_str(" – ");
                &[]
            }
            "mdash" => {
                self.out.push('—');
                &[]
            }
            _ => match SHOWN.iter().find(|&&(known, _)| known == name) {
                Some(&(_, place)) => arguments.get(place - 1..place).unwrap_or_default(),
                None => &[],
            },
        };
        for (place, &(start, end)) in shown.iter().enumerate() {
            self.out.push_str(if place > 0 { " " } else { "" });
            self.write(start, end);
        }
        close + 2
    }

    /// Splits a template's content at `|`, except within nested brackets, and returns the byte ranges of the template's
    /// name and arguments. `from..close` is the byte range between the braces of the template.
    fn arguments(&self, from: usize, close: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (mut start, mut at) = (from, from);
        let mut parts = Vec::new();
        while let Some(length) = self.text[at..close].find(['|', '{', '[']) {
            at += length;
            if self.text.as_bytes()[at] == b'|' {
                parts.push((start, at));
                start = at + 1;
            }
            at = self.pairs.get(&at).map_or(at + 1, |&inner| (inner + 2).min(close));
        }
        parts.push((start, close));
        parts.into_iter()
    }

    fn link(&mut self, from: usize, close: usize) -> usize {
        let text = self.text;
        let target_end = text[from..close].find('|').map_or(close, |length| from + length);
        let target = text[from..target_end].trim();
        let (prefix, name) = target.split_once(':').unwrap_or(("", target));
        let prefix = prefix.trim().to_lowercase();
        let language =
            (2..=3).contains(&prefix.len()) && prefix.bytes().all(|byte| byte.is_ascii_lowercase());
        if NAMESPACES.contains(&&*prefix) || language && target_end == close && !name.starts_with(' ') {
            return close + 2;
        }
        if target_end == close {
            self.write(from + usize::from(text[from..].starts_with(':')), close);
        } else if text[target_end + 1..close].trim().is_empty() {
            // `[[Mercury (planet)|]]` displays "Mercury".
            self.out.push_str(target.split(" (").next().unwrap_or(target));
        } else {
            self.write(target_end + 1, close);
        }
        close + 2
    }

    /// Appends the label of the external link `[https://… label]` at byte offset `at`, or `[` if no external link
    /// starts there. `rest` is the wikitext from `at` on. Returns the offset after the converted text.
    fn external_link(&mut self, at: usize, rest: &str) -> usize {
        let is_link = ["[http://", "[https://", "[//"].iter().any(|start| rest.starts_with(start));
        let close = rest.bytes().take(MAX_LINK_BYTES).position(|byte| matches!(byte, b']' | b'\n'));
        match close.filter(|_| is_link) {
            Some(close) => {
                if let Some(space) = rest[..close].find(' ') {
                    self.write(at + space + 1, at + close);
                }
                at + close + usize::from(rest.as_bytes()[close] == b']')
            }
            None => {
                self.out.push('[');
                at + 1
            }
        }
    }

    fn element(&mut self, at: usize, rest: &str) -> usize {
        if rest.starts_with("<!--") {
            return at + rest.find("-->").map_or(rest.len(), |length| length + 3);
        }
        let Some((name, length)) = tag(rest) else {
            self.out.push('<');
            return at + 1;
        };
        let (name, after) = (name.to_ascii_lowercase(), &rest[length..]);
        if name == "nowiki" {
            let content = find_end(after, "nowiki").map_or(after.len(), |(content, _)| content);
            self.out.push_str(&after[..content]);
            return at + length + content;
        }
        if name == "br" {
            self.out.push('\n');
        }
        if DROPPED.contains(&&*name)
            && !rest[..length].ends_with("/>")
            && let Some((_, all)) = find_end(after, &name)
        {
            return at + length + all;
        }
        at + length
    }
}

/// Parses the HTML tag at the start of `text`. Returns the name of the tag (empty for a closing tag) and its length in
/// bytes; `None` if `text` does not start with a tag.
fn tag(text: &str) -> Option<(&str, usize)> {
    let length = text.bytes().take(2000).position(|byte| byte == b'>')? + 1;
    let name = &text[1..length - 1];
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    let is_tag = name.starts_with(|c: char| c == '/' || c.is_ascii_alphabetic()) && !name.contains('<');
    is_tag.then_some((&name[..end], length))
}

/// Returns two lengths in bytes for an element `name` whose content starts at the start of `text`: length of the
/// content, and length including the closing tag. `None` without a closing tag.
fn find_end(text: &str, name: &str) -> Option<(usize, usize)> {
    text.match_indices("</").find_map(|(start, _)| {
        let (found, length) =
            tag(&text[start..]).map(|(_, length)| (&text[start + 2..start + length - 1], length))?;
        found.trim_end().eq_ignore_ascii_case(name).then_some((start, start + length))
    })
}

/// Returns the length in bytes of the magic word at the start of a text, such as `__NOTOC__`; `None` if there is no
/// magic word.
fn magic_word(text: &str) -> Option<usize> {
    let word = text.strip_prefix("__")?.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let length = text.len() - word.len();
    (length > 2 && word.starts_with("__")).then_some(length + 2)
}
