//! Check of errors that name a config field.

use serde_json::Value;
use vivarium_lab::{LabError, config};

/// Checks that `error` is [`LabError::Invalid`] and contains the path and the value of a field (not a section) of the
/// config `of`.
pub fn assert_names_a_field(error: &LabError, of: &Value) {
    let LabError::Invalid { field, value, .. } = error else { panic!("{error}") };
    let found = config::get(of, field).filter(|found| !found.is_object());
    assert_eq!(found.map(Value::to_string).as_ref(), Some(value), "{error}");
}
