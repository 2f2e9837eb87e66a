//! Comparison of the metrics of two runs on different engines, up to rounding.

use vivarium_lab::protocol::MetricRow;

/// Checks that the metric rows of two runs have equal steps and metric names. The values must agree within 1e-3 of the
/// larger of 1 and their magnitude.
pub fn assert_close(name: &str, found: &[MetricRow], expected: &[MetricRow]) {
    assert_eq!(found.len(), expected.len(), "{name}");
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.steps, expected.steps, "{name}");
        assert_eq!(found.values.len(), expected.values.len(), "{name}");
        for ((what, found), (same, expected)) in found.values.iter().zip(&expected.values) {
            assert_eq!(what, same, "{name}");
            let difference = (found - expected).abs();
            assert!(difference < 1e-3 * expected.abs().max(1.0), "{name}: {what} is {found}, not {expected}");
        }
    }
}
