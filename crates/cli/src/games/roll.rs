//! Rolls that a user types.

use vivarium_envs::backgammon::Roll;

/// Parses two dice, such as `64`, `6-4`, `6,4` or `6 4`.
///
/// # Errors
/// A message with the allowed input.
pub fn parse_roll(text: &str) -> Result<Roll, String> {
    match *text.trim().as_bytes() {
        [first @ b'1'..=b'6', second @ b'1'..=b'6']
        | [first @ b'1'..=b'6', b'-' | b',' | b' ', second @ b'1'..=b'6']
        | [first @ b'1'..=b'6', b',', b' ', second @ b'1'..=b'6'] => {
            Roll::new(first - b'0', second - b'0').map_err(|error| error.to_string())
        }
        _ => Err("two dice from 1 to 6 are allowed, such as 64".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_parsed() {
        assert_eq!(parse_roll("64"), Ok(Roll::new(6, 4).unwrap()));
        for text in ["4-6", "6,4", "6 4", " 4, 6 "] {
            assert_eq!(parse_roll(text), Ok(Roll::new(6, 4).unwrap()), "{text}");
        }
        for text in ["", "6", "70", "641", "é4", "-64", "6--4", "6.4"] {
            assert!(parse_roll(text).unwrap_err().contains("such as 64"), "{text}");
        }
    }
}
