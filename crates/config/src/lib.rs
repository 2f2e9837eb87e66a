//! Configs declared once: [`config!`] makes a struct and describes each of its fields, for whoever checks or shows them.
//!
//! A config as JSON has sections, such as `ppo`, and a field has a path, such as `ppo.learning_rate`. Several configs can share
//! one JSON object: each takes its own fields from it ([`Config::from_json`]).

#[cfg(test)]
extern crate self as vivarium_config;

mod declare;
mod error;
mod field;
#[cfg(test)]
mod tests;
mod value;

pub use error::ConfigError;
pub use field::{Field, FieldKind, get, set};
pub use value::{FieldValue, shorten, shortest};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt;

#[doc(hidden)]
pub mod macro_support {
    pub use serde;
    pub use serde_json::Value;

    /// A path without the dot that follows an empty section.
    #[must_use]
    pub const fn path(path: &'static str) -> &'static str {
        if path.as_bytes()[0] == b'.' { path.split_at(1).1 } else { path }
    }

    /// The text of a doc comment.
    #[must_use]
    pub const fn help(comment: &'static str) -> &'static str {
        comment.trim_ascii()
    }
}

/// A config whose fields are declared. [`config!`] implements it.
pub trait Config: Clone + fmt::Debug + Default + PartialEq + Serialize + DeserializeOwned {
    /// Every field in the order in which to show them; each `default` is `null`.
    const FIELDS: &'static [Field];

    /// The value of each field, in the order of [`FIELDS`](Self::FIELDS).
    fn values(&self) -> Vec<Value>;

    /// Every field with this config's values as defaults.
    #[must_use]
    fn fields(&self) -> Vec<Field> {
        let with_default = |(field, default): (&Field, Value)| Field { default, ..field.clone() };
        Self::FIELDS.iter().zip(self.values()).map(with_default).collect()
    }

    /// Takes this config's fields from a JSON object of sections; a missing field takes its default.
    ///
    /// # Errors
    /// [`ConfigError`] if a value has the wrong type. Ranges are for [`check_fields`](Self::check_fields).
    fn from_json(json: &Value) -> Result<Self, ConfigError> {
        let given = |field: &Field| Some((field.name().to_owned(), get(json, field.path)?.clone()));
        let own: Map<String, Value> = Self::FIELDS.iter().filter_map(given).collect();
        Self::deserialize(Value::Object(own)).map_err(|error| {
            let section = Self::FIELDS.first().map_or("config", |field| field.section().unwrap_or("config"));
            ConfigError { field: section, value: "as given".into(), allowed: error.to_string() }
        })
    }

    /// This config as a JSON object of sections.
    #[must_use]
    fn to_json(&self) -> Value {
        let mut json = Value::Object(Map::new());
        for (field, value) in Self::FIELDS.iter().zip(self.values()) {
            set(&mut json, field.path, value);
        }
        json
    }

    /// Checks each field against its own type and range.
    ///
    /// # Errors
    /// [`ConfigError`] for the first field whose value is not allowed.
    fn check_fields(&self) -> Result<(), ConfigError> {
        self.fields().iter().try_for_each(|field| field.check(&field.default).map(drop))
    }

    /// Compares this config, that of a running learner, with the next one.
    ///
    /// # Errors
    /// [`ConfigError`] for the first field that differs and cannot change while a run goes on.
    fn check_live(&self, next: &Self) -> Result<(), ConfigError> {
        let pairs = Self::FIELDS.iter().zip(self.values().into_iter().zip(next.values()));
        for (field, (now, next)) in pairs {
            if !field.live && now != next {
                let allowed = format!("it cannot be changed while the run goes on; it stays {}", plain(&now));
                return Err(ConfigError { field: field.path, value: plain(&next), allowed });
            }
        }
        Ok(())
    }

    /// The error that refuses this config's value of the field `name`, the part of its path after the section.
    fn refused(&self, name: &str, allowed: impl Into<String>) -> ConfigError {
        let place = Self::FIELDS.iter().position(|field| field.name() == name);
        debug_assert!(place.is_some(), "{name} is not a field");
        let (field, value) = place.map_or(("config", Value::Null), |place| {
            (Self::FIELDS[place].path, self.values().swap_remove(place))
        });
        ConfigError { field, value: plain(&value), allowed: allowed.into() }
    }
}

/// A value as a message shows it: text without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// For a config's tests: every field is described in words and once, and every default is in range.
///
/// # Panics
/// If that is not so, naming the field.
pub fn assert_described<C: Config>() {
    let config = C::default();
    config.check_fields().unwrap();
    for (number, field) in C::FIELDS.iter().enumerate() {
        let path = field.path;
        assert!(
            C::FIELDS[..number].iter().all(|other| other.name() != field.name()),
            "{path} is declared twice"
        );
        assert!(field.help.ends_with('.') && !field.label.is_empty(), "{path} is not described");
    }
    assert_eq!(C::from_json(&config.to_json()).as_ref(), Ok(&config));
}
