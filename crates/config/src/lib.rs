//! Declarative configs: one macro declares a struct with defaults, ranges, labels, units and help texts.
//!
//! - [`config!`]: declares a config struct, which implements [`Config`]. [`choice!`] declares an enum of config values.
//! - [`Config`]: conversion from and to JSON, range checks, and changes during a run.
//! - [`Field`], [`FieldKind`]: description of a field for user interfaces.
//! - [`ConfigError`]: an invalid field.
//! - [`numbers!`]: declares a struct of numbers that is saved as an array.
//!
//! In JSON, fields are grouped in sections such as `ppo`; the path of a field is, for example, `ppo.learning_rate`.
//! Several configs can share one JSON object: [`Config::from_json`] ignores fields of other configs.
//!
//! # Example
//!
//! ```
//! vivarium_config::config! {
//!     /// Hyperparameters of a learner.
//!     #[derive(Clone)]
//!     pub struct LearnerConfig {
//!         ["learner"]
//!         /// Step size of the optimizer.
//!         learning_rate: f32 = 2.5e-3, "Learning rate", logarithmic(1e-7, 1.0), live;
//!     }
//! }
//! use vivarium_config::Config;
//!
//! let config = LearnerConfig { learning_rate: 2.0 };
//! let error = config.check_fields().unwrap_err();
//! assert_eq!(error.field, "learner.learning_rate");
//! ```

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

    /// Removes the leading dot of a field's dotted path. `config!` concatenates section, dot and name, so a path in the
    /// section `""` starts with a dot.
    #[must_use]
    pub const fn path(path: &'static str) -> &'static str {
        if path.as_bytes()[0] == b'.' { path.split_at(1).1 } else { path }
    }

    /// Takes the next field from the iterator `fields`, and reads the field's value from the JSON object `json` into
    /// `place`. If the object lacks the field, `place` is unchanged.
    pub fn read<T: crate::FieldValue>(
        fields: &mut std::slice::Iter<'_, crate::Field>,
        json: &Value,
        place: &mut T,
    ) -> Result<(), crate::ConfigError> {
        let Some(field) = fields.next() else { return Ok(()) };
        let Some(value) = crate::get(json, field.path) else { return Ok(()) };
        *place = T::from_value(value).ok_or_else(|| {
            let refused = field.refused(value);
            crate::ConfigError { allowed: T::ALLOWED.map_or(refused.allowed, str::to_owned), ..refused }
        })?;
        Ok(())
    }

    /// Removes the surrounding white space of a doc comment, which is used as a help text.
    #[must_use]
    pub const fn help(comment: &'static str) -> &'static str {
        comment.trim_ascii()
    }
}

/// A config with described fields. [`config!`] implements the trait.
pub trait Config: Clone + fmt::Debug + Default + PartialEq {
    /// Descriptions of the fields in display order. Each `default` is `null`; [`fields`](Self::fields) sets the
    /// defaults.
    const FIELDS: &'static [Field];

    /// Returns the value of each field, in the order of [`FIELDS`](Self::FIELDS).
    fn values(&self) -> Vec<Value>;

    /// Reads this config from a JSON object with sections. A missing field has its default value.
    ///
    /// # Errors
    /// [`ConfigError`] if a value has the wrong type. [`check_fields`](Self::check_fields) checks the ranges.
    fn from_json(json: &Value) -> Result<Self, ConfigError>;

    /// Returns descriptions of all fields, in which the default values are the values of this config.
    #[must_use]
    fn fields(&self) -> Vec<Field> {
        field::with_defaults(Self::FIELDS, self.values())
    }

    /// Returns this config as a JSON object with a nested object for each section.
    #[must_use]
    fn to_json(&self) -> Value {
        field::to_json(Self::FIELDS, self.values())
    }

    /// Checks each field against its type and range.
    ///
    /// # Errors
    /// [`ConfigError`] for the first invalid field.
    fn check_fields(&self) -> Result<(), ConfigError> {
        Self::FIELDS.iter().zip(self.values()).try_for_each(|(field, value)| field.check(&value).map(drop))
    }

    /// Checks whether a running learner can change from this config to `next`.
    ///
    /// # Errors
    /// [`ConfigError`] for the first field that differs and cannot change during a run.
    fn check_live(&self, next: &Self) -> Result<(), ConfigError> {
        field::check_live(Self::FIELDS, self.values(), next.values())
    }

    /// Replaces this config by `next` if the two configs differ in live fields only (fields that can change during a
    /// run).
    ///
    /// # Errors
    /// [`ConfigError`] for the first other field that differs; this config is then unchanged.
    fn change(&mut self, next: Self) -> Result<(), ConfigError> {
        self.check_live(&next)?;
        *self = next;
        Ok(())
    }

    /// Returns an error about this config's value of the field `name` (without its section). `allowed` describes the
    /// allowed values.
    fn refused(&self, name: &str, allowed: impl Into<String>) -> ConfigError {
        field::refused(Self::FIELDS, self.values(), name, allowed.into())
    }
}

/// Test helper: applies `change` to the default config, and returns the error of `check` for the changed config.
///
/// # Panics
/// If the config is accepted.
pub fn refusal<C: Config>(check: fn(&C) -> Result<(), ConfigError>, change: fn(&mut C)) -> ConfigError {
    let mut config = C::default();
    change(&mut config);
    check(&config).unwrap_err()
}

/// Test helper: checks that the fields of a config have unique names, labels, help texts, and defaults within their
/// ranges.
///
/// # Panics
/// If a field violates a condition. The message contains the path of the field.
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
