//! References to the model, the config and the tokenizer with which a text is generated.

use crate::failure::refused_prompt;
use crate::trained_model::TrainedModel;
use vivarium_kernels::{Level, simd};
use vivarium_lab::error::LabError;
use vivarium_lm::{Gpt, LanguageConfig, LanguageError, Tokenizer};

/// References to the model, the config and the tokenizer with which a text is generated.
pub(crate) struct GenerationModel<'a> {
    pub(crate) level: Level,
    pub(crate) config: &'a LanguageConfig,
    pub(crate) gpt: &'a Gpt,
    pub(crate) tokenizer: &'a Tokenizer,
}

impl<'a> GenerationModel<'a> {
    /// Returns references to the model in training, its config and its tokenizer; `None` before the tokenizer is built.
    pub(crate) fn new(model: Option<&'a TrainedModel>, config: &'a LanguageConfig) -> Option<Self> {
        let model = model?;
        let (gpt, tokenizer) = (model.trainer().model(), &*model.tokenizer);
        Some(Self { level: simd::level(), config, gpt, tokenizer })
    }

    /// Encodes a prompt as tokens. An empty prompt becomes the token that precedes a document.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the prompt is longer than the context or contains characters outside the vocabulary.
    pub(crate) fn tokens(&self, prompt: &str) -> Result<Vec<u32>, LabError> {
        let tokens = self.tokenizer.tokens(prompt).map_err(|error| refused_prompt(error.into()))?;
        if tokens.len() > self.gpt.context() {
            let error = LanguageError::Prompt { tokens: tokens.len(), context: self.gpt.context() };
            return Err(refused_prompt(error));
        }
        Ok(if tokens.is_empty() { vec![self.tokenizer.beginning()] } else { tokens })
    }
}
