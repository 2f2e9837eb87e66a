//! Value of `vivarium train --seeds`.

use vivarium_lab::registry::LARGEST_SEED;

/// Maximum number of seeds.
const MAX_SEEDS: usize = 1000;

/// Seeds of `--seeds`.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedList(pub Vec<u64>);

/// Parses a list of seeds and ranges, such as "1-5" or "1,3,10-12".
///
/// # Errors
/// A message with the allowed form.
pub fn parse(list: &str) -> Result<SeedList, String> {
    let refuse =
        || format!("a list of up to {MAX_SEEDS} different seeds and ranges is allowed, such as 1-5 or 1,3,7");
    let mut seeds = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let [first, last] = [first, last].map(|text| text.trim().parse::<u64>().map_err(|_| refuse()));
        let (first, last) = (first?, last?);
        let is_allowed = first <= last && last - first < MAX_SEEDS as u64;
        if !is_allowed || last > LARGEST_SEED {
            return Err(refuse());
        }
        seeds.extend(first..=last);
    }
    let mut distinct = seeds.clone();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() == seeds.len() && seeds.len() <= MAX_SEEDS {
        Ok(SeedList(seeds))
    } else {
        Err(refuse())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_lists_and_ranges() {
        assert_eq!(parse("1-5"), Ok(SeedList(vec![1, 2, 3, 4, 5])));
        assert_eq!(parse("7, 1-2"), Ok(SeedList(vec![7, 1, 2])));
        for wrong in
            ["", "5-1", "1,1", "1-3,2", "a", "-1", "1-1001", "9007199254740992", "1-18446744073709551615"]
        {
            assert!(parse(wrong).unwrap_err().contains("such as 1-5"), "{wrong}");
        }
    }
}
