//! Parsers of the values of command-line options, and random seeds. Each error message states the allowed values.

use std::hash::{BuildHasher, RandomState};

/// Returns a parser of whole numbers from `least` to `most`, both included, in decimal or scientific notation (`2e6`).
pub fn whole<T>(least: T, most: T) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: TryFrom<u64> + Into<u64> + PartialOrd + Copy + Send + Sync + 'static,
{
    move |text| match parse_whole(text) {
        Some(number) if number >= least && number <= most => Ok(number),
        _ => Err(format!("a whole number from {} to {} is allowed", short(least.into()), short(most.into()))),
    }
}

/// Parses a whole number in decimal or scientific notation. Scientific notation is exact up to 2⁵³.
fn parse_whole<T: TryFrom<u64>>(text: &str) -> Option<T> {
    const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    let scientific =
        || text.parse::<f64>().ok().filter(|number| number.fract() == 0.0 && (0.0..=EXACT).contains(number));
    let number = text.parse::<u64>().ok().or_else(|| scientific().map(|number| number as u64));
    number.and_then(|number| T::try_from(number).ok())
}

/// Formats a number; powers of ten from 10⁹ on in scientific notation.
fn short(number: u64) -> String {
    let exponent = number.max(1).ilog10();
    if exponent >= 9 && number == 10_u64.pow(exponent) { format!("1e{exponent}") } else { number.to_string() }
}

/// Returns a random seed, for commands without the option `--seed`.
pub fn random_seed() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

/// Parses a duration in seconds, above 0 and at most 3600.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3600.0 => Ok(seconds),
        _ => Err("a number of seconds above 0 and up to 3600 is allowed".to_owned()),
    }
}

/// Parses a sampling temperature from 0 to 100.
pub fn temperature(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(temperature) if (0.0..=100.0).contains(&temperature) => Ok(temperature),
        _ => Err("a temperature from 0 to 100 is allowed".to_owned()),
    }
}

/// Parses a number of games, which must be even: games are played in pairs with equal dice and swapped seats. Range:
/// 2 to 1,000,000.
pub fn games(text: &str) -> Result<u32, String> {
    match parse_whole(text) {
        Some(games @ 2..=1_000_000) if games % 2 == 0 => Ok(games),
        _ => Err("an even number of games from 2 to 1000000 is allowed".to_owned()),
    }
}

/// Parses a duration in minutes, above 0 and at most 10⁶.
pub fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes <= 1e6 => Ok(minutes),
        _ => Err("a number of minutes above 0 and up to 1000000 is allowed".to_owned()),
    }
}

/// Maximum beam width, which limits the memory of a beam search.
pub const MAX_BEAM_WIDTH: u32 = 1 << 18;

#[cfg(test)]
mod tests {
    use super::{games, whole};

    #[test]
    fn whole_numbers_may_be_written_in_scientific_notation() {
        let steps = whole(1, 1_000_000_000_000_000_u64);
        for (text, number) in
            [("2e6", 2_000_000), ("2000000", 2_000_000), ("1.5E3", 1500), ("1e15", 1_000_000_000_000_000)]
        {
            assert_eq!(steps(text), Ok(number), "{text}");
        }
        for text in ["0", "-1", "1.5", "1e16", "1e-3", "many", "inf", "NaN", ""] {
            assert_eq!(steps(text), Err("a whole number from 1 to 1e15 is allowed".into()), "{text}");
        }
        // The type of the number limits scientific notation too.
        assert_eq!(whole(0, u16::MAX)("1e5"), Err("a whole number from 0 to 65535 is allowed".into()));
        assert_eq!(whole(0, u64::MAX)("18446744073709551615"), Ok(u64::MAX));
        assert!(whole(0, u64::MAX)("1e17").is_err());
        assert_eq!((games("1e3"), games("1e0").is_err()), (Ok(1000), true));
    }
}
