//! What is wrong with a config.

/// A config field whose value is not allowed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{field} = {value}: {allowed}")]
pub struct ConfigError {
    /// The field's path, such as `ppo.horizon`.
    pub field: &'static str,
    /// The value given.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}
