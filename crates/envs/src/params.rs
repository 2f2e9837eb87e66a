//! Params of a world: numbers that a user may change, also while it runs.

use crate::error::EnvError;
use serde_json::Value;
use vivarium_config::{Config, Field};

/// The params of a world, all of them real numbers. `Default` gives the rules as published.
pub trait Params: Config + Copy + Send + Sync + 'static {
    /// Checks every param against its range.
    ///
    /// # Errors
    /// [`EnvError::Param`] for the first that is not allowed.
    fn check(&self) -> Result<(), EnvError> {
        Ok(self.check_fields()?)
    }

    /// The smallest and the largest value of each number.
    fn ranges(&self) -> Vec<[f32; 2]> {
        let range = |field: &Field| field.range().map(|range| range.map(|bound| bound as f32));
        Self::FIELDS.iter().filter_map(range).collect()
    }

    /// Every number in the order of the fields.
    fn numbers(&self) -> Vec<f32> {
        let number = |value: Value| value.as_f64().map_or(f32::NAN, |number| number as f32);
        self.values().into_iter().map(number).collect()
    }

    /// The params with these numbers, in the order of the fields.
    ///
    /// # Errors
    /// [`EnvError`] if there are too few or too many, or one is out of range.
    fn from_numbers(numbers: &[f32]) -> Result<Self, EnvError> {
        let expected = Self::FIELDS.len();
        if numbers.len() != expected {
            return Err(EnvError::Length { what: "the list of params", got: numbers.len(), expected });
        }
        let mut json = Value::Null;
        for (field, &number) in Self::FIELDS.iter().zip(numbers) {
            let number = Value::from(vivarium_config::shortest(number));
            vivarium_config::set(&mut json, field.path, field.check(&number)?);
        }
        Ok(Self::from_json(&json)?)
    }
}

impl<P: Config + Copy + Send + Sync + 'static> Params for P {}
