//! One field of a config, and the paths of fields in JSON.

use crate::ConfigError;
use crate::value::{shorten, shortest};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;

/// A field of a config: its name, its meaning and its range.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "FieldInfo"))]
pub struct Field {
    /// Dotted path, such as `world.gravity`.
    pub path: &'static str,
    /// Name shown to a user, such as "Gravity".
    pub label: &'static str,
    /// Unit, such as "m/s²"; empty for a pure number.
    pub unit: &'static str,
    /// One or two sentences: what it does, and which way to turn it.
    pub help: &'static str,
    /// Whether it may be set while the run goes on.
    pub live: bool,
    /// Type and range.
    pub kind: FieldKind,
    /// Default value.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub default: Value,
}

/// Type and range of a config field. All bounds are inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum FieldKind {
    /// A real number.
    Number {
        /// Smallest value.
        low: f64,
        /// Largest value.
        high: f64,
        /// Whether a slider should move by factors instead of amounts.
        logarithmic: bool,
    },
    /// A whole number.
    Integer {
        /// Smallest value.
        low: i64,
        /// Largest value.
        high: i64,
        /// Whether a slider should move by factors instead of amounts.
        logarithmic: bool,
    },
    /// On or off.
    Flag,
    /// One of some words.
    Choice {
        /// The words.
        options: &'static [&'static str],
    },
    /// A list of whole numbers, such as the sizes of the hidden layers.
    Integers {
        /// Fewest entries.
        shortest: u32,
        /// Most entries.
        longest: u32,
        /// Smallest value of an entry.
        low: i64,
        /// Largest value of an entry.
        high: i64,
    },
    /// Text that a tool of the exhibit writes, such as a drawn pattern.
    Text {
        /// Most bytes.
        longest: u32,
    },
}

/// What a declaration writes for a kind.
impl FieldKind {
    /// A real number from `low` to `high`.
    #[must_use]
    pub const fn number(low: f64, high: f64) -> Self {
        Self::Number { low, high, logarithmic: false }
    }

    /// A real number from `low` to `high` whose order of magnitude matters.
    #[must_use]
    pub const fn logarithmic(low: f64, high: f64) -> Self {
        Self::Number { low, high, logarithmic: true }
    }

    /// A whole number from `low` to `high`; logarithmic if the range spans three orders of magnitude.
    #[must_use]
    pub const fn integer(low: i64, high: i64) -> Self {
        Self::Integer { low, high, logarithmic: high / (if low > 1 { low } else { 1 }) >= 1000 }
    }

    /// On or off.
    #[must_use]
    pub const fn flag() -> Self {
        Self::Flag
    }

    /// One of these words.
    #[must_use]
    pub const fn choice(options: &'static [&'static str]) -> Self {
        Self::Choice { options }
    }

    /// At most `longest` whole numbers, each from `low` to `high`.
    #[must_use]
    pub const fn integers(low: i64, high: i64, longest: u32) -> Self {
        Self::Integers { shortest: 0, longest, low, high }
    }

    /// Text of at most `longest` bytes, whose meaning its owner checks.
    #[must_use]
    pub const fn text(longest: u32) -> Self {
        Self::Text { longest }
    }
}

impl fmt::Display for FieldKind {
    /// What is allowed, as a phrase.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { low, high, .. } => write!(f, "it must be a number from {low} to {high}"),
            Self::Integer { low, high, .. } => write!(f, "it must be a whole number from {low} to {high}"),
            Self::Flag => f.write_str("it must be true or false"),
            Self::Choice { options } => write!(f, "it must be one of {}", options.join(", ")),
            Self::Integers { shortest, longest, low, high } => {
                write!(
                    f,
                    "it must be a list of {shortest} to {longest} whole numbers, each from {low} to {high}"
                )
            }
            Self::Text { longest } => write!(f, "it must be text of at most {longest} characters"),
        }
    }
}

impl Field {
    /// The last part of the path: the name of the struct's field.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.path.rsplit_once('.').map_or(self.path, |(_, name)| name)
    }

    /// The path without its last part.
    #[must_use]
    pub fn section(&self) -> Option<&'static str> {
        self.path.rsplit_once('.').map(|(section, _)| section)
    }

    /// The smallest and the largest value of a number.
    #[must_use]
    pub fn range(&self) -> Option<[f64; 2]> {
        match self.kind {
            FieldKind::Number { low, high, .. } => Some([low, high]),
            FieldKind::Integer { low, high, .. } => Some([low as f64, high as f64]),
            FieldKind::Flag
            | FieldKind::Choice { .. }
            | FieldKind::Integers { .. }
            | FieldKind::Text { .. } => None,
        }
    }

    /// Checks a value against type and range, and returns it as a learner takes it: a whole number may be written as `3` or
    /// `3.0`, and a real number is rounded to `f32`, so that any reader and writer of JSON keeps its few digits.
    ///
    /// # Errors
    /// [`ConfigError`] if the value is of another type or out of range.
    pub fn check(&self, value: &Value) -> Result<Value, ConfigError> {
        let checked = match self.kind {
            FieldKind::Number { low, high, .. } => {
                let number = value.as_f64().filter(|number| (low..=high).contains(number));
                number.map(|number| Value::from(shortest(number as f32)))
            }
            FieldKind::Integer { low, high, .. } => whole(value, low, high).map(Value::from),
            FieldKind::Flag => value.as_bool().map(Value::from),
            FieldKind::Choice { options } => {
                value.as_str().filter(|word| options.contains(word)).map(Value::from)
            }
            FieldKind::Integers { shortest, longest, low, high } => {
                let fits = |list: &&Vec<Value>| (shortest as usize..=longest as usize).contains(&list.len());
                let list = value.as_array().filter(fits);
                let list = list.and_then(|list| list.iter().map(|entry| whole(entry, low, high)).collect());
                list.map(|list: Vec<i64>| Value::from(list))
            }
            FieldKind::Text { longest } => {
                value.as_str().filter(|text| text.len() <= longest as usize).map(Value::from)
            }
        };
        checked.ok_or_else(|| self.refused(value))
    }

    /// The error that refuses a value.
    pub(crate) fn refused(&self, value: &Value) -> ConfigError {
        ConfigError { field: self.path, value: shorten(&value.to_string()), allowed: self.kind.to_string() }
    }
}

/// The fields with these values as defaults.
pub(crate) fn with_defaults(fields: &[Field], values: Vec<Value>) -> Vec<Field> {
    fields.iter().zip(values).map(|(field, default)| Field { default, ..field.clone() }).collect()
}

/// The values of the fields as a JSON object of sections.
pub(crate) fn to_json(fields: &[Field], values: Vec<Value>) -> Value {
    let mut json = Value::Object(Map::new());
    for (field, value) in fields.iter().zip(values) {
        set(&mut json, field.path, value);
    }
    json
}

/// Refuses the first of the next values that differs from the one now in a field that is not live.
pub(crate) fn check_live(fields: &[Field], now: Vec<Value>, next: Vec<Value>) -> Result<(), ConfigError> {
    for (field, (now, next)) in fields.iter().zip(now.into_iter().zip(next)) {
        if !field.live && now != next {
            let allowed = format!("it cannot be changed while the run goes on; it stays {}", plain(&now));
            return Err(ConfigError { field: field.path, value: plain(&next), allowed });
        }
    }
    Ok(())
}

/// The error that refuses the value of the field `name`.
pub(crate) fn refused(fields: &[Field], mut values: Vec<Value>, name: &str, allowed: String) -> ConfigError {
    let place = fields.iter().position(|field| field.name() == name);
    debug_assert!(place.is_some(), "{name} is not a field");
    let (field, value) =
        place.map_or(("config", Value::Null), |place| (fields[place].path, values.swap_remove(place)));
    ConfigError { field, value: plain(&value), allowed }
}

/// A value as a message shows it: text without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn whole(value: &Value, low: i64, high: i64) -> Option<i64> {
    let from_real = |real: f64| (real.fract() == 0.0 && real.abs() < 1e15).then_some(real as i64);
    let number = value.as_i64().or_else(|| value.as_f64().and_then(from_real));
    number.filter(|number| (low..=high).contains(number))
}

/// The value at a dotted path.
#[must_use]
pub fn get<'a>(json: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(json, |here, part| here.get(part))
}

/// Sets the value at a dotted path and makes the sections on the way, in the place of anything else that stands there.
pub fn set(json: &mut Value, path: &str, value: Value) {
    let mut here = json;
    for part in path.split('.') {
        if !here.is_object() {
            *here = Value::Object(Map::new());
        }
        let Value::Object(section) = here else { return };
        here = section.entry(part).or_insert(Value::Null);
    }
    *here = value;
}
