//! A value on its way from a front end to the family that knows its type.

use crate::error::LabError;
use serde::de::DeserializeOwned;
use serde::{Deserializer, Serialize};

/// Something that can be deserialized, such as an object of JavaScript.
pub struct Message<'a>(Box<dyn erased_serde::Deserializer<'a> + 'a>);

impl<'a> Message<'a> {
    /// A message in any format.
    pub fn new(deserializer: impl Deserializer<'a> + 'a) -> Self {
        Self(Box::new(<dyn erased_serde::Deserializer<'_>>::erase(deserializer)))
    }

    /// A message that holds this value.
    ///
    /// # Errors
    /// [`LabError::Unreadable`] for a value that has no form in JSON.
    pub fn of(value: &impl Serialize) -> Result<Self, LabError> {
        Ok(Self::new(serde_json::to_value(value).map_err(unreadable)?))
    }

    /// The value that it holds.
    ///
    /// # Errors
    /// [`LabError::Unreadable`] saying what does not fit.
    pub fn read<T: DeserializeOwned>(mut self) -> Result<T, LabError> {
        erased_serde::deserialize(&mut *self.0).map_err(unreadable)
    }
}

fn unreadable(error: impl ToString) -> LabError {
    LabError::Unreadable { message: error.to_string() }
}
