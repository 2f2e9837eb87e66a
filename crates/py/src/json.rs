//! Conversion between JSON values and Python objects.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Value};

/// Maximum nesting depth of dictionaries and lists. The limit prevents a stack overflow for an object that contains
/// itself.
const MAX_DEPTH: usize = 32;

/// Converts a JSON value to Python objects: dictionaries, lists, strings, numbers, Booleans and `None`.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(whole), _) => PyInt::new(py, whole).into_any(),
            (None, Some(whole)) => PyInt::new(py, whole).into_any(),
            (None, None) => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(values) => {
            let list = PyList::empty(py);
            values.iter().try_for_each(|value| list.append(to_python(py, value)?))?;
            list.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            fields.iter().try_for_each(|(name, value)| dict.set_item(name, to_python(py, value)?))?;
            dict.into_any()
        }
    })
}

/// Converts Python objects to a JSON value. Accepts dictionaries with string keys, lists, tuples, strings, bytes, numbers
/// and `None`, and objects with a method `tolist`, such as NumPy arrays and scalars. `path` names the value in errors.
///
/// # Errors
/// `TypeError` for another type, `ValueError` for a number that is not finite, or for too many nested objects.
pub(crate) fn from_python(value: &Bound<'_, PyAny>, path: &str) -> PyResult<Value> {
    nested(value, path, 0)
}

fn nested(value: &Bound<'_, PyAny>, path: &str, depth: usize) -> PyResult<Value> {
    if depth > MAX_DEPTH {
        let allowed = format!("allowed are at most {MAX_DEPTH} nested dictionaries and lists");
        return Err(PyValueError::new_err(format!("{path}: {allowed}")));
    }
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().into());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned().into());
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().into());
    }
    if value.is_instance_of::<PyInt>() {
        return integer(value, path);
    }
    if value.is_instance_of::<PyFloat>() {
        let number: f64 = value.extract()?;
        return serde_json::Number::from_f64(number)
            .map(Value::Number)
            .ok_or_else(|| PyValueError::new_err(format!("{path} = {number}: it must be a finite number")));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let mut fields = Map::new();
        for (key, value) in dict {
            let Ok(key) = key.cast::<PyString>() else {
                let message = format!("{path} has the key {}; keys must be strings", repr(&key));
                return Err(PyTypeError::new_err(message));
            };
            let key = key.to_cow()?.into_owned();
            let converted = nested(&value, &format!("{path}.{key}"), depth + 1)?;
            fields.insert(key, converted);
        }
        return Ok(fields.into());
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let item = |(index, value): (usize, PyResult<Bound<'_, PyAny>>)| {
            nested(&value?, &format!("{path}[{index}]"), depth + 1)
        };
        return value.try_iter()?.enumerate().map(item).collect::<PyResult<Vec<_>>>().map(Value::from);
    }
    if value.hasattr("tolist")? {
        return nested(&value.call_method0("tolist")?, path, depth + 1);
    }
    Err(PyTypeError::new_err(format!(
        "{path} = {}: it must be a dictionary, list, string, number, Boolean or None",
        repr(value)
    )))
}

fn integer(value: &Bound<'_, PyAny>, path: &str) -> PyResult<Value> {
    if let Ok(whole) = value.extract::<u64>() {
        return Ok(whole.into());
    }
    let whole = value
        .extract::<i64>()
        .map_err(|_| PyValueError::new_err(format!("{path} = {}: it must fit into 64 bits", repr(value))))?;
    Ok(whole.into())
}

/// Returns the `repr` of a Python value, for an error message.
pub(crate) fn repr(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| "an object without repr".to_owned(), |text| text.to_string())
}
