//! Refusals that say which field of a config to change.

use serde_json::Value;
use vivarium_lab::{LabError, config};

/// Checks that a refusal is of a field, no section, that the config has, and shows its value.
pub fn assert_names_a_field(error: &LabError, of: &Value) {
    let LabError::Invalid { field, value, .. } = error else { panic!("{error}") };
    let found = config::get(of, field).filter(|found| !found.is_object());
    assert_eq!(found.map(Value::to_string).as_ref(), Some(value), "{error}");
}
