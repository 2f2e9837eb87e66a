//! Tests that the loops of all WGSL files of the workspace end, because the engine compiles them without loop bounds.

use std::path::{Path, PathBuf};

/// Appends the paths of the WGSL files below a folder to `files`.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "wgsl") {
            files.push(path);
        }
    }
}

/// Returns the body of a loop: the text between its braces, of which the first one is next.
fn body(text: &str) -> &str {
    let start = text.find('{').unwrap();
    let mut depth = 0;
    let end = text[start..].find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    });
    &text[start..start + end.unwrap()]
}

/// Returns whether WGSL code assigns a value to a variable.
fn assigns(text: &str, variable: &str) -> bool {
    text.match_indices(variable).any(|(at, _)| {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let after = text[at + variable.len()..].trim_start();
        let is_assigned = after.starts_with("++")
            || after.starts_with("--")
            || (after.starts_with('=') && !after.starts_with("=="))
            || after.split_once('=').is_some_and(|(sign, _)| ["+", "-", "*", "/"].contains(&sign.trim()));
        is_assigned && !text[..at].ends_with(is_word)
    })
}

/// Returns the problem of a loop `for (start; condition; step) body`, if it may be endless.
fn problem(text: &str) -> Option<String> {
    let head = text[..text.find('{').unwrap()].trim();
    let parts: Vec<&str> = head.trim_start_matches('(').splitn(3, ';').map(str::trim).collect();
    let [_, condition, step] = parts[..] else { return Some(format!("{head}: three parts")) };
    let counter = step.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
    let sign = step[counter.len()..].trim();
    let counts = ["++", "--", "+=", "-=", "/="].iter().any(|form| sign.starts_with(form));
    let compares = ["<", ">"].iter().any(|sign| condition.contains(sign)) && condition.starts_with(counter);
    let is_kept = !assigns(body(text), counter);
    (!(counts && compares && is_kept)).then(|| format!("for {head}"))
}

#[test]
fn loops_of_kernels_count_to_a_bound() {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut files);
    assert!(files.len() > 50, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        let text = lines.collect::<Vec<_>>().join("\n");
        for word in ["loop {", "while ", "while("] {
            assert!(!text.contains(word), "{}: `{word}` has no counter", file.display());
        }
        for (at, _) in text.match_indices("for (") {
            if text[..at].ends_with('$') {
                continue;
            }
            let problem = problem(&text[at + "for (".len()..]);
            assert!(problem.is_none(), "{}: {}", file.display(), problem.unwrap());
        }
    }
}
