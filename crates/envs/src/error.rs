//! Why an environment refuses a request.

/// A value outside what is allowed, or not a number.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{field} is {value}; allowed is {low} to {high}")]
pub struct OutOfRange {
    /// What the value was for.
    pub field: &'static str,
    /// The value that was given.
    pub value: f64,
    /// The smallest allowed value.
    pub low: f64,
    /// The largest allowed value.
    pub high: f64,
}

impl OutOfRange {
    /// Checks that a value is `low` to `high`.
    ///
    /// # Errors
    /// [`OutOfRange`] if it is not, or is not a number.
    pub fn check(field: &'static str, value: f64, low: f64, high: f64) -> Result<(), Self> {
        if (low..=high).contains(&value) { Ok(()) } else { Err(Self { field, value, low, high }) }
    }
}

/// A refused request; the environment is as it was before.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EnvError {
    /// A value outside what is allowed, or not a number.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A param whose value is not allowed.
    #[error(transparent)]
    Param(#[from] vivarium_config::ConfigError),
    /// An action that the action space does not contain.
    #[error("the action of lane {lane} is {value}; allowed is {allowed}")]
    Action {
        /// The first lane whose action is refused.
        lane: usize,
        /// The action that was given.
        value: f32,
        /// What the action space contains.
        allowed: String,
    },
    /// A buffer or list of the wrong length.
    #[error("{what} holds {got} values; {expected} are needed")]
    Length {
        /// Which buffer.
        what: &'static str,
        /// Its length.
        got: usize,
        /// The length that it must have.
        expected: usize,
    },
    /// A lane that the environment does not have.
    #[error("there is no lane {lane}; lanes go from 0 to {last}")]
    Lane {
        /// The lane that was asked for.
        lane: usize,
        /// The last lane.
        last: usize,
    },
    /// A snapshot of another world.
    #[error("this is a snapshot of {got:?}; a snapshot of {expected:?} is needed")]
    World {
        /// The world of the snapshot.
        got: String,
        /// The world of the environment.
        expected: &'static str,
    },
}
