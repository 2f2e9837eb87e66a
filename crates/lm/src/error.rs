//! Why a model could not be made or could not go on.

use crate::tokenizer::TokenizerError;
use vivarium_config::ConfigError;
use vivarium_graph::{GraphError, TensorError};
use vivarium_learn::{Fault, NotFinite};

/// Why a model could not be made or could not go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LanguageError {
    /// A field of the config is not acceptable.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The network cannot be built.
    #[error(transparent)]
    Network(#[from] GraphError),
    /// A state is not one of this model.
    #[error(transparent)]
    State(#[from] TensorError),
    /// Text that has no tokens, or tokens that have no text.
    #[error(transparent)]
    Text(#[from] TokenizerError),
    /// A prompt that the model cannot see as a whole.
    #[error("the prompt has {tokens} tokens; allowed: up to {context}, which the model sees at once")]
    Prompt {
        /// Tokens of the prompt.
        tokens: usize,
        /// Tokens that the model sees.
        context: usize,
    },
    /// A model over no tokens, or over too many.
    #[error("a vocabulary of {vocabulary} tokens; allowed: 1 to {most}")]
    Vocabulary {
        /// Tokens asked for.
        vocabulary: usize,
        /// The most there may be.
        most: usize,
    },
    /// Sequences of another length.
    #[error("{tokens} tokens; allowed: sequences of {len} tokens each, one at least")]
    Length {
        /// Tokens given.
        tokens: usize,
        /// Tokens of a sequence: one more than the context, for the last one is only a target.
        len: usize,
    },
    /// A token that is not in the vocabulary.
    #[error("token {token} at place {place}; allowed: 0 to {}", vocabulary - 1)]
    Token {
        /// Which one of those given.
        place: usize,
        /// What it was.
        token: u32,
        /// How many tokens there are.
        vocabulary: usize,
    },
    /// Another number of sequences than a device was prepared for.
    #[cfg(feature = "gpu")]
    #[error("{rows} sequences; allowed: {batch}, for which the GPU has been prepared")]
    Rows {
        /// Sequences given.
        rows: usize,
        /// Sequences of a gradient step.
        batch: usize,
    },
    /// The GPU refused, or is gone.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] vivarium_gpu::GpuError),
    /// Training diverged.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
}

impl From<LanguageError> for Fault {
    fn from(error: LanguageError) -> Self {
        match error {
            LanguageError::Config(error) => Self::Config(error),
            LanguageError::State(error) => Self::State(error.to_string()),
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
