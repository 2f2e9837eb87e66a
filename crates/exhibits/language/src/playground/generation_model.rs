//! What is written with.

use crate::failure::refused_prompt;
use crate::trained_model::TrainedModel;
use vivarium_kernels::{Level, simd};
use vivarium_lab::error::LabError;
use vivarium_lm::{Gpt, LanguageConfig, LanguageError, Tokenizer};

/// A model, and the tokens that it knows.
pub(crate) struct GenerationModel<'a> {
    pub(crate) level: Level,
    pub(crate) config: &'a LanguageConfig,
    pub(crate) gpt: &'a Gpt,
    pub(crate) tokenizer: &'a Tokenizer,
}

impl<'a> GenerationModel<'a> {
    /// The model as it is now; `None` before there is a tokenizer.
    pub(crate) fn new(model: Option<&'a TrainedModel>, config: &'a LanguageConfig) -> Option<Self> {
        let TrainedModel { tokenizer, trainer } = model?;
        Some(Self { level: simd::level(), config, gpt: trainer.model(), tokenizer })
    }

    /// The tokens of a prompt; of an empty one, that which stands before a document.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for more than the model sees at once, or characters that it does not know.
    pub(crate) fn tokens(&self, prompt: &str) -> Result<Vec<u32>, LabError> {
        let tokens = self.tokenizer.tokens(prompt).map_err(|error| refused_prompt(error.into()))?;
        if tokens.len() > self.gpt.context() {
            let error = LanguageError::Prompt { tokens: tokens.len(), context: self.gpt.context() };
            return Err(refused_prompt(error));
        }
        Ok(if tokens.is_empty() { vec![self.tokenizer.beginning()] } else { tokens })
    }
}
