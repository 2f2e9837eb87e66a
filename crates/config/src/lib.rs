//! Configs declared once: [`config!`] makes a struct and describes each of its fields, for whoever checks or shows them.
//!
//! A config as JSON has sections, such as `ppo`, and a field has a path, such as `ppo.learning_rate`. Several configs can share
//! one JSON object: each takes its own fields from it ([`Config::from_json`]).

#[cfg(test)]
extern crate self as vivarium_config;

mod declare;
mod error;
mod field;
mod numbers;
#[cfg(test)]
mod tests;
mod value;

pub use error::ConfigError;
pub use field::{Field, FieldKind, get, set};
pub use value::{FieldValue, shorten, shortest};

use serde_json::Value;
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

    /// Takes the next field's value from JSON; a missing one leaves `place` as it is.
    pub fn read<T: crate::FieldValue>(
        fields: &mut std::slice::Iter<'_, crate::Field>,
        json: &Value,
        place: &mut T,
    ) -> Result<(), crate::ConfigError> {
        let Some(field) = fields.next() else { return Ok(()) };
        let Some(value) = crate::get(json, field.path) else { return Ok(()) };
        *place = T::from_value(value).ok_or_else(|| field.refused(value))?;
        Ok(())
    }

    /// The text of a doc comment.
    #[must_use]
    pub const fn help(comment: &'static str) -> &'static str {
        comment.trim_ascii()
    }
}

/// A config whose fields are declared. [`config!`] implements it.
pub trait Config: Clone + fmt::Debug + Default + PartialEq {
    /// Every field in the order in which to show them; each `default` is `null`.
    const FIELDS: &'static [Field];

    /// The value of each field, in the order of [`FIELDS`](Self::FIELDS).
    fn values(&self) -> Vec<Value>;

    /// Takes this config's fields from a JSON object of sections; a missing field takes its default.
    ///
    /// # Errors
    /// [`ConfigError`] if a value has the wrong type. Ranges are for [`check_fields`](Self::check_fields).
    fn from_json(json: &Value) -> Result<Self, ConfigError>;

    /// Every field with this config's values as defaults.
    #[must_use]
    fn fields(&self) -> Vec<Field> {
        field::with_defaults(Self::FIELDS, self.values())
    }

    /// This config as a JSON object of sections.
    #[must_use]
    fn to_json(&self) -> Value {
        field::to_json(Self::FIELDS, self.values())
    }

    /// Checks each field against its own type and range.
    ///
    /// # Errors
    /// [`ConfigError`] for the first field whose value is not allowed.
    fn check_fields(&self) -> Result<(), ConfigError> {
        Self::FIELDS.iter().zip(self.values()).try_for_each(|(field, value)| field.check(&value).map(drop))
    }

    /// Compares this config, that of a running learner, with the next one.
    ///
    /// # Errors
    /// [`ConfigError`] for the first field that differs and cannot change while a run goes on.
    fn check_live(&self, next: &Self) -> Result<(), ConfigError> {
        field::check_live(Self::FIELDS, self.values(), next.values())
    }

    /// Takes over another config that differs in live fields alone.
    ///
    /// # Errors
    /// [`ConfigError`] for the first field that differs and cannot change while a run goes on; nothing is changed then.
    fn change(&mut self, next: Self) -> Result<(), ConfigError> {
        self.check_live(&next)?;
        *self = next;
        Ok(())
    }

    /// The error that refuses this config's value of the field `name`, the part of its path after the section.
    fn refused(&self, name: &str, allowed: impl Into<String>) -> ConfigError {
        field::refused(Self::FIELDS, self.values(), name, allowed.into())
    }
}

/// For a config's tests: the error that the default config is refused by after a change.
///
/// # Panics
/// If it is accepted.
pub fn refusal<C: Config>(check: fn(&C) -> Result<(), ConfigError>, change: fn(&mut C)) -> ConfigError {
    let mut config = C::default();
    change(&mut config);
    check(&config).unwrap_err()
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
