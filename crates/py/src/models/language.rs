//! The class `NativeLanguageModel`: a trained language model with its tokenizer.

use crate::error::{detached, invalid, lab_exception};
use crate::threads;
use numpy::prelude::*;
use numpy::{PyArray1, PyArray3, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;
use vivarium_exhibit_language::Model;
use vivarium_lm::Sampling;

/// Maximum sampling temperature.
const MAX_TEMPERATURE: f32 = 100.0;

/// Number of generated tokens between two checks for signals.
const TOKENS_PER_CHECK: usize = 8;

/// Trained language model of a checkpoint: the native part of the Python class `vivarium_ml.LanguageModel`.
#[pyclass(module = "vivarium_ml._core", frozen)]
pub(crate) struct NativeLanguageModel {
    model: Model,
}

#[pymethods]
impl NativeLanguageModel {
    #[new]
    fn new(py: Python<'_>, checkpoint: &[u8]) -> PyResult<Self> {
        let model = detached(py, || Model::open(checkpoint).map_err(lab_exception))?;
        Ok(Self { model })
    }

    /// Context length in tokens.
    #[getter]
    fn context(&self) -> usize {
        self.model.context()
    }

    /// Number of tokens of the vocabulary.
    #[getter]
    fn vocabulary(&self) -> usize {
        self.model.tokenizer().vocabulary()
    }

    /// End-of-document token; `None` for a character-level vocabulary.
    #[getter]
    fn end_of_document(&self) -> Option<u32> {
        self.model.tokenizer().end_of_document()
    }

    /// Returns the tokens of a text (`int64` `[n]`).
    fn tokenize<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let tokens = self.model.tokenizer().tokens(text);
        let tokens = tokens.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PyArray1::from_vec(py, tokens.into_iter().map(i64::from).collect()))
    }

    /// Decodes tokens to text. Bytes that are not UTF-8 become U+FFFD.
    fn detokenize(&self, tokens: Vec<i64>) -> PyResult<String> {
        let tokens = self.checked(tokens.into_iter())?;
        let text = self.model.tokenizer().text(&tokens);
        text.map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Returns the logits of the next token after each token of `tokens` (`int64` `[batch, time]`): `float32` `[batch,
    /// time, vocabulary]`. The interpreter lock is released during the call.
    fn logits<'py>(
        &self,
        py: Python<'py>,
        tokens: PyReadonlyArray2<'py, i64>,
    ) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let &[batch, time] = tokens.shape() else {
            return Err(PyValueError::new_err("tokens must have the shape (batch, time)"));
        };
        let rows = self.checked(tokens.as_array().iter().copied())?;
        let cpu = threads::cpu()?;
        let logits = detached(py, || {
            let of_row = |row: &[u32]| self.model.logits(cpu.level(), row);
            let rows: Vec<&[u32]> = rows.chunks(time.max(1)).collect();
            let logits = cpu.install(|| rows.into_par_iter().map(of_row).collect::<Result<Vec<_>, _>>());
            Ok(logits.map_err(lab_exception)?.concat())
        })?;
        PyArray1::from_vec(py, logits).reshape([batch, time, self.vocabulary()])
    }

    /// Generates at most `max_tokens` tokens of text after `prompt`, and returns the text without the prompt.
    /// Generation stops earlier at the end of a document.
    #[pyo3(signature = (prompt, max_tokens, temperature, top_k, seed))]
    fn generate(
        &self,
        py: Python<'_>,
        prompt: &str,
        max_tokens: usize,
        temperature: f32,
        top_k: usize,
        seed: u64,
    ) -> PyResult<String> {
        if !(0.0..=MAX_TEMPERATURE).contains(&temperature) {
            return Err(invalid("temperature", temperature, &format!("allowed is 0 to {MAX_TEMPERATURE}")));
        }
        let (cpu, sampling) = (threads::cpu()?, Sampling { temperature, top_k });
        let begun = detached(py, || self.model.begin(cpu, prompt, sampling, seed).map_err(lab_exception));
        let (mut generator, mut text, mut left) = (begun?, String::new(), max_tokens);
        while left > 0 {
            let count = left.min(TOKENS_PER_CHECK);
            let is_over = detached(py, || {
                for _ in 0..count {
                    let written = self.model.advance(cpu, &mut generator).map_err(lab_exception)?;
                    let Some(written) = written else { return Ok(true) };
                    text.push_str(&written);
                }
                Ok(false)
            })?;
            py.check_signals()?;
            left = if is_over { 0 } else { left - count };
        }
        Ok(text)
    }

    /// Returns the files of a folder that `transformers` opens as a GPT-2 model: pairs of name and contents.
    fn hugging_face<'py>(&self, py: Python<'py>) -> PyResult<Vec<(&'static str, Bound<'py, PyBytes>)>> {
        let files = detached(py, || self.model.hugging_face().map_err(lab_exception))?;
        Ok(files.iter().map(|(name, bytes)| (*name, PyBytes::new(py, bytes))).collect())
    }
}

impl NativeLanguageModel {
    /// Converts tokens to `u32`, and checks that each token is in the vocabulary.
    fn checked(&self, tokens: impl Iterator<Item = i64>) -> PyResult<Vec<u32>> {
        let vocabulary = self.vocabulary();
        let checked = |token: i64| {
            let known = u32::try_from(token).ok().filter(|&token| (token as usize) < vocabulary);
            let most = vocabulary - 1;
            known.ok_or_else(|| {
                invalid("tokens", token, &format!("allowed is a whole number from 0 to {most}"))
            })
        };
        tokens.map(checked).collect()
    }
}
