//! Incremental training: a learner divides an iteration into slices, units of work of bounded duration.

/// Result of a slice (a unit of work of bounded duration). `W` enumerates the phases of an iteration, `R` is the report
/// of a completed iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SliceOutcome<W, R> {
    /// Phase of the iteration that the slice belongs to.
    pub work: W,
    /// Report of the iteration if the slice completed one; otherwise `None`.
    pub report: Option<R>,
}
