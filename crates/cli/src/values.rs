//! Parsers of the values of command-line options, and random seeds. Each error message states the allowed values.

use std::hash::{BuildHasher, RandomState};

/// Returns a parser of whole numbers from `least` to `most`, both included.
pub fn whole<T>(least: T, most: T) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display + Copy + Send + Sync + 'static,
{
    move |text| match text.parse::<T>() {
        Ok(number) if number >= least && number <= most => Ok(number),
        _ => Err(format!("a whole number from {least} to {most} is allowed")),
    }
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
    match text.parse::<u32>() {
        Ok(games @ 2..=1_000_000) if games % 2 == 0 => Ok(games),
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

/// Parses a number of training steps from 1 to 10¹⁵, in decimal or scientific notation (`2e6`).
pub fn steps(text: &str) -> Result<u64, String> {
    let short_form =
        || text.parse::<f64>().ok().filter(|steps| steps.fract() == 0.0 && (1.0..=1e15).contains(steps));
    match text.parse::<u64>().ok().or_else(|| short_form().map(|steps| steps as u64)) {
        Some(steps @ 1..=1_000_000_000_000_000) => Ok(steps),
        _ => Err("a whole number of steps from 1 to 1e15 is allowed".to_owned()),
    }
}

/// Maximum beam width, which limits the memory of a beam search.
pub const MAX_BEAM_WIDTH: u32 = 1 << 18;

/// Parses a beam width from 1 to [`MAX_BEAM_WIDTH`].
///
/// # Errors
/// A message with the allowed range.
pub fn beam(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(width) if (1..=MAX_BEAM_WIDTH).contains(&width) => Ok(width),
        _ => Err(format!("a beam width from 1 to {MAX_BEAM_WIDTH} is allowed")),
    }
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn steps_may_be_written_short() {
        assert_eq!(steps("2e6"), Ok(2_000_000));
        assert_eq!(steps("2000000"), Ok(2_000_000));
        for text in ["0", "-1", "1.5", "1e16", "many", "inf", ""] {
            assert!(steps(text).is_err(), "{text}");
        }
    }
}
