//! A learner's own config as a section of the lab's.

use crate::config;
use crate::error::LabError;
use serde::de::DeserializeOwned;
use serde_json::Value;
use vivarium_config::ConfigError;

/// A section of a config, each field of which is in its range, as the learner takes it.
///
/// # Errors
/// [`LabError::Invalid`] where it cannot be read.
pub(super) fn section<T: DeserializeOwned>(config: &Value, name: &str) -> Result<T, LabError> {
    let section = config.get(name).cloned().unwrap_or_default();
    let shown = config::shorten(&section.to_string());
    serde_json::from_value(section).map_err(|error| LabError::invalid(name, shown, error.to_string()))
}

/// A refusal of a field of a section, in the lab's words.
pub(crate) fn refused_in(section: &str, error: &ConfigError) -> LabError {
    LabError::invalid(format!("{section}.{}", error.field), error.value.clone(), error.allowed.clone())
}
