//! Descriptions of config fields, and access to JSON values by dotted path.

use crate::ConfigError;
use crate::value::{shorten, shortest};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;

/// Description of a config field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "FieldInfo"))]
pub struct Field {
    /// Dotted path of the field in JSON, such as `world.gravity`.
    pub path: &'static str,
    /// Label of the field in user interfaces, such as "Gravity".
    pub label: &'static str,
    /// Unit of the value, such as "m/s²"; empty for a pure number.
    pub unit: &'static str,
    /// Help text of one or two sentences: effect, and how to tune it.
    pub help: &'static str,
    /// Names of the field in other programs and papers, such as "gamma" of a discount factor.
    #[serde(skip)]
    pub synonyms: &'static [&'static str],
    /// Whether the field can change during a run.
    pub live: bool,
    /// Type and range of the field's value.
    pub kind: FieldKind,
    /// Default value of the field.
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
        /// Minimum of the field's value.
        low: f64,
        /// Maximum of the field's value.
        high: f64,
        /// Whether sliders for the value use a logarithmic scale.
        logarithmic: bool,
    },
    /// An integer.
    Integer {
        /// Minimum of the field's value.
        low: i64,
        /// Maximum of the field's value.
        high: i64,
        /// Whether sliders for the value use a logarithmic scale.
        logarithmic: bool,
    },
    /// A Boolean.
    Flag,
    /// One of several words.
    Choice {
        /// Words that are allowed as values.
        options: &'static [&'static str],
    },
    /// A list of integers, such as hidden layer sizes.
    Integers {
        /// Minimum number of integers in the list.
        shortest: u32,
        /// Maximum number of integers in the list.
        longest: u32,
        /// Minimum of each integer in the list.
        low: i64,
        /// Maximum of each integer in the list.
        high: i64,
    },
    /// A string. The crate that declares the field defines and checks the format of the string, such as a pattern drawn
    /// with characters.
    Text {
        /// Maximum length of the string in bytes.
        longest: u32,
    },
}

/// Constructors of field kinds, for declarations with [`config!`](crate::config!).
impl FieldKind {
    /// Returns the [`FieldKind`] of a field whose value is a real number from `low` to `high`, both inclusive.
    #[must_use]
    pub const fn number(low: f64, high: f64) -> Self {
        Self::Number { low, high, logarithmic: false }
    }

    /// Returns the [`FieldKind`] of a field whose value is a real number from `low` to `high`, both inclusive. Sliders
    /// for the value use a logarithmic scale.
    #[must_use]
    pub const fn logarithmic(low: f64, high: f64) -> Self {
        Self::Number { low, high, logarithmic: true }
    }

    /// Returns the [`FieldKind`] of a field whose value is an integer from `low` to `high`, both inclusive. Sliders use
    /// a logarithmic scale if the range spans at least three orders of magnitude.
    #[must_use]
    pub const fn integer(low: i64, high: i64) -> Self {
        Self::Integer { low, high, logarithmic: high / (if low > 1 { low } else { 1 }) >= 1000 }
    }

    /// Returns the [`FieldKind`] of a field whose value is a Boolean.
    #[must_use]
    pub const fn flag() -> Self {
        Self::Flag
    }

    /// Returns the [`FieldKind`] of a field whose value is one of the words `options`.
    #[must_use]
    pub const fn choice(options: &'static [&'static str]) -> Self {
        Self::Choice { options }
    }

    /// Returns the [`FieldKind`] of a field whose value is a list of up to `longest` integers. Each integer is from
    /// `low` to `high`, both inclusive.
    #[must_use]
    pub const fn integers(low: i64, high: i64, longest: u32) -> Self {
        Self::Integers { shortest: 0, longest, low, high }
    }

    /// Returns the [`FieldKind`] of a field whose value is a string of up to `longest` bytes. The crate that declares
    /// the field checks the format of the string.
    #[must_use]
    pub const fn text(longest: u32) -> Self {
        Self::Text { longest }
    }
}

impl fmt::Display for FieldKind {
    /// Writes the allowed values as a phrase for error messages, such as "it must be a number from 0 to 1".
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
    /// Returns the name of the field in the struct: the last part of the dotted path.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.path.rsplit_once('.').map_or(self.path, |(_, name)| name)
    }

    /// Returns the JSON section of the field: the dotted path without its last part. `None` for a field at the top
    /// level.
    #[must_use]
    pub fn section(&self) -> Option<&'static str> {
        self.path.rsplit_once('.').map(|(section, _)| section)
    }

    /// Returns the minimum and maximum of a numeric field; `None` for a field of any other kind.
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

    /// Checks a JSON value against type and range of the field, and returns the value in canonical form. Integers may
    /// be written as `3` or `3.0`; real numbers are rounded to `f32`.
    ///
    /// # Errors
    /// [`ConfigError`] if the value has another type or is out of range.
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

    /// Returns the error for an invalid value of this field.
    pub(crate) fn refused(&self, value: &Value) -> ConfigError {
        ConfigError { field: self.path, value: shorten(&value.to_string()), allowed: self.kind.to_string() }
    }
}

/// Returns copies of `fields` with the default values `values`, which are in the order of `fields`.
pub(crate) fn with_defaults(fields: &[Field], values: Vec<Value>) -> Vec<Field> {
    fields.iter().zip(values).map(|(field, default)| Field { default, ..field.clone() }).collect()
}

/// Returns a JSON object with a nested object for each section. `values` has one value for each field, in the order of
/// `fields`.
pub(crate) fn to_json(fields: &[Field], values: Vec<Value>) -> Value {
    let mut json = Value::Object(Map::new());
    for (field, value) in fields.iter().zip(values) {
        set(&mut json, field.path, value);
    }
    json
}

/// Checks that the values `now` and `next` differ in live fields only (fields that can change during a run). Returns an
/// error for the first other field that differs.
pub(crate) fn check_live(fields: &[Field], now: Vec<Value>, next: Vec<Value>) -> Result<(), ConfigError> {
    for (field, (now, next)) in fields.iter().zip(now.into_iter().zip(next)) {
        if !field.live && now != next {
            let allowed = format!("it cannot change during a run; it stays {}", plain(&now));
            return Err(ConfigError { field: field.path, value: plain(&next), allowed });
        }
    }
    Ok(())
}

/// Returns the error for the value of the field `name` among `values`, with the description `allowed` of the allowed
/// values.
pub(crate) fn refused(fields: &[Field], mut values: Vec<Value>, name: &str, allowed: String) -> ConfigError {
    let place = fields.iter().position(|field| field.name() == name);
    debug_assert!(place.is_some(), "{name} is not a field");
    let (field, value) =
        place.map_or(("config", Value::Null), |place| (fields[place].path, values.swap_remove(place)));
    ConfigError { field, value: plain(&value), allowed }
}

/// Formats a JSON value for an error message. Strings are formatted without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn whole(value: &Value, low: i64, high: i64) -> Option<i64> {
    let from_real = |real: f64| (real.fract() == 0.0 && real.abs() < 1e15).then_some(real as i64);
    let number = value.as_i64().or_else(|| value.as_f64().and_then(from_real));
    number.filter(|number| (low..=high).contains(number))
}

/// Returns the JSON value at a dotted path such as `world.gravity`, or `None` if the path does not exist.
#[must_use]
pub fn get<'a>(json: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(json, |here, part| here.get(part))
}

/// Sets the JSON value at a dotted path such as `world.gravity`. Creates missing sections, and replaces values on the
/// path that are not sections.
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
