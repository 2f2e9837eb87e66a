//! Checks of arguments that all batches of environments share.

use super::actions::{not_an_array, shape_text};
use numpy::PyArray1;
use numpy::prelude::*;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use vivarium_envs::MAX_ENVS;

/// Checks the number of environments and of threads.
///
/// # Errors
/// `ValueError` for a number that is out of range.
pub(crate) fn check_counts(num_envs: usize, num_threads: usize) -> PyResult<()> {
    for (name, value, most) in [("num_envs", num_envs, MAX_ENVS), ("num_threads", num_threads, 1024)] {
        if !(1..=most).contains(&value) {
            return Err(PyValueError::new_err(format!("{name} is {value}; allowed is 1 to {most}")));
        }
    }
    Ok(())
}

/// Checks the time limit in steps.
///
/// # Errors
/// `ValueError` if the limit is 0.
pub(crate) fn check_step_limit(step_limit: u32) -> PyResult<()> {
    if step_limit == 0 {
        return Err(PyValueError::new_err("max_episode_steps is 0; allowed is 1 or more"));
    }
    Ok(())
}

/// Returns the index of an environment, which must be below `num_envs`.
///
/// # Errors
/// `IndexError` for an index that is out of range.
pub(crate) fn env_index(index: i64, num_envs: usize) -> PyResult<usize> {
    usize::try_from(index).ok().filter(|&index| index < num_envs).ok_or_else(|| {
        let last = num_envs - 1;
        PyIndexError::new_err(format!("environment index {index} is out of range; allowed is 0 to {last}"))
    })
}

/// Returns the indices of the environments whose flag in the reset mask `mask` (`bool` `[num_envs]`) is set.
///
/// # Errors
/// `TypeError` if `mask` is not a `bool` array; `ValueError` for the wrong shape, or if no flag is set.
pub(crate) fn read_mask(mask: &Bound<'_, PyAny>, num_envs: usize) -> PyResult<Vec<usize>> {
    let expected = "an array of dtype bool and shape (num_envs,)";
    let array = mask.cast::<PyArray1<bool>>().map_err(|_| not_an_array("reset_mask", expected, mask))?;
    if array.len() != num_envs {
        let (got, expected) = (shape_text(array.shape()), shape_text(&[num_envs]));
        let message = format!("reset_mask has the shape {got}; expected {expected}");
        return Err(PyValueError::new_err(message));
    }
    let mask = array.try_readonly()?;
    let flags = mask.as_array();
    let indices: Vec<usize> =
        flags.iter().enumerate().filter(|(_, reset)| **reset).map(|(index, _)| index).collect();
    if indices.is_empty() {
        return Err(PyValueError::new_err("reset_mask has no flag that is set; set at least one"));
    }
    Ok(indices)
}
