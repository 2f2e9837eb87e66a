//! What can be changed about a world, also while it runs: named numbers with checked ranges.

use crate::error::EnvError;

/// One number of a world that can be changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// The name in configs, such as `gravity`.
    pub name: &'static str,
    /// The name that a person reads.
    pub label: &'static str,
    /// The unit; empty where it has none.
    pub unit: &'static str,
    /// What it means.
    pub help: &'static str,
    /// The smallest allowed value.
    pub low: f32,
    /// The largest allowed value.
    pub high: f32,
    /// The value of the rules.
    pub default: f32,
}

impl Field {
    /// Refuses what is out of range or not a number.
    ///
    /// # Errors
    /// [`EnvError::OutOfRange`] naming the field, the value and what is allowed.
    pub fn check(&self, value: f32) -> Result<(), EnvError> {
        if value >= self.low && value <= self.high {
            return Ok(());
        }
        Err(EnvError::OutOfRange {
            field: self.name,
            value: shortest(value),
            low: shortest(self.low),
            high: shortest(self.high),
        })
    }
}

/// The `f64` that prints as the `f32` does: 0.1, not 0.10000000149011612.
pub(crate) fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// The changeable numbers of a world. `Default` gives the rules as published.
pub trait Params: Copy + Default + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// The fields, in the order of [`values`](Params::values).
    const FIELDS: &'static [Field];

    /// The values of all fields.
    fn values(&self) -> Vec<f32>;

    /// The place of the field of this number.
    fn value_mut(&mut self, field: usize) -> &mut f32;

    /// Changes one field by its name.
    ///
    /// # Errors
    /// [`EnvError`] if there is no such field or the value is out of range; nothing is changed then.
    fn set(&mut self, name: &str, value: f32) -> Result<(), EnvError> {
        let Some(index) = Self::FIELDS.iter().position(|field| field.name == name) else {
            let names: Vec<_> = Self::FIELDS.iter().map(|field| field.name).collect();
            return Err(EnvError::UnknownField { name: name.to_owned(), allowed: names.join(", ") });
        };
        Self::FIELDS[index].check(value)?;
        *self.value_mut(index) = value;
        Ok(())
    }

    /// Refuses params of which any field is out of range.
    ///
    /// # Errors
    /// [`EnvError::OutOfRange`] for the first such field.
    fn check(&self) -> Result<(), EnvError> {
        Self::FIELDS.iter().zip(self.values()).try_for_each(|(field, value)| field.check(value))
    }

    /// The params with these values, in the order of the fields.
    ///
    /// # Errors
    /// [`EnvError`] if there are too few or too many, or one is out of range.
    fn from_values(values: &[f32]) -> Result<Self, EnvError> {
        let expected = Self::FIELDS.len();
        if values.len() != expected {
            return Err(EnvError::Length { what: "the list of params", got: values.len(), expected });
        }
        let mut params = Self::default();
        for (index, &value) in values.iter().enumerate() {
            *params.value_mut(index) = value;
        }
        params.check()?;
        Ok(params)
    }
}

/// Declares a params struct: each field with its default, its range, its label, unit and help.
macro_rules! params {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($field:ident: $default:literal in $low:literal..=$high:literal, $label:literal, $unit:literal, $help:literal;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $(#[doc = concat!($help, " In ", $unit, ".")] pub $field: f32,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $crate::params::Params for $name {
            const FIELDS: &'static [$crate::params::Field] = &[$($crate::params::Field {
                name: stringify!($field),
                label: $label,
                unit: $unit,
                help: $help,
                low: $low,
                high: $high,
                default: $default,
            },)*];

            fn values(&self) -> Vec<f32> {
                vec![$(self.$field,)*]
            }

            fn value_mut(&mut self, field: usize) -> &mut f32 {
                let fields = [$(&mut self.$field,)*];
                fields.into_iter().nth(field).expect("the number of a field")
            }
        }
    };
}
pub(crate) use params;
