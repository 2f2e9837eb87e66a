//! Types that a field can have.

use serde_json::Value;

/// A type of a config's field.
pub trait FieldValue {
    /// The value as JSON.
    fn to_value(&self) -> Value;
}

macro_rules! as_it_is {
    ($($kind:ty),*) => {
        $(impl FieldValue for $kind {
            fn to_value(&self) -> Value {
                self.clone().into()
            }
        })*
    };
}

as_it_is!(bool, u32, u64, String, Vec<u32>);

impl FieldValue for f32 {
    fn to_value(&self) -> Value {
        shortest(*self).into()
    }
}

/// The `f64` that is written as the `f32` is: 0.1, not 0.10000000149011612.
#[must_use]
pub fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// A value as a message shows it: a line at most.
#[must_use]
pub fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}
