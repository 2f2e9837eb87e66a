//! Spelling suggestions for misspelled names in user input.

/// Returns the element of `names` that is most similar to `given`: the smallest edit distance. Returns `None` if every
/// distance exceeds a third of the longer word's length. If `given` has at least three characters and a name starts
/// with `given`, their distance counts as 1.
pub fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    names
        .into_iter()
        .map(|name| {
            let begun = given.len() >= 3 && name.starts_with(given.as_str());
            (if begun { 1 } else { edits(&given, &name.to_lowercase()) }, name)
        })
        .filter(|(distance, name)| *distance * 3 <= name.len().max(given.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Computes the Levenshtein distance: the minimum number of inserted, deleted and substituted characters that turns
/// `from` into `to`.
pub fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in to.iter().enumerate() {
            let substituted = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_typing_error_finds_its_name_and_nonsense_finds_none() {
        let names = ["cartpole", "mountain-car", "pendulum"];
        assert_eq!(nearest("cartpol", names), Some("cartpole"));
        assert_eq!(nearest("Mountaincar", names), Some("mountain-car"));
        assert_eq!(nearest("pend", names), Some("pendulum"));
        assert_eq!(nearest("zebra", names), None);
    }
}
