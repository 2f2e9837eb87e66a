//! Why an environment refuses a request.

/// A refused request; the environment is as it was before.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EnvError {
    /// A value outside what is allowed, or not a number.
    #[error("{field} is {value}; allowed is {low} to {high}")]
    OutOfRange {
        /// What the value was for.
        field: &'static str,
        /// The value that was given.
        value: f64,
        /// The smallest allowed value.
        low: f64,
        /// The largest allowed value.
        high: f64,
    },
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
