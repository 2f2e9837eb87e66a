//! Errors that name a config field.

use serde_json::Value;
use vivarium_lab::{LabError, config};

/// Checks that an error names an existing field (not a section) and its value.
pub fn assert_names_a_field(error: &LabError, of: &Value) {
    let LabError::Invalid { field, value, .. } = error else { panic!("{error}") };
    let found = config::get(of, field).filter(|found| !found.is_object());
    assert_eq!(found.map(Value::to_string).as_ref(), Some(value), "{error}");
}
