//! Text format of drawn target patterns, for configs, links and checkpoints.
//!
//! `<width>x<height>x<channels>:` followed by the bits in hexadecimal digits, four bits a digit, most significant bit
//! first, in the order channel, row, column. Unused bits of the last digit are 0.

use crate::target::{TargetError, TargetPattern};

/// Maximum number of columns, and of rows, of a drawn target pattern.
const MAX_SIDE: usize = 64;

/// Maximum number of channels of a drawn pattern: red, green and blue.
pub const MAX_CHANNELS: usize = 3;

/// Maximum length, in characters, of the text format of a drawn pattern.
pub const MAX_TEXT_LEN: usize = MAX_SIDE * MAX_SIDE * MAX_CHANNELS / 4 + "64x64x3:".len();

impl TargetPattern {
    /// Returns the pattern in the text format of this [module](self).
    #[must_use]
    pub fn to_text(&self) -> String {
        let digit = |bits: &[bool]| {
            let value =
                bits.iter().enumerate().fold(0, |value, (place, &bit)| value | u32::from(bit) << (3 - place));
            char::from_digit(value, 16).unwrap_or('0')
        };
        let digits: String = self.bits.chunks(4).map(digit).collect();
        format!("{}x{}x{}:{digits}", self.width, self.height, self.channels)
    }

    /// Parses the output of [`to_text`](Self::to_text).
    ///
    /// # Errors
    /// [`TargetError`] for invalid text.
    pub fn from_text(text: &str) -> Result<Self, TargetError> {
        let wrong = |problem: String| TargetError(problem);
        let shape = || {
            wrong(
                "is no pattern: write columns x rows x channels, a colon and the bits, such as 4x2x1:a5"
                    .into(),
            )
        };
        let (sizes, digits) = text.split_once(':').ok_or_else(shape)?;
        let sizes: Vec<usize> =
            sizes.split('x').map(str::parse).collect::<Result<_, _>>().map_err(|_| shape())?;
        let &[width, height, channels] = &sizes[..] else { return Err(shape()) };
        check_size(width, height, channels)?;
        let count = width * height * channels;
        let needed = count.div_ceil(4);
        if digits.chars().count() != needed {
            let got = digits.chars().count();
            return Err(wrong(format!(
                "has {got} hexadecimal digits; {width}×{height} cells with {channels} channels need {needed}"
            )));
        }
        let mut bits = Vec::with_capacity(4 * needed);
        for digit in digits.chars() {
            let value = digit.to_digit(16).ok_or_else(|| {
                wrong(format!(
                    "contains '{digit}'; bits are written in hexadecimal digits, 0 to 9 and a to f"
                ))
            })?;
            bits.extend((0..4).map(|place| value >> (3 - place) & 1 == 1));
        }
        bits.truncate(count);
        Ok(Self { width, height, channels, bits })
    }

    /// Creates a pattern from one number (0 or 1) per bit, `[channel][row][column]`.
    ///
    /// # Errors
    /// [`TargetError`] if a size is out of range, the length is wrong, or a number is not 0 or 1.
    pub fn from_numbers(
        width: usize,
        height: usize,
        channels: usize,
        numbers: &[u8],
    ) -> Result<Self, TargetError> {
        check_size(width, height, channels)?;
        let (got, needed) = (numbers.len(), width * height * channels);
        if got != needed {
            return Err(TargetError(format!("has {got} bits; {width}×{height}×{channels} need {needed}")));
        }
        if let Some(number) = numbers.iter().find(|&&number| number > 1) {
            return Err(TargetError(format!("holds {number}; every bit is 0 or 1")));
        }
        Ok(Self { width, height, channels, bits: numbers.iter().map(|&number| number == 1).collect() })
    }
}

/// Checks that the numbers of columns, rows and channels of a drawn pattern are within the limits.
fn check_size(width: usize, height: usize, channels: usize) -> Result<(), TargetError> {
    let sides = 1..=MAX_SIDE;
    if !sides.contains(&width) || !sides.contains(&height) {
        return Err(TargetError(format!(
            "is {width}×{height} cells; 1×1 to {MAX_SIDE}×{MAX_SIDE} are allowed"
        )));
    }
    if !(1..=MAX_CHANNELS).contains(&channels) {
        return Err(TargetError(format!("has {channels} channels; 1 to {MAX_CHANNELS} are allowed")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_survive_a_round_trip_through_text() {
        for target in [TargetPattern::lizard(), TargetPattern::letter(), TargetPattern::checkerboard(7, 3)] {
            let text = target.to_text();
            assert!(text.len() <= MAX_TEXT_LEN);
            assert_eq!(TargetPattern::from_text(&text), Ok(target));
        }
        let dot = TargetPattern { width: 2, height: 1, channels: 1, bits: vec![true, false] };
        assert_eq!(dot.to_text(), "2x1x1:8");
        assert_eq!(TargetPattern::from_numbers(2, 1, 1, &[1, 0]), Ok(dot));
        let largest = TargetPattern::checkerboard(MAX_SIDE, MAX_SIDE);
        let largest = TargetPattern { channels: 3, bits: largest.bits.repeat(3), ..largest };
        assert_eq!(largest.to_text().len(), MAX_TEXT_LEN);
    }

    #[test]
    fn invalid_texts_are_rejected_with_a_reason() {
        let cases = [
            ("", "no pattern"),
            ("lizard", "no pattern"),
            ("16x16:00", "no pattern"),
            ("-1x2x3:0", "no pattern"),
            ("65x1x1:0", "65×1 cells; 1×1 to 64×64"),
            ("0x4x1:", "0×4 cells"),
            ("99999999999999999999x1x1:", "no pattern"),
            ("4x4x4:0", "4 channels; 1 to 3"),
            ("4x4x1:012", "3 hexadecimal digits; 4×4 cells with 1 channels need 4"),
            ("4x1x1:ü", "'ü'"),
        ];
        for (text, why) in cases {
            let error = TargetPattern::from_text(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
        let error = |numbers: &[u8]| TargetPattern::from_numbers(2, 2, 1, numbers).unwrap_err().to_string();
        assert!(error(&[0, 1, 1]).contains("has 3 bits; 2×2×1 need 4"));
        assert!(error(&[0, 1, 1, 7]).contains("holds 7"));
    }
}
