//! Config errors.

/// Error: a config field has an invalid value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{field} = {value}: {allowed}")]
pub struct ConfigError {
    /// Path of the field, such as `ppo.horizon`.
    pub field: &'static str,
    /// The invalid value as text.
    pub value: String,
    /// Description of the allowed values, such as "it must be a number from 0 to 1".
    pub allowed: String,
}
