//! Formats of the numbers of a comparison, and of their errors.

use crate::text;

/// Format of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFormat {
    /// Whole number, such as a number of steps.
    Whole,
    /// Duration in seconds.
    Duration,
    /// Real number with about three significant digits.
    Number,
}

impl NumberFormat {
    /// Formats a value.
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Whole => text::whole(value.round() as u64),
            Self::Duration => text::duration(value),
            Self::Number => text::number(value),
        }
    }

    /// Formats a value and its error, such as "0.950 ± 0.012": both have the same unit prefix or exponent and, except durations, the
    /// same number of decimals.
    pub fn with_error(self, value: f64, error: f64) -> String {
        if self == Self::Duration || !value.is_finite() || !error.is_finite() {
            return format!("{} ± {}", self.text(value), self.text(error));
        }
        let largest = value.abs().max(error.abs());
        // The bounds are those of `text::number`.
        let (unit, suffix) = match largest {
            size if size >= 999.5e6 => (1e9, "G".to_owned()),
            size if size >= 999.5e3 => (1e6, "M".to_owned()),
            size if size >= 9999.5 => (1e3, "K".to_owned()),
            size if size >= 0.000_999_5 || size == 0.0 => (1.0, String::new()),
            size => {
                let exponent = size.log10().floor() as i32;
                (10f64.powi(exponent), format!("e{exponent}"))
            }
        };
        let decimals = match self {
            Self::Whole if suffix.is_empty() => 0,
            _ if largest == 0.0 => 2,
            _ => {
                let sizes = [value, error].map(|number| number.abs() / unit);
                let decimals = sizes.into_iter().filter(|size| *size > 0.0).map(decimals).min().unwrap_or(2);
                // Numbers with an exponent have two significant digits.
                if suffix.starts_with('e') { decimals.min(1) } else { decimals }
            }
        };
        let [value, error] = [value, error].map(|number| text::fixed(number / unit, decimals) + &suffix);
        format!("{value} ± {error}")
    }
}

/// Returns the number of decimals of three significant digits; at most five.
fn decimals(size: f64) -> usize {
    const BOUNDS: [f64; 5] = [99.95, 9.995, 0.9995, 0.099_95, 0.009_995];
    BOUNDS.iter().position(|bound| size >= *bound).unwrap_or(BOUNDS.len())
}

#[cfg(test)]
mod tests {
    use super::NumberFormat;

    #[test]
    fn a_value_and_its_error_have_equal_decimals() {
        for (value, error, text) in [
            (106_496.0, 0.0, "106K ± 0K"),
            (500.0, 0.0, "500 ± 0"),
            (4.7e-4, 0.0, "4.7e-4 ± 0.0e-4"),
            (-0.001_99, 6.0e-4, "-0.00199 ± 0.00060"),
            (2.0, 2.484, "2.00 ± 2.48"),
            (5.0, 12.706, "5.0 ± 12.7"),
            (0.0, 0.0, "0.00 ± 0.00"),
            (1.5e6, 20_000.0, "1.50M ± 0.02M"),
        ] {
            assert_eq!(NumberFormat::Number.with_error(value, error), text);
        }
        assert_eq!(NumberFormat::Whole.with_error(512.0, 0.0), "512 ± 0");
        assert_eq!(NumberFormat::Whole.with_error(200.0, 1270.6), "200 ± 1271");
        assert_eq!(NumberFormat::Whole.with_error(106_496.0, 0.0), "106K ± 0K");
        assert_eq!(NumberFormat::Duration.with_error(2.5, 0.25), "2.5 s ± 0.2 s");
    }
}
