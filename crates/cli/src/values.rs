//! Parsers of option values. Their errors name the allowed values.

/// Returns a parser of whole numbers in `least..=most`.
pub fn whole<T>(least: T, most: T) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display + Copy + Send + Sync + 'static,
{
    move |text| match text.parse::<T>() {
        Ok(number) if number >= least && number <= most => Ok(number),
        _ => Err(format!("a whole number from {least} to {most} is allowed")),
    }
}

/// Parses a duration in seconds in `(0, 3600]`.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3600.0 => Ok(seconds),
        _ => Err("a number of seconds above 0 and up to 3600 is allowed".to_owned()),
    }
}

/// Parses a sampling temperature in `0..=100`.
pub fn temperature(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(temperature) if (0.0..=100.0).contains(&temperature) => Ok(temperature),
        _ => Err("a temperature from 0 to 100 is allowed".to_owned()),
    }
}

/// Parses an even number of games: games are played in pairs with swapped seats.
pub fn games(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(games @ 2..=1_000_000) if games % 2 == 0 => Ok(games),
        _ => Err("an even number of games from 2 to 1000000 is allowed".to_owned()),
    }
}

/// Parses a duration in minutes in `(0, 10⁶]`.
pub fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes <= 1e6 => Ok(minutes),
        _ => Err("a number of minutes above 0 and up to 1000000 is allowed".to_owned()),
    }
}

/// Parses a number of steps, in decimal or scientific notation (`2e6`).
pub fn steps(text: &str) -> Result<u64, String> {
    let short_form =
        || text.parse::<f64>().ok().filter(|steps| steps.fract() == 0.0 && (1.0..=1e15).contains(steps));
    match text.parse::<u64>().ok().or_else(|| short_form().map(|steps| steps as u64)) {
        Some(steps @ 1..=1_000_000_000_000_000) => Ok(steps),
        _ => Err("a whole number of steps from 1 to 1e15 is allowed".to_owned()),
    }
}

/// Maximum beam width, which bounds the memory of a search.
pub const WIDEST_BEAM: u32 = 1 << 18;

/// Parses a beam width.
///
/// # Errors
/// The allowed range.
pub fn beam(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(width) if (1..=WIDEST_BEAM).contains(&width) => Ok(width),
        _ => Err(format!("a beam width from 1 to {WIDEST_BEAM} is allowed")),
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
