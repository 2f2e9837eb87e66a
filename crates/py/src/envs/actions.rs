//! Actions: conversion from NumPy arrays to the `f32` values of the environments.

use crate::json::repr;
use numpy::prelude::*;
use numpy::{PyArray1, PyArray2, PyUntypedArray};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::borrow::Cow;
use vivarium_envs::ActionSpace;

/// Writes the actions of a batch to `out` `[num_envs]`. Discrete actions are an integer array `[num_envs]`, continuous
/// actions a floating-point array `[num_envs, 1]`; other objects are converted by `numpy.asarray`.
///
/// # Errors
/// `TypeError` for the wrong dtype; `ValueError` for the wrong shape, or an action that is not in the action space.
pub(crate) fn read_actions(actions: &Bound<'_, PyAny>, space: ActionSpace, out: &mut [f32]) -> PyResult<()> {
    match space {
        ActionSpace::Discrete(count) => {
            // The usual dtype, without a lookup of dtypes.
            if let Ok(array) = actions.cast::<PyArray1<i64>>() {
                return read_discrete(array, count as i64, out);
            }
            let array = checked(actions, "iu", "an integer dtype, such as int64", &[out.len()])?;
            let array = array.call_method1("astype", ("int64",))?;
            read_discrete(array.cast::<PyArray1<i64>>()?, count as i64, out)
        }
        ActionSpace::Box { .. } => {
            if let Ok(array) = actions.cast::<PyArray2<f32>>() {
                return read_continuous(array, out);
            }
            let array = checked(actions, "f", "a floating-point dtype, such as float32", &[out.len(), 1])?;
            let array = array.call_method1("astype", ("float32",))?;
            read_continuous(array.cast::<PyArray2<f32>>()?, out)
        }
    }
}

/// Converts `actions` to an array, and checks that the kind of its dtype is one of the letters `kinds` and that it has
/// the shape `shape`.
fn checked<'py>(
    actions: &Bound<'py, PyAny>,
    kinds: &str,
    expected: &str,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let array = actions.py().import("numpy")?.call_method1("asarray", (actions,))?;
    let untyped = array.cast::<PyUntypedArray>()?;
    check_shape(untyped.shape(), shape)?;
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if !kinds.contains(&kind) {
        let name = dtype.str()?;
        return Err(PyTypeError::new_err(format!("actions have the dtype {name}; expected {expected}")));
    }
    Ok(array)
}

fn check_shape(got: &[usize], expected: &[usize]) -> PyResult<()> {
    if got == expected {
        return Ok(());
    }
    let (got, expected) = (shape_text(got), shape_text(expected));
    Err(PyValueError::new_err(format!("actions have the shape {got}; expected {expected}")))
}

/// Returns a shape as Python prints it, such as `(4, 1)`.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    match shape {
        [len] => format!("({len},)"),
        lens => format!("({})", lens.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

fn read_discrete(array: &Bound<'_, PyArray1<i64>>, count: i64, out: &mut [f32]) -> PyResult<()> {
    check_shape(array.shape(), &[out.len()])?;
    let array = array.try_readonly()?;
    let actions = array.as_slice().map_or_else(|_| array.to_owned_array().to_vec().into(), Cow::Borrowed);
    // A loop without an early return is compiled to SIMD instructions.
    let is_refused = |action: i64| !(0..count).contains(&action);
    if actions.iter().fold(false, |refused, &action| refused | is_refused(action)) {
        let index = actions.iter().position(|&action| is_refused(action)).unwrap_or(0);
        let (action, last) = (actions[index], count - 1);
        let message = format!(
            "the action of environment {index} is {action}; allowed is a whole number from 0 to {last}"
        );
        return Err(PyValueError::new_err(message));
    }
    for (&action, out) in actions.iter().zip(out) {
        *out = action as i32 as f32;
    }
    Ok(())
}

fn read_continuous(array: &Bound<'_, PyArray2<f32>>, out: &mut [f32]) -> PyResult<()> {
    check_shape(array.shape(), &[out.len(), 1])?;
    let array = array.try_readonly()?;
    for (&action, out) in array.as_array().iter().zip(&mut *out) {
        *out = action;
    }
    if let Some(index) = out.iter().position(|action| action.is_nan()) {
        let message = format!("the action of environment {index} is nan; allowed is a number");
        return Err(PyValueError::new_err(message));
    }
    Ok(())
}

/// Returns the `TypeError` for the argument `name`, which is not an array of the expected kind. The message states the
/// expected kind, and the dtype and shape of the argument.
pub(crate) fn not_an_array(name: &str, expected: &str, got: &Bound<'_, PyAny>) -> PyErr {
    let of = match (got.getattr("dtype"), got.getattr("shape")) {
        (Ok(dtype), Ok(shape)) => format!("an array of dtype {dtype} and shape {shape}"),
        _ => repr(got),
    };
    PyTypeError::new_err(format!("{name} must be {expected}; got {of}"))
}
