//! What somebody meant who mistyped a name.

/// The one of `names` that `given` was most likely meant to be, if any is near: the smallest edit distance, up to a
/// third of the longer word.
pub fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    names
        .into_iter()
        .map(|name| {
            // Half a word typed is a near miss as well.
            let begun = given.len() >= 3 && name.starts_with(given.as_str());
            (if begun { 1 } else { edits(&given, &name.to_lowercase()) }, name)
        })
        .filter(|(distance, name)| *distance * 3 <= name.len().max(given.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Levenshtein distance: insertions, deletions and substitutions that turn one word into the other.
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
