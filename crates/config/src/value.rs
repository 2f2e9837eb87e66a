//! Types that config fields may have.

use serde_json::Value;

/// Type of a config field, with conversions from and to JSON.
pub trait FieldValue: Sized {
    /// Description of the allowed values for error messages. `None` if the description of the field's
    /// [`FieldKind`](crate::FieldKind) suffices.
    const ALLOWED: Option<&'static str> = None;

    /// Converts the value to JSON.
    fn to_value(&self) -> Value;

    /// Converts a JSON value to this type. Returns `None` if the JSON value has another type.
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

/// Returns the `f64` with the same shortest decimal form as an `f32`, for example 0.1 rather than 0.10000000149011612.
#[must_use]
pub fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// Truncates text for error messages to 60 characters. The last character of truncated text is an ellipsis.
#[must_use]
pub fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}
