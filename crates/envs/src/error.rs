//! Errors of environments.

/// Error of a value that is out of range or NaN.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{field} is {value}; allowed is {low} to {high}")]
pub struct OutOfRange {
    /// Name of the rejected value.
    pub field: &'static str,
    /// The rejected value.
    pub value: f64,
    /// The smallest allowed value.
    pub low: f64,
    /// The largest allowed value.
    pub high: f64,
}

impl OutOfRange {
    /// Checks that `low <= value <= high`.
    ///
    /// # Errors
    /// [`OutOfRange`] if the value is out of range or NaN.
    pub fn check(field: &'static str, value: f64, low: f64, high: f64) -> Result<(), Self> {
        if (low..=high).contains(&value) { Ok(()) } else { Err(Self { field, value, low, high }) }
    }
}

/// Error of an environment. The environment is unchanged after an error.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EnvError {
    /// A value is out of range or NaN.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A physical parameter is out of range.
    #[error(transparent)]
    Param(#[from] vivarium_config::ConfigError),
    /// An action is not in the action space.
    #[error("the action of environment {index} is {value}; allowed is {allowed}")]
    Action {
        /// Index of the first environment whose action is invalid.
        index: usize,
        /// The invalid action.
        value: f32,
        /// Description of the valid actions.
        allowed: String,
    },
    /// A buffer or list has the wrong length.
    #[error("{what} holds {got} values; {expected} are needed")]
    Length {
        /// Name of the buffer or list with the wrong length.
        what: &'static str,
        /// Actual length of the buffer or list.
        got: usize,
        /// Required length of the buffer or list.
        expected: usize,
    },
    /// An environment index is out of range.
    #[error("environment index {index} is out of range; allowed is 0 to {last}")]
    Index {
        /// The requested index of an environment.
        index: usize,
        /// The largest valid index of an environment.
        last: usize,
    },
    /// A snapshot, or an environment that was passed, has another name than the environment that is required.
    #[error("this is a snapshot of {got:?}; a snapshot of {expected:?} is needed")]
    World {
        /// Name of the environment that was passed, or whose snapshot was passed.
        got: String,
        /// Name of the required environment.
        expected: &'static str,
    },
}
