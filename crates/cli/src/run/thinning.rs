//! Subsampling of the metric rows of long runs.
//!
//! All rows are recorded up to 2¹⁶ gradient steps. Afterwards the sampling rate is halved whenever the number of
//! gradient steps has doubled, so that there are at most 2¹⁵ rows per doubling. The selection depends on the numbers
//! of gradient steps only; therefore a resumed run records the same rows.

/// Binary logarithm of the number of gradient steps up to which all rows are recorded.
const DENSE_LOG2: u32 = 16;

/// Subsampling of metric rows by the number of gradient steps.
#[derive(Debug)]
pub struct Thinning {
    /// Number of gradient steps at the previous row.
    updates: u64,
}

impl Thinning {
    /// Creates the subsampling for the rows after a checkpoint at `updates` gradient steps.
    pub fn after(updates: u64) -> Self {
        Self { updates }
    }

    /// Returns whether the next row, at `updates` gradient steps, is recorded. A row with the same number of gradient
    /// steps as the previous row, such as an evaluation, is always recorded.
    pub fn should_record(&mut self, updates: u64) -> bool {
        let apart = updates.checked_ilog2().map_or(0, |log| log.saturating_sub(DENSE_LOG2 - 1));
        let before = std::mem::replace(&mut self.updates, updates);
        updates <= before || updates >> apart != before >> apart
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(from: u64, to: u64, step: u64) -> Vec<u64> {
        let mut thinning = Thinning::after(from);
        (from + step..=to).step_by(step as usize).filter(|updates| thinning.should_record(*updates)).collect()
    }

    #[test]
    fn the_number_of_rows_is_bounded_per_doubling() {
        assert_eq!(recorded(0, (1 << 16) - 1, 1).len(), (1 << 16) - 1);
        assert_eq!(recorded(0, (1 << 22) - 1, 1).len(), (1 << 16) - 1 + 6 * (1 << 15));
        // If rows are several gradient steps apart, all rows are recorded at first, and later at most 2¹⁵ rows per
        // doubling. This holds even if no power of two divides the distance.
        assert_eq!(recorded(3, 100_000, 20).len(), 99_997 / 20);
        for step in [7, 16, 20, 999] {
            let rows = recorded(3, 1 << 26, step);
            let late = rows.iter().filter(|updates| **updates >= 1 << 25).count();
            let all = (1 << 25) / step as usize;
            assert!(late <= 1 << 15 && late >= (all / 2).min(1 << 14), "{late} of {all}");
        }
    }

    #[test]
    fn a_resumed_run_has_the_same_rows() {
        let whole = recorded(0, 1 << 19, 5);
        for left in [5, 70_000, 300_005] {
            assert_eq!([recorded(0, left, 5), recorded(left, 1 << 19, 5)].concat(), whole, "{left}");
        }
    }

    #[test]
    fn rows_without_gradient_steps_are_recorded() {
        let mut thinning = Thinning::after(1 << 30);
        assert!(
            !thinning.should_record((1 << 30) + 1)
                && thinning.should_record((1 << 30) + 1)
                && thinning.should_record(0)
        );
    }
}
