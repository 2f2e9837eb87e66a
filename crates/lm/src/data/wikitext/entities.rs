//! Conversion of HTML entities in wikitext, such as `&amp;`, to characters.

/// Supported named HTML entities: name and character.
const NAMES: [(&str, &str); 24] = [
    ("nbsp", " "),
    ("ensp", " "),
    ("emsp", " "),
    ("thinsp", " "),
    ("ndash", "–"),
    ("mdash", "—"),
    ("minus", "−"),
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("quot", "\""),
    ("apos", "'"),
    ("lsquo", "‘"),
    ("rsquo", "’"),
    ("ldquo", "“"),
    ("rdquo", "”"),
    ("hellip", "…"),
    ("times", "×"),
    ("deg", "°"),
    ("middot", "·"),
    ("bull", "•"),
    ("prime", "′"),
    ("frac12", "½"),
    ("shy", ""),
];

/// Maximum length of an HTML entity in bytes, from `&` to `;`.
const MAX_BYTES: usize = 12;

/// Converts the HTML entity at the start of `text` to its character, and appends the character to `out`. Appends `&` if
/// `text` does not start with a known entity. Returns the number of consumed bytes.
pub fn write(text: &str, out: &mut String) -> usize {
    let found = text.bytes().take(MAX_BYTES).position(|byte| byte == b';').and_then(|end| {
        let name = &text[1..end];
        match name.strip_prefix('#') {
            Some(code) => out.push(numbered(code)?),
            None => out.push_str(NAMES.iter().find(|&&(known, _)| known == name)?.1),
        }
        Some(end + 1)
    });
    found.unwrap_or_else(|| {
        out.push('&');
        1
    })
}

fn numbered(code: &str) -> Option<char> {
    let code = match code.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
        None => code.parse(),
    };
    // Non-breaking spaces become spaces.
    char::from_u32(code.ok()?).map(|character| if character == '\u{a0}' { ' ' } else { character })
}
