//! Table of the classic-control environments, and their physical parameters as keyword arguments.

use crate::json::repr;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use serde_json::Value;
use vivarium_config::{Config, Field, FieldKind, set};
use vivarium_envs::{
    ActionSpace, CompiledWorld, Dimension, EnvError, EnvSpec, Environment, Params, each_world,
};

/// Row of the table of environments: description, physical parameters, and constructor.
struct WorldRow {
    spec: &'static EnvSpec,
    /// Physical parameters with their default values.
    fields: Vec<Field>,
    /// Creates the environment from its physical parameters as a JSON object.
    environment: fn(&Value) -> Result<Environment, EnvError>,
}

fn row<W: CompiledWorld>() -> WorldRow {
    WorldRow {
        spec: EnvSpec::of::<W>(),
        fields: W::Params::default().fields(),
        environment: |json| {
            let params = W::Params::from_json(json)?;
            params.check()?;
            Ok(Environment::with_params::<W>(&params))
        },
    }
}

/// Returns the rows of all environments.
fn rows() -> Vec<WorldRow> {
    each_world!(row()).into()
}

/// Creates the environment `name`, such as `cartpole`, with the physical parameters `params`. Parameters that are
/// missing in `params` have their default values.
///
/// # Errors
/// `TypeError` for an unknown parameter or a value of the wrong type; `ValueError` for an unknown environment or a
/// value that is out of range.
pub(crate) fn environment(name: &str, params: &Bound<'_, PyDict>) -> PyResult<Environment> {
    let Some(row) = rows().into_iter().find(|row| row.spec.name == name) else {
        let names: Vec<&str> = rows().iter().map(|row| row.spec.name).collect();
        let message = format!("there is no environment {name:?}; allowed is one of {}", names.join(", "));
        return Err(PyValueError::new_err(message));
    };
    let mut json = Value::Null;
    for (key, value) in params {
        let key: String = key.extract()?;
        let Some(field) = row.fields.iter().find(|field| field.name() == key) else {
            let names: Vec<&str> = row.fields.iter().map(Field::name).collect();
            let message = format!("{name} has no parameter {key:?}; its parameters are {}", names.join(", "));
            return Err(PyTypeError::new_err(message));
        };
        set(&mut json, field.path, parameter(field, &value)?);
    }
    (row.environment)(&json).map_err(|error| match error {
        EnvError::Param(error) => {
            let name = error.field.rsplit('.').next().unwrap_or(error.field);
            PyValueError::new_err(format!("{name} = {}: {}", error.value, error.allowed))
        }
        error => PyValueError::new_err(error.to_string()),
    })
}

/// Converts the value of a physical parameter to JSON.
///
/// # Errors
/// `TypeError` if the value has the wrong type, `ValueError` if it is not finite.
fn parameter(field: &Field, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let refused = || format!("{} = {}: {}", field.name(), repr(value), field.kind);
    let wrong_type = || PyTypeError::new_err(refused());
    if let FieldKind::Text { .. } = field.kind {
        let text = value.cast::<PyString>().map_err(|_| wrong_type())?;
        return Ok(Value::from(text.to_cow()?.into_owned()));
    }
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyString>() {
        return Err(wrong_type());
    }
    let number: f64 = value.extract().map_err(|_| wrong_type())?;
    let checked = field.check(&Value::from(number));
    checked.map_err(|_| PyValueError::new_err(refused()))
}

/// Returns the descriptions of all classic-control environments, each as a dictionary: `name`, `observation` and
/// `state` (a list of `(name, unit, low, high)`), `actions` (the number of discrete actions, or `(low, high)`),
/// `step_limit`, `stochastic` and `parameters` (a list of `(name, default, allowed)`).
#[pyfunction]
pub(crate) fn world_infos(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let dimensions = |dimensions: &[Dimension]| -> Vec<(&'static str, &'static str, f32, f32)> {
        dimensions.iter().map(|of| (of.name, of.unit, of.low, of.high)).collect()
    };
    let info = |row: WorldRow| {
        let info = PyDict::new(py);
        info.set_item("name", row.spec.name)?;
        info.set_item("observation", dimensions(row.spec.observation))?;
        info.set_item("state", dimensions(row.spec.state))?;
        match row.spec.actions {
            ActionSpace::Discrete(count) => info.set_item("actions", count)?,
            ActionSpace::Box { low, high } => info.set_item("actions", (low, high))?,
        }
        info.set_item("step_limit", row.spec.step_limit)?;
        info.set_item("stochastic", row.spec.stochastic)?;
        let mut parameters = Vec::new();
        for field in &row.fields {
            let default = match &field.default {
                Value::String(text) => text.into_pyobject(py)?.into_any(),
                number => number.as_f64().into_pyobject(py)?,
            };
            parameters.push((field.name(), default, field.kind.to_string()));
        }
        info.set_item("parameters", parameters)?;
        Ok(info)
    };
    rows().into_iter().map(info).collect()
}
