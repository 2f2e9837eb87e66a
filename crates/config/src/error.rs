//! Config errors.

/// Error: a config field has an invalid value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{field} = {value}: {allowed}")]
pub struct ConfigError {
    /// Path of the field, such as `ppo.horizon`.
    pub field: &'static str,
    /// The invalid value of the field, as text.
    pub value: String,
    /// Description of the values that the field allows.
    pub allowed: String,
}
