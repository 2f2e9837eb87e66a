//! Errors that a person reads: what was wrong, where, what is allowed.

/// Why something asked of the lab was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LabError {
    /// A config field, command or argument was not acceptable.
    #[error("{field} = {value}: {allowed}")]
    Invalid {
        /// Dotted path of the field.
        field: String,
        /// The value given.
        value: String,
        /// What is allowed, as a sentence.
        allowed: String,
    },
    /// A checkpoint could not be opened.
    #[error("checkpoint: {0}")]
    Checkpoint(String),
    /// Training diverged, and there is no good state left to return to.
    #[error("training diverged: {0}")]
    Diverged(String),
}
