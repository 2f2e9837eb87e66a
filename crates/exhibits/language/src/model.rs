//! Trained language model of a checkpoint file, for text generation without a run.

use super::NAME;
use super::checkpoint::SavedState;
use super::failure::refused_prompt;
use crate::entries::{check_size, min_parameters, read, schema};
use vivarium_graph::Cpu;
use vivarium_kernels::Level;
use vivarium_lab::InferenceNetwork;
use vivarium_lab::checkpoint::{self, Header, Tensor, Tensors};
use vivarium_lab::error::LabError;
use vivarium_lm::{
    Gpt, IncrementalDecoder, LanguageConfig, LanguageError, Sampling, TextGenerator, Tokenizer,
};

/// Trained language model and tokenizer of a checkpoint file, for text generation without a training run.
pub struct Model {
    config: LanguageConfig,
    tokenizer: Tokenizer,
    gpt: Gpt,
}

impl Model {
    /// Loads the model and the tokenizer of a checkpoint file.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if the file is invalid or was saved by another experiment.
    pub fn open(bytes: &[u8]) -> Result<Self, LabError> {
        let (header, tensors) = checkpoint::read(bytes)?;
        if header.experiment != NAME {
            let message = format!("it belongs to {}; a checkpoint of {NAME} is required", header.experiment);
            return Err(LabError::checkpoint(message));
        }
        let config = schema().config_of(&header)?;
        Self::of_parts(&Header { config, ..header }, tensors)
    }

    /// Loads the model and the tokenizer from the header and the tensors of a checkpoint. The config in the header must be
    /// complete and validated.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if the checkpoint is invalid.
    pub(crate) fn of_parts(header: &Header, tensors: Tensors) -> Result<Self, LabError> {
        let config = read(&header.config).map_err(LabError::in_checkpoint)?.learner;
        let tokenizer = SavedState::of(header)?.tokenizer()?.ok_or_else(|| {
            LabError::checkpoint("it has no model: it was saved before the tokenizer was built")
        })?;
        Self::new(config, tokenizer, &tensors.into_vec()).map_err(LabError::in_checkpoint)
    }

    /// Creates a model with the given weights. The config must be valid. Ignores tensors that the model lacks.
    ///
    /// # Errors
    /// [`LabError`] if the model is too large, or if a weight is missing or has the wrong shape.
    pub(crate) fn new(
        config: LanguageConfig,
        tokenizer: Tokenizer,
        weights: &[Tensor],
    ) -> Result<Self, LabError> {
        check_size(&config, tokenizer.vocabulary())?;
        checkpoint::check_min_values(weights, min_parameters(&config))?;
        let mut gpt = Gpt::new(&config, tokenizer.vocabulary(), 0)?;
        gpt.adopt(weights)?;
        Ok(Self { config, tokenizer, gpt })
    }

    pub(crate) fn config(&self) -> &LanguageConfig {
        &self.config
    }

    /// Returns the weights as named tensors.
    pub(crate) fn weights(&self) -> Vec<Tensor> {
        self.gpt.tensors()
    }

    /// Returns the network in the form from which ONNX files are exported: `tokens` \[context, 1\] give `logits`
    /// \[context, vocabulary\].
    ///
    /// # Errors
    /// [`LabError`] if the network cannot be built, which never occurs for a valid model.
    pub(crate) fn inference_network(&self) -> Result<InferenceNetwork, LabError> {
        Ok(self.gpt.inference_network(&self.config)?)
    }

    /// Starts the generation of text after a prompt, with the given sampling settings and seed. Equal arguments result
    /// in equal texts.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the prompt is longer than the context or contains characters outside the vocabulary.
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

    /// Generates one token of the text. Returns the characters that this token completes (possibly none), or `None`
    /// after the end of the document.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if `generator` was started by another model.
    pub fn advance(&self, cpu: &Cpu, generator: &mut TextGenerator) -> Result<Option<String>, LabError> {
        Ok(generator.advance(cpu.level(), &self.gpt, &self.tokenizer)?)
    }

    /// Returns the tokenizer of the model.
    #[must_use]
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// Returns the context length in tokens.
    #[must_use]
    pub fn context(&self) -> usize {
        self.gpt.context()
    }

    /// Returns the logits of the next token after each of `tokens`, a sequence of at most [`context`](Self::context)
    /// tokens: `[tokens, vocabulary]`.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a token outside the vocabulary, or a sequence longer than the context.
    pub fn logits(&self, level: Level, tokens: &[u32]) -> Result<Vec<f32>, LabError> {
        if tokens.len() > self.context() {
            let allowed =
                format!("a sequence has at most {} tokens, the context of the model", self.context());
            return Err(LabError::invalid("tokens", format!("{} tokens", tokens.len()), allowed));
        }
        let vocabulary = self.tokenizer.vocabulary();
        let mut decoder = IncrementalDecoder::new(&self.config, vocabulary).map_err(LanguageError::from)?;
        let mut logits = Vec::with_capacity(tokens.len() * vocabulary);
        for token in tokens {
            logits.extend_from_slice(decoder.forward(level, &self.gpt, &[*token])?);
        }
        Ok(logits)
    }
}

/// Returns header and tensors of a checkpoint with weights only: config, seed, training steps, tokenizer, weights and
/// their evaluation, without optimizer, earlier evaluations and samples. Of the path of the training text, only the name of the file remains. The
/// config names the default optimizer, which all engines support, because a run that opens the file starts a new one.
/// The config in the header must be complete and validated.
///
/// # Errors
/// [`LabError::Checkpoint`] if the checkpoint is invalid.
pub(crate) fn weights_only(header: Header, tensors: Tensors) -> Result<(Header, Vec<Tensor>), LabError> {
    let weights = Model::of_parts(&header, tensors)?.weights();
    let more = SavedState::of(&header)?.of_weights(header.steps);
    let mut config = header.config;
    if let Some(name) = config["data"].as_str().and_then(|path| path.rsplit(['/', '\\']).next()) {
        config["data"] = name.into();
    }
    config["learner"]["optimizer"] = LanguageConfig::default().optimizer.name().into();
    Ok((Header { config, more, ..header }, weights))
}
