//! Config fields described as data, for whoever shows or checks them. Every learner describes its own config so.

use std::fmt;

/// A config field: what it is called, what it means, what is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// As in the config's JSON.
    pub name: &'static str,
    /// For a person.
    pub label: &'static str,
    /// Such as "steps"; empty for a pure number.
    pub unit: &'static str,
    /// What it does, in whole sentences.
    pub help: &'static str,
    /// Type and range.
    pub kind: FieldKind,
    /// It may be changed while a run goes on.
    pub live: bool,
}

impl Field {
    /// A field that stays as it is while a run goes on.
    #[must_use]
    pub const fn new(
        name: &'static str,
        label: &'static str,
        unit: &'static str,
        kind: FieldKind,
        help: &'static str,
    ) -> Self {
        Self { name, label, unit, help, kind, live: false }
    }

    /// The same field, but one that may be changed while a run goes on.
    #[must_use]
    pub const fn live(self) -> Self {
        Self { live: true, ..self }
    }
}

/// Type and range of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldKind {
    /// A whole number from `min` to `max`.
    Integer {
        /// Smallest allowed.
        min: u64,
        /// Largest allowed.
        max: u64,
    },
    /// A finite number from `min` to `max`.
    Number {
        /// Smallest allowed.
        min: f64,
        /// Largest allowed.
        max: f64,
        /// Orders of magnitude matter: show it on a logarithmic scale.
        logarithmic: bool,
    },
    /// Yes or no.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Up to `max_length` whole numbers, each from `min` to `max`.
    IntegerList {
        /// Smallest allowed.
        min: u64,
        /// Largest allowed.
        max: u64,
        /// Most numbers allowed.
        max_length: usize,
    },
    /// Text of at most `max_length` bytes, whose meaning its owner checks.
    Text {
        /// Most bytes allowed.
        max_length: usize,
    },
}

impl FieldKind {
    /// A whole number from `min` to `max`.
    #[must_use]
    pub const fn integer(min: u64, max: u64) -> Self {
        Self::Integer { min, max }
    }

    /// A number from `min` to `max`.
    #[must_use]
    pub const fn number(min: f64, max: f64) -> Self {
        Self::Number { min, max, logarithmic: false }
    }

    /// A number from `min` to `max` of which the order of magnitude matters.
    #[must_use]
    pub const fn logarithmic(min: f64, max: f64) -> Self {
        Self::Number { min, max, logarithmic: true }
    }
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Of [`FieldKind::Integer`].
    Integer(u64),
    /// Of [`FieldKind::Number`].
    Number(f64),
    /// Of [`FieldKind::Flag`].
    Flag(bool),
    /// Of [`FieldKind::Choice`].
    Choice(&'static str),
    /// Of [`FieldKind::IntegerList`].
    IntegerList(Vec<u64>),
    /// Of [`FieldKind::Text`].
    Text(String),
}

impl Value {
    /// A number as a person wrote it: the shortest decimal that gives the same `f32`.
    #[must_use]
    pub fn number(value: f32) -> Self {
        Value::Number(value.to_string().parse().unwrap_or(f64::from(value)))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(value) => write!(f, "{value}"),
            Value::Number(value) => write!(f, "{value}"),
            Value::Flag(value) => write!(f, "{value}"),
            Value::Choice(value) => write!(f, "{value}"),
            Value::IntegerList(values) => write!(f, "{values:?}"),
            Value::Text(text) => write!(f, "{text:?}"),
        }
    }
}

impl fmt::Display for FieldKind {
    /// What is allowed, as a phrase.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldKind::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            FieldKind::Number { min, max, .. } => write!(f, "a number from {min} to {max}"),
            FieldKind::Flag => write!(f, "true or false"),
            FieldKind::Choice(words) => write!(f, "one of {}", words.join(", ")),
            FieldKind::IntegerList { min, max, max_length } => {
                write!(f, "at most {max_length} whole numbers from {min} to {max}")
            }
            FieldKind::Text { max_length } => write!(f, "text of at most {max_length} bytes"),
        }
    }
}

/// A config field that is not acceptable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{field} = {value}: {allowed}")]
pub struct ConfigError {
    /// Name of the field.
    pub field: &'static str,
    /// The value given.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}

impl Field {
    /// Checks a value against the field's type and range.
    ///
    /// # Errors
    /// [`ConfigError`] naming the field, the value and what is allowed.
    pub fn check(&self, value: &Value) -> Result<(), ConfigError> {
        let allowed = match (self.kind, value) {
            (FieldKind::Integer { min, max }, Value::Integer(value)) => (min..=max).contains(value),
            (FieldKind::Number { min, max, .. }, Value::Number(value)) => (min..=max).contains(value),
            (FieldKind::Flag, Value::Flag(_)) => true,
            (FieldKind::Choice(words), Value::Choice(word)) => words.contains(word),
            (FieldKind::IntegerList { min, max, max_length }, Value::IntegerList(values)) => {
                values.len() <= max_length && values.iter().all(|value| (min..=max).contains(value))
            }
            (FieldKind::Text { max_length }, Value::Text(text)) => text.len() <= max_length,
            _ => false,
        };
        if allowed {
            return Ok(());
        }
        Err(ConfigError {
            field: self.name,
            value: value.to_string(),
            allowed: format!("must be {}", self.kind),
        })
    }
}

/// A config whose fields are all described.
pub trait Described {
    /// Every field, in the order in which they are shown.
    const FIELDS: &'static [Field];

    /// The value of a field by its name in [`FIELDS`](Self::FIELDS); `None` for any other name.
    fn get(&self, name: &str) -> Option<Value>;

    /// Checks every field against its own type and range.
    ///
    /// # Errors
    /// [`ConfigError`] for the first field that is not allowed.
    fn check_fields(&self) -> Result<(), ConfigError> {
        let given = |field: &Field| self.get(field.name).map_or(Ok(()), |value| field.check(&value));
        Self::FIELDS.iter().try_for_each(given)
    }

    /// Refuses a config that differs from this one in a field that is not live: a running learner cannot take it over.
    ///
    /// # Errors
    /// [`ConfigError`] for the first such field.
    fn check_live(&self, next: &Self) -> Result<(), ConfigError> {
        let fixed = |field: &&Field| !field.live && self.get(field.name) != next.get(field.name);
        let Some(field) = Self::FIELDS.iter().find(fixed) else { return Ok(()) };
        let stays = self.get(field.name).map_or_else(String::new, |value| value.to_string());
        Err(next.refused(field.name, format!("it cannot be changed while the run goes on; it stays {stays}")))
    }

    /// The error that refuses this config's value of a field.
    fn refused(&self, field: &'static str, allowed: impl Into<String>) -> ConfigError {
        let value = self.get(field).map_or_else(String::new, |value| value.to_string());
        ConfigError { field, value, allowed: allowed.into() }
    }
}

/// For a config's tests: that its description misses no field, and describes each of them once and in words.
///
/// # Panics
/// Where that is not so, naming the field.
pub fn assert_described<C: Described + fmt::Debug>(config: &C) {
    // Debug lists the struct's own fields.
    let debug = format!("{config:?}");
    assert_eq!(debug.matches(": ").count(), C::FIELDS.len(), "as many descriptions as there are fields");
    for (number, field) in C::FIELDS.iter().enumerate() {
        let name = field.name;
        assert!(config.get(name).is_some(), "{name} has no value");
        assert!(debug.contains(&format!("{name}: ")), "{name} is not a field");
        assert!(C::FIELDS[..number].iter().all(|other| other.name != name), "{name} is described twice");
        assert!(field.help.ends_with('.') && !field.label.is_empty(), "{name} is not described");
    }
}
