//! Result of one comparison of the self-check, device against CPU, and the description of failed comparisons.

/// Result of comparing one computation on the device with the same computation on the CPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckResult {
    /// Name of the computation that device and CPU were compared on.
    pub name: &'static str,
    /// Maximum difference between the numbers of device and CPU, relative to the larger of 1 and their magnitude;
    /// infinite if a number is NaN.
    pub worst_error: f32,
    /// Maximum value of `worst_error` at which device and CPU count as equal.
    pub tolerance: f32,
    /// Whether `worst_error` is within `tolerance`.
    pub agrees: bool,
}

impl CheckResult {
    pub(super) fn new(name: &'static str, worst_error: f32, tolerance: f32) -> Self {
        Self { name, worst_error, tolerance, agrees: worst_error <= tolerance }
    }

    pub(super) fn compare(name: &'static str, found: &[f32], expected: &[f32], tolerance: f32) -> Self {
        let apart = |(&a, &b): (&f32, &f32)| {
            let apart = (a - b).abs() / a.abs().max(b.abs()).max(1.0);
            if apart.is_nan() { f32::INFINITY } else { apart }
        };
        let missing = if found.len() == expected.len() { 0.0 } else { f32::INFINITY };
        Self::new(name, found.iter().zip(expected).map(apart).fold(missing, f32::max), tolerance)
    }
}

impl std::fmt::Display for CheckResult {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Self { name, worst_error, tolerance, .. } = self;
        let verdict = if self.agrees { "agrees with" } else { "differs from" };
        write!(f, "{name} {verdict} the CPU: error {worst_error:.1e}, tolerance {tolerance:.0e}")
    }
}

/// Returns a text that lists the comparisons in which device and CPU differ; `None` if all comparisons agree.
pub fn describe_failures(checked: &[CheckResult]) -> Option<String> {
    let wrong: Vec<String> = checked.iter().filter(|one| !one.agrees).map(CheckResult::to_string).collect();
    (!wrong.is_empty()).then(|| format!("the GPU failed its self-check: {}", wrong.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::{CheckResult, describe_failures};

    #[test]
    fn failed_checks_are_reported_with_their_errors() {
        let right = CheckResult::compare("a sum", &[1.0, 200.0], &[1.0, 200.0001], 1e-5);
        assert!(right.agrees, "{right}");
        assert_eq!(describe_failures(&[right]), None);
        let wrong = CheckResult::compare("a product", &[1.0], &[1.5], 1e-5);
        let message = describe_failures(&[right, wrong]).unwrap();
        assert!(message.contains("a product differs from the CPU: error 3.3e-1"), "{message}");
        assert!(!message.contains("a sum"), "{message}");
    }

    #[test]
    fn nan_and_missing_results_fail() {
        assert!(!CheckResult::compare("", &[f32::NAN], &[1.0], 1.0).agrees);
        assert!(!CheckResult::compare("", &[], &[1.0], 1.0).agrees);
    }
}
