//! Errors of models, training and text generation.

use crate::data::DataError;
use crate::tokenizer::TokenizerError;
use vivarium_config::ConfigError;
use vivarium_graph::{GraphError, TensorError};
use vivarium_learn::{LearnerFault, NotFinite};

/// Error of building, training, restoring or sampling a language model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LanguageError {
    /// A field of the model's config is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The computation graph of the model cannot be built.
    #[error(transparent)]
    Network(#[from] GraphError),
    /// A saved state does not match the model.
    #[error(transparent)]
    State(#[from] TensorError),
    /// Text cannot be encoded, or tokens cannot be decoded.
    #[error(transparent)]
    Text(#[from] TokenizerError),
    /// The training text cannot be read or tokenized.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A prompt is longer than the context.
    #[error("the prompt has {tokens} tokens; the context length is {context}: use a shorter prompt")]
    Prompt {
        /// Number of tokens of the prompt.
        tokens: usize,
        /// Context length of the model, in tokens.
        context: usize,
    },
    /// The vocabulary is empty or too large.
    #[error("vocabulary size {vocabulary}; allowed: 1 to {most}")]
    Vocabulary {
        /// Requested vocabulary size.
        vocabulary: usize,
        /// Largest supported vocabulary size, in tokens.
        most: usize,
    },
    /// The number of tokens is not a positive multiple of the sequence length.
    #[error("{tokens} tokens; allowed: a positive multiple of the sequence length {len}")]
    Length {
        /// Number of tokens in the argument that was rejected.
        tokens: usize,
        /// Sequence length in tokens: context + 1, because the last token is only a target.
        len: usize,
    },
    /// A token is outside the vocabulary of the model.
    #[error("token {token} at index {place}; allowed: 0 to {}", vocabulary - 1)]
    Token {
        /// Index of the invalid token in the rejected token sequence.
        place: usize,
        /// The token that is outside the vocabulary.
        token: u32,
        /// Vocabulary size of the model, in tokens.
        vocabulary: usize,
    },
    /// The number of sequences of a gradient step differs from the batch size for which the GPU kernels were compiled.
    #[cfg(feature = "gpu")]
    #[error("{rows} sequences; the GPU plan is compiled for a batch of {batch}")]
    Rows {
        /// Number of sequences in the batch that was rejected.
        rows: usize,
        /// Number of sequences per gradient step for which the GPU kernels were compiled.
        batch: usize,
    },
    /// The GPU returned an error, or the device was lost.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] vivarium_gpu::GpuError),
    /// Training diverged: the loss or the gradient is not finite.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
}

/// Name of the config field that names the training text. Learners do not have the name of the text: their errors about
/// the text name this field, with a placeholder as its value. Front ends replace the placeholder.
pub const TEXT_FIELD: &str = "data";

impl From<LanguageError> for LearnerFault {
    fn from(error: LanguageError) -> Self {
        match error {
            LanguageError::Config(error) => Self::Config(error),
            LanguageError::State(error) => Self::State(error.to_string()),
            LanguageError::Data(error @ DataError::Position { .. }) => Self::State(error.to_string()),
            LanguageError::Data(error) => Self::Config(ConfigError {
                field: TEXT_FIELD,
                value: "as given".into(),
                allowed: error.to_string(),
            }),
            LanguageError::NotFinite(error) => Self::Diverged(error.to_string()),
            #[cfg(feature = "gpu")]
            LanguageError::Gpu(error) => Self::Gpu(error),
            other => Self::Refused(other.to_string()),
        }
    }
}

#[cfg(feature = "gpu")]
impl From<vivarium_learn::StepError> for LanguageError {
    fn from(error: vivarium_learn::StepError) -> Self {
        match error {
            vivarium_learn::StepError::Gpu(error) => error.into(),
            vivarium_learn::StepError::NotFinite(error) => error.into(),
        }
    }
}
