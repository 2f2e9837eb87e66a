//! Range of the possible values of a metric.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{RangeFrom, RangeInclusive, RangeToInclusive};

/// Range of the possible values of a metric. A bound may be infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "[Option<f64>; 2]", into = "[Option<f64>; 2]")]
pub struct MetricRange {
    /// Smallest possible value of the metric; −∞ if there is no lower bound.
    pub least: f64,
    /// Largest possible value of the metric; ∞ if there is no upper bound.
    pub most: f64,
}

impl MetricRange {
    /// Range of all real numbers.
    pub const ANY: Self = Self { least: f64::NEG_INFINITY, most: f64::INFINITY };
    /// Range of fractions, from 0 to 1.
    pub const SHARE: Self = Self { least: 0.0, most: 1.0 };
    /// Range of nonnegative numbers: losses, lengths and counts.
    pub const NONNEGATIVE: Self = Self::at_least(0.0);

    /// Creates the range of numbers that are at least `least`.
    #[must_use]
    pub const fn at_least(least: f64) -> Self {
        Self { least, ..Self::ANY }
    }

    /// Creates the range of numbers that are at most `most`.
    #[must_use]
    pub const fn at_most(most: f64) -> Self {
        Self { most, ..Self::ANY }
    }
}

impl Default for MetricRange {
    fn default() -> Self {
        Self::ANY
    }
}

/// JSON has no infinite numbers.
impl From<MetricRange> for [Option<f64>; 2] {
    fn from(MetricRange { least, most }: MetricRange) -> Self {
        [least, most].map(|bound| bound.is_finite().then_some(bound))
    }
}

impl From<[Option<f64>; 2]> for MetricRange {
    fn from([least, most]: [Option<f64>; 2]) -> Self {
        Self { least: least.unwrap_or(f64::NEG_INFINITY), most: most.unwrap_or(f64::INFINITY) }
    }
}

impl From<RangeInclusive<f64>> for MetricRange {
    fn from(range: RangeInclusive<f64>) -> Self {
        Self { least: *range.start(), most: *range.end() }
    }
}

impl From<RangeFrom<f64>> for MetricRange {
    fn from(range: RangeFrom<f64>) -> Self {
        Self::at_least(range.start)
    }
}

impl From<RangeToInclusive<f64>> for MetricRange {
    fn from(range: RangeToInclusive<f64>) -> Self {
        Self::at_most(range.end)
    }
}

/// Formats the range, such as `from 0 to 1` or `at least 0`.
impl fmt::Display for MetricRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { least, most } = self;
        match (least.is_finite(), most.is_finite()) {
            (true, true) => write!(f, "from {least} to {most}"),
            (true, false) => write!(f, "at least {least}"),
            (false, true) => write!(f, "at most {most}"),
            (false, false) => write!(f, "any number"),
        }
    }
}
