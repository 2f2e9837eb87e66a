//! Normalization of lines and paragraphs after markup removal.

/// Appends the lines of `text` (wikitext after the removal of links and templates) to `out`, without list markers and
/// without the headings of empty sections. Separates paragraphs by one blank line.
pub fn arrange(text: &str, out: &mut String) {
    let start = out.len();
    let mut headings: Vec<(usize, &str)> = Vec::new();
    let (mut blank, mut after_heading) = (false, false);
    let mut tidy = String::new();
    for line in text.lines() {
        let line = line.trim();
        if let Some((level, title)) = heading(line) {
            // Pending headings of the same or a deeper level belong to empty sections.
            headings.retain(|&(above, _)| above < level);
            headings.push((level, title));
            blank = true;
            continue;
        }
        let line = line.trim_start_matches(['*', '#', ':', ';']).trim_start();
        tidy.clear();
        tidy_line(line, &mut tidy);
        if tidy.is_empty() || tidy.starts_with("----") {
            blank = true;
            continue;
        }
        if !headings.is_empty() {
            for (_, title) in headings.drain(..) {
                separate(out, start, "\n\n");
                out.push_str(title);
            }
            after_heading = true;
        }
        separate(out, start, if blank || after_heading { "\n\n" } else { "\n" });
        out.push_str(&tidy);
        (blank, after_heading) = (false, false);
    }
}

fn separate(out: &mut String, start: usize, between: &str) {
    if out.len() > start {
        out.push_str(between);
    }
}

/// Returns the level (number of `=` characters) and the title of a heading line such as `== Title ==`; `None` for other
/// lines.
fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|&byte| byte == b'=').count().min(6);
    let title = line.get(level..)?.trim_end_matches('=').trim_matches(['=', ' ']);
    (level >= 2 && line.len() > 2 * level && line.ends_with("==") && !title.is_empty())
        .then_some((level, title))
}

/// Appends a line to `out` without the remains of dropped templates: empty parentheses, spaces before punctuation,
/// double spaces.
fn tidy_line(line: &str, out: &mut String) {
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\u{a0}' | ' ' | '\t' if out.is_empty() || out.ends_with([' ', '(']) => {}
            '\u{a0}' | '\t' => out.push(' '),
            ',' | ';' if out.ends_with('(') => {}
            ')' => {
                out.truncate(out.trim_end_matches([' ', ',', ';']).len());
                // Empty parentheses are removed.
                if out.ends_with('(') {
                    out.pop();
                } else {
                    out.push(')');
                }
            }
            ',' | ';' | '.' => {
                if !characters.peek().is_some_and(|next| next.is_alphanumeric()) {
                    out.truncate(out.trim_end_matches(' ').len());
                }
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out.truncate(out.trim_end().len());
}
