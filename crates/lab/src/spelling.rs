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

/// Computes the optimal string alignment distance: the minimum number of inserted, deleted and substituted characters and
/// of swaps of two adjacent characters that turns `from` into `to`.
pub fn edits(from: &str, to: &str) -> usize {
    strsim::osa_distance(from, to)
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
        // Two swapped characters are one error, also in a short word.
        assert_eq!(nearest("trian", ["train", "eval"]), Some("train"));
        assert_eq!(nearest("zebra", names), None);
    }
}
