//! Subsampling of the metric rows of long runs.
//!
//! With 2ⁿ rows per doubling, all rows are recorded up to 2ⁿ⁺¹ gradient steps. Afterwards the sampling rate is halved
//! whenever the number of gradient steps has doubled, so that there are at most 2ⁿ rows per doubling. The selection
//! depends on the numbers of gradient steps only; therefore a resumed run records the same rows.

/// Default maximum number of rows per doubling of the gradient steps. A day of CartPole has at most 2³⁰ gradient steps. With these
/// rows, `metrics.jsonl` and the event file together have at most 100 MB after a day; a test counts the bytes of a short run.
pub const DEFAULT_ROWS: u32 = 1 << 12;

/// Subsampling of metric rows by the number of gradient steps.
#[derive(Debug)]
pub struct Thinning {
    /// Number of gradient steps at the previous row.
    updates: u64,
    /// Binary logarithm of the maximum number of rows per doubling of the gradient steps.
    rows_log2: u32,
}

impl Thinning {
    /// Creates the subsampling for the rows after a checkpoint at `updates` gradient steps, with at most `rows` rows
    /// per doubling of the gradient steps; `rows` is rounded up to a power of two.
    pub fn after(updates: u64, rows: u32) -> Self {
        Self { updates, rows_log2: u64::from(rows).next_power_of_two().ilog2() }
    }

    /// Returns whether the next row, at `updates` gradient steps, is recorded. A row with the same number of gradient
    /// steps as the previous row, such as an evaluation, is always recorded.
    pub fn should_record(&mut self, updates: u64) -> bool {
        let apart = updates.checked_ilog2().map_or(0, |log| log.saturating_sub(self.rows_log2));
        let before = std::mem::replace(&mut self.updates, updates);
        updates <= before || updates >> apart != before >> apart
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(from: u64, to: u64, step: u64) -> Vec<u64> {
        let mut thinning = Thinning::after(from, DEFAULT_ROWS);
        (from + step..=to).step_by(step as usize).filter(|updates| thinning.should_record(*updates)).collect()
    }

    #[test]
    fn the_number_of_rows_is_bounded_per_doubling() {
        assert_eq!(recorded(0, (1 << 13) - 1, 1).len(), (1 << 13) - 1);
        assert_eq!(recorded(0, (1 << 22) - 1, 1).len(), (1 << 13) - 1 + 9 * (1 << 12));
        // If rows are several gradient steps apart, all rows are recorded at first, and later at most 2¹² rows per
        // doubling. This holds even if no power of two divides the distance.
        assert_eq!(recorded(3, 100_000, 20).len(), 99_997 / 20);
        for step in [7, 16, 20, 999] {
            let rows = recorded(3, 1 << 26, step);
            let late = rows.iter().filter(|updates| **updates >= 1 << 25).count();
            let all = (1 << 25) / step as usize;
            assert!(late <= 1 << 12 && late >= (all / 2).min(1 << 11), "{late} of {all}");
        }
    }

    #[test]
    fn the_number_of_rows_is_rounded_up_to_a_power_of_two() {
        for (rows, expected) in [(1, 1), (1000, 1024), (1024, 1024)] {
            let mut thinning = Thinning::after(1 << 20, rows);
            let range = (1 << 20) + 1..1 << 21;
            assert_eq!(
                range.filter(|updates| thinning.should_record(*updates)).count(),
                expected - 1,
                "{rows}"
            );
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
        let mut thinning = Thinning::after(1 << 30, DEFAULT_ROWS);
        assert!(
            !thinning.should_record((1 << 30) + 1)
                && thinning.should_record((1 << 30) + 1)
                && thinning.should_record(0)
        );
    }
}
