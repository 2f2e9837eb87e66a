//! Bounded work: learners advance by slices of it.

/// What a slice of work did: `W` names the parts of an iteration, `R` is what a learner reports of a finished one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SliceOutcome<W, R> {
    /// Which part of an iteration it belonged to.
    pub work: W,
    /// Where it finished an iteration, what that one measured.
    pub report: Option<R>,
}
