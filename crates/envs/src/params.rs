//! Physical parameters of an environment, which may change during a run.

use crate::error::EnvError;
use serde_json::Value;
use vivarium_config::{Config, Field};

/// Physical parameters of an environment. `Default` returns the published values.
pub trait Params: Config + Copy + Send + Sync + 'static {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// [`EnvError::Param`] for the first parameter that is out of range.
    fn check(&self) -> Result<(), EnvError> {
        Ok(self.check_fields()?)
    }

    /// Returns the smallest and largest allowed value of each numeric parameter, in the order of the fields.
    fn ranges(&self) -> Vec<[f32; 2]> {
        let range = |field: &Field| field.range().map(|range| range.map(|bound| bound as f32));
        Self::FIELDS.iter().filter_map(range).collect()
    }

    /// Returns the values of the numeric parameters, in the order of the fields.
    fn numbers(&self) -> Vec<f32> {
        self.values().into_iter().filter_map(|value| value.as_f64()).map(|number| number as f32).collect()
    }

    /// Creates parameters from the values of the numeric parameters, in the order of the fields. Other parameters have
    /// their default values.
    ///
    /// # Errors
    /// [`EnvError`] if the number of values is wrong or a value is out of range.
    fn from_numbers(numbers: &[f32]) -> Result<Self, EnvError> {
        let numeric = || Self::FIELDS.iter().filter(|field| field.range().is_some());
        let expected = numeric().count();
        if numbers.len() != expected {
            return Err(EnvError::Length { what: "the list of params", got: numbers.len(), expected });
        }
        let mut json = Value::Null;
        for (field, &number) in numeric().zip(numbers) {
            let number = Value::from(vivarium_config::shortest(number));
            vivarium_config::set(&mut json, field.path, field.check(&number)?);
        }
        Ok(Self::from_json(&json)?)
    }
}

impl<P: Config + Copy + Send + Sync + 'static> Params for P {}
