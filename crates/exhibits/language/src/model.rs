//! What has been learned, to write with.

use super::NAME;
use super::checkpoint::{SavedState, least};
use super::failure::refused_prompt;
use crate::entries::{check_size, read, schema};
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint;
use vivarium_lab::error::LabError;
use vivarium_lm::{Gpt, LanguageConfig, Sampling, TextGenerator, Tokenizer};

/// The model of a checkpoint with its tokenizer. It needs no text.
pub struct Model {
    config: LanguageConfig,
    tokenizer: Tokenizer,
    gpt: Gpt,
}

impl Model {
    /// The one in the bytes of a checkpoint.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] saying what is wrong with the file, or whose it is.
    pub fn open(bytes: &[u8]) -> Result<Self, LabError> {
        let (header, tensors) = checkpoint::read(bytes)?;
        if header.experiment != NAME {
            let message = format!("it is one of {}, and one of {NAME} is needed", header.experiment);
            return Err(LabError::checkpoint(message));
        }
        let config = schema().config_of(&header)?;
        let config = read(&config).map_err(LabError::in_checkpoint)?.learner;
        let tokenizer = SavedState::of(&header)?.tokenizer()?.ok_or_else(|| {
            LabError::checkpoint("nothing has been learned yet: it was saved before there was a tokenizer")
        })?;
        check_size(&config, tokenizer.vocabulary()).map_err(LabError::in_checkpoint)?;
        tensors.check_min_values(least(&config))?;
        let gpt = Gpt::new(&config, tokenizer.vocabulary(), 0);
        let mut gpt = gpt.map_err(|error| LabError::from(error).in_checkpoint())?;
        gpt.adopt(&tensors.into_vec()).map_err(|error| LabError::from(error).in_checkpoint())?;
        Ok(Self { config, tokenizer, gpt })
    }

    /// Reads a prompt, to write on where it ends. The same seed gives the same text.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a prompt that is longer than the model sees at once, or has characters that it does not know.
    pub fn begin(
        &self,
        cpu: &Cpu,
        prompt: &str,
        sampling: Sampling,
        seed: u64,
    ) -> Result<TextGenerator, LabError> {
        let Self { config, tokenizer, gpt } = self;
        TextGenerator::new(cpu.level(), config, gpt, tokenizer, prompt, (sampling, seed))
            .map_err(refused_prompt)
    }

    /// Writes one token more, and gives the characters that are complete with it, perhaps none; `None` once the text has come
    /// to its end.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a text that another model began.
    pub fn advance(&self, cpu: &Cpu, writing: &mut TextGenerator) -> Result<Option<String>, LabError> {
        Ok(writing.advance(cpu.level(), &self.gpt, &self.tokenizer)?)
    }
}
