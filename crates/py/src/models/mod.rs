//! Trained models of checkpoints: policies, players of board games, solvers of cubes, language models, logic
//! automata.

mod automaton;
mod common;
mod language;
mod player;
mod policy;
mod solver;

use crate::error::{detached, lab_exception};
use automaton::NativeAutomaton;
use language::NativeLanguageModel;
use player::NativePlayer;
use policy::NativePolicy;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use solver::NativeSolver;
use vivarium_exhibit_language::HuggingFaceModel;
use vivarium_lab::checkpoint::read_header;

/// Adds the classes and functions of this module to the Python module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NativePolicy>()?;
    module.add_class::<NativePlayer>()?;
    module.add_class::<NativeSolver>()?;
    module.add_class::<NativeLanguageModel>()?;
    module.add_class::<NativeAutomaton>()?;
    module.add_function(wrap_pyfunction!(checkpoint_header, module)?)?;
    module.add_function(wrap_pyfunction!(huggingface_checkpoint, module)?)?;
    module.add_function(wrap_pyfunction!(onnx, module)?)
}

/// Returns the name of the experiment and the number of training steps in the header of a checkpoint.
#[pyfunction]
fn checkpoint_header(checkpoint: &[u8]) -> PyResult<(String, u64)> {
    let header = read_header(checkpoint).map_err(lab_exception)?;
    Ok((header.experiment, header.steps))
}

/// Converts a GPT-2 model, in the contents of `config.json`, `model.safetensors` and `tokenizer.json`, to a checkpoint.
#[pyfunction]
fn huggingface_checkpoint<'py>(
    py: Python<'py>,
    config: &[u8],
    weights: &[u8],
    tokenizer: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let convert = || HuggingFaceModel::open([config, weights, tokenizer])?.checkpoint(&json!({}), 1);
    let bytes = detached(py, || convert().map_err(lab_exception))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Returns the network of a checkpoint as the bytes of an ONNX file.
#[pyfunction]
fn onnx<'py>(py: Python<'py>, checkpoint: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = detached(py, || vivarium_exhibits::onnx(checkpoint).map_err(lab_exception))?;
    Ok(PyBytes::new(py, &bytes))
}
