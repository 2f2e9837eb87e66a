//! Types of config fields.

use serde_json::Value;

/// Type of the value of a config field, with its conversion from and to JSON.
pub trait FieldValue: Sized {
    /// Description of the allowed values, if the type restricts them further than the field's
    /// [`FieldKind`](crate::FieldKind).
    const ALLOWED: Option<&'static str> = None;

    /// Returns the value as JSON.
    fn to_value(&self) -> Value;

    /// Returns the value from JSON, or `None` if the JSON value has another type.
    fn from_value(value: &Value) -> Option<Self>;
}

macro_rules! field_values {
    ($($kind:ty: $from:expr,)*) => {
        $(impl FieldValue for $kind {
            fn to_value(&self) -> Value {
                self.clone().into()
            }

            fn from_value(value: &Value) -> Option<Self> {
                $from(value)
            }
        })*
    };
}

field_values! {
    bool: Value::as_bool,
    u32: whole,
    u64: Value::as_u64,
    String: |value: &Value| value.as_str().map(str::to_owned),
    Vec<u32>: |value: &Value| value.as_array()?.iter().map(whole).collect(),
}

fn whole(value: &Value) -> Option<u32> {
    value.as_u64()?.try_into().ok()
}

impl FieldValue for f32 {
    fn to_value(&self) -> Value {
        shortest(*self).into()
    }

    fn from_value(value: &Value) -> Option<Self> {
        value.as_f64().map(|number| number as f32)
    }
}

/// Converts an `f32` to the `f64` with the same shortest decimal form: 0.1, not 0.10000000149011612.
#[must_use]
pub fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// Truncates text for error messages to 60 characters, and marks the truncation by an ellipsis.
#[must_use]
pub fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}
