//! Physical parameters of an environment, which may change during a run.

use crate::error::EnvError;
use serde_json::Value;
use vivarium_config::{Config, Field};

/// Physical parameters of an environment, all real numbers. `Default` returns the published values.
pub trait Params: Config + Copy + Send + Sync + 'static {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// [`EnvError::Param`] for the first parameter that is out of range.
    fn check(&self) -> Result<(), EnvError> {
        Ok(self.check_fields()?)
    }

    /// Returns the smallest and largest allowed value of each parameter, in the order of the fields.
    fn ranges(&self) -> Vec<[f32; 2]> {
        let range = |field: &Field| field.range().map(|range| range.map(|bound| bound as f32));
        Self::FIELDS.iter().filter_map(range).collect()
    }

    /// Returns the values of all parameters, in the order of the fields.
    fn numbers(&self) -> Vec<f32> {
        let number = |value: Value| value.as_f64().map_or(f32::NAN, |number| number as f32);
        self.values().into_iter().map(number).collect()
    }

    /// Creates parameters from their values, in the order of the fields.
    ///
    /// # Errors
    /// [`EnvError`] if the number of values is wrong or a value is out of range.
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
