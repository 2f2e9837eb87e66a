//! The template language of WGSL text.
//!
//! `$NAME` stands for a value; the longest matching name wins. `$for(i, 4) … $end` repeats the text between for `$i`
//! from 0 to 3. The bounds are numbers or names of values, as in `$for(i, 1..COUNT)`. `$if(NAME) … $else … $end`
//! selects a text by a value that is `true` or `false`; `$else` may be absent. Directives may be nested.

/// Expands the template `template`: replaces each name `$NAME` by its value. Returns the text, and for each value
/// whether the template uses the value. `values` are pairs (name without the dollar sign, text).
///
/// # Errors
/// A description of the name that has no value, or of the repetition that does not end.
pub(crate) fn fill(template: &str, values: &[(&str, String)]) -> Result<(String, Vec<bool>), String> {
    let mut filler = Filler { values, indices: Vec::new(), used: vec![false; values.len()] };
    let text = filler.fill(template)?;
    Ok((text, filler.used))
}

/// Expands the template `template`: replaces each name `$NAME` by its value, and returns the text. `values` are pairs
/// (name without the dollar sign, value). A shader may contain several such texts, generated from one template with
/// different values.
///
/// # Panics
/// Panics if a name has no value or is not used.
pub(crate) fn part(template: &str, values: &[(&str, &dyn std::fmt::Display)]) -> String {
    let values: Vec<_> = values.iter().map(|(name, value)| (*name, value.to_string())).collect();
    let (text, used) = fill(template, &values).unwrap_or_else(|problem| panic!("{problem}"));
    assert!(!used.contains(&false), "values are not used: {values:?}, {used:?}");
    text
}

/// Expands the WGSL expression `template`: replaces each name `$NAME` by its value, and returns the expression.
/// `values` are pairs (name without the dollar sign, WGSL text). The template need not use all values.
///
/// # Panics
/// Panics if a name has no value.
pub(crate) fn expression(template: &str, values: &[(&str, &str)]) -> String {
    let values: Vec<_> = values.iter().map(|&(name, value)| (name, value.to_owned())).collect();
    fill(template, &values).unwrap_or_else(|problem| panic!("{problem}: {template}")).0
}

struct Filler<'a> {
    values: &'a [(&'a str, String)],
    /// Index variables of the `$for` directives that enclose the current text, with their current values.
    indices: Vec<(&'a str, usize)>,
    used: Vec<bool>,
}

impl<'a> Filler<'a> {
    fn fill(&mut self, template: &'a str) -> Result<String, String> {
        let mut text = String::with_capacity(template.len());
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('$') {
            text += before;
            rest = if let Some(repetition) = after.strip_prefix("for(") {
                self.repeat(repetition, &mut text)?
            } else if let Some(choice) = after.strip_prefix("if(") {
                self.choose(choice, &mut text)?
            } else {
                self.value(after, &mut text)?
            };
        }
        Ok(text + rest)
    }

    /// Appends to `to` the value whose name `text` begins with. Returns the text after the name.
    fn value<'t>(&mut self, text: &'t str, to: &mut String) -> Result<&'t str, String> {
        let names =
            self.values.iter().map(|(name, _)| *name).chain(self.indices.iter().map(|(name, _)| *name));
        let matching = names.enumerate().filter(|(_, name)| text.starts_with(name));
        let Some((place, name)) = matching.max_by_key(|(_, name)| name.len()) else {
            let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            return Err(format!("the constant `{name}` is not given"));
        };
        match place.checked_sub(self.values.len()) {
            Some(index) => *to += &self.indices[index].1.to_string(),
            None => {
                *to += &self.values[place].1;
                self.used[place] = true;
            }
        }
        Ok(&text[name.len()..])
    }

    /// Appends the expansion of a `$for` directive to `to`. `text` begins after the opening parenthesis of the
    /// directive. Returns the text after the directive's `$end`.
    fn repeat(&mut self, text: &'a str, to: &mut String) -> Result<&'a str, String> {
        let broken = || format!("the repetition `$for({:.20}` is not complete", text);
        let (head, body) = text.split_once(')').ok_or_else(broken)?;
        let (name, bounds) = head.split_once(", ").ok_or_else(broken)?;
        let (start, end) = bounds.split_once("..").unwrap_or(("0", bounds));
        let (start, end) = (self.bound(start)?, self.bound(end)?);
        let ([body, ""], rest) = split(body).ok_or_else(broken)? else { return Err(broken()) };
        for index in start..end {
            self.indices.push((name, index));
            *to += &self.fill(body)?;
            self.indices.pop();
        }
        if start >= end {
            // An empty repetition expands to nothing, but its names are checked.
            self.indices.push((name, start));
            self.fill(body)?;
            self.indices.pop();
        }
        Ok(rest)
    }

    /// Appends the selected branch of an `$if` directive to `to`. `text` begins after the opening parenthesis of the
    /// directive. Returns the text after the directive's `$end`.
    fn choose(&mut self, text: &'a str, to: &mut String) -> Result<&'a str, String> {
        let broken = || format!("the choice `$if({text:.20}` is not complete");
        let (name, branches) = text.split_once(')').ok_or_else(broken)?;
        let ([yes, no], rest) = split(branches).ok_or_else(broken)?;
        let mut condition = String::new();
        self.value(name, &mut condition)?;
        // Names are also checked in the branch that is not selected.
        let [yes, no] = [self.fill(yes)?, self.fill(no)?];
        *to += match condition.as_str() {
            "true" => &yes,
            "false" => &no,
            other => return Err(format!("the condition `{name}` is `{other}`, neither `true` nor `false`")),
        };
        Ok(rest)
    }

    fn bound(&mut self, bound: &str) -> Result<usize, String> {
        let mut number = String::new();
        if bound.starts_with(|c: char| c.is_ascii_digit()) {
            number += bound;
        } else {
            self.value(bound, &mut number)?;
        }
        number.parse().map_err(|_| format!("the bound `{bound}` of a repetition is no number"))
    }
}

/// Splits the text after a `$for` or `$if` directive at the directive's `$else` and `$end`. Returns the texts before
/// and after `$else`, and the text after `$end`.
fn split(text: &str) -> Option<([&str; 2], &str)> {
    let (mut depth, mut middle) = (0, None);
    for (at, _) in text.match_indices('$') {
        let directive = &text[at..];
        if directive.starts_with("$for(") || directive.starts_with("$if(") {
            depth += 1;
        } else if directive.starts_with("$else") && depth == 0 {
            middle = Some(at);
        } else if let Some(rest) = directive.strip_prefix("$end") {
            if depth == 0 {
                let (end, none) = (at, &text[at..at]);
                let branches = match middle {
                    Some(at) => [&text[..at], &text[at + "$else".len()..end]],
                    None => [&text[..end], none],
                };
                return Some((branches, rest));
            }
            depth -= 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::fill;

    fn filled(template: &str, values: &[(&'static str, usize)]) -> Result<String, String> {
        let values: Vec<_> = values.iter().map(|&(name, value)| (name, value.to_string())).collect();
        Ok(fill(template, &values)?.0)
    }

    #[test]
    fn the_longest_name_counts() {
        assert_eq!(
            filled("$Au + $A_LENu * f($x)", &[("A", 1), ("A_LEN", 2), ("x", 3)]).unwrap(),
            "1u + 2u * f(3)"
        );
    }

    #[test]
    fn names_are_checked_both_ways() {
        assert_eq!(filled("$A + $B", &[("A", 1)]).unwrap_err(), "the constant `B` is not given");
        let values = [("A", "1".to_owned()), ("B", "2".to_owned())];
        assert_eq!(fill("$A", &values).unwrap(), ("1".to_owned(), vec![true, false]));
        assert_eq!(filled("$for(i, N)$i$A$end", &[("N", 0), ("A", 1)]).unwrap(), "");
    }

    #[test]
    fn repetitions_are_nested() {
        let template = "$for(i, 1..N)a$i$for(j, 2)[$i$j$A]$end;$end.";
        assert_eq!(filled(template, &[("N", 3), ("A", 7)]).unwrap(), "a1[107][117];a2[207][217];.");
        assert!(filled("$for(i, 2)$i", &[]).unwrap_err().contains("not complete"));
        assert!(filled("$for(i, M)$i$end", &[]).unwrap_err().contains("`M` is not given"));
    }

    #[test]
    fn a_choice_checks_the_names_of_both_texts() {
        let choose = |condition: &str, template: &str| {
            Ok::<_, String>(fill(template, &[("IS", condition.to_owned()), ("A", "1".to_owned())])?.0)
        };
        let template = "[$if(IS)$A$if(IS)+$end$else-$A$for(i, 2)$i$end$end]";
        assert_eq!(choose("true", template).unwrap(), "[1+]");
        assert_eq!(choose("false", template).unwrap(), "[-101]");
        assert!(choose("true", "$if(IS)$A$else$B$end").unwrap_err().contains("`B` is not given"));
        assert!(choose("1", "$if(IS)$A$end").unwrap_err().contains("neither `true` nor `false`"));
        assert!(choose("true", "$if(IS)$A").unwrap_err().contains("not complete"));
    }
}
