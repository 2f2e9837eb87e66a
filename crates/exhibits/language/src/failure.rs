//! Refusals by the text and the learner, in the lab's words.

use vivarium_lab::LabError;
use vivarium_lm::{DataError, LanguageError, TokenizerError};

/// What the built-in text is called.
pub(crate) const BUILT_IN: &str = "the built-in encyclopedia";

/// A refusal of the text called `name`, in the lab's words. That a place in it does not exist is a matter of the checkpoint
/// which names the place.
pub(crate) fn refused_text(name: &str, error: &DataError) -> LabError {
    match error {
        DataError::Position { .. } => LabError::checkpoint(error.to_string()),
        other => LabError::invalid("data", shown(name), other.to_string()),
    }
}

/// A refusal of a prompt by the tokenizer or the model, in the lab's words.
pub(crate) fn refused_prompt(error: LanguageError) -> LabError {
    match error {
        LanguageError::Prompt { tokens, .. } => {
            LabError::invalid("prompt", format!("{tokens} tokens"), error.to_string())
        }
        LanguageError::Text(_) => LabError::invalid("prompt", "as given", error.to_string()),
        other => other.into(),
    }
}

/// What a text is called, for a person.
pub(crate) fn shown(name: &str) -> String {
    if name.is_empty() { BUILT_IN.to_owned() } else { vivarium_lab::config::shorten(name) }
}

/// Why something asked of text, tokenizer or model did not work.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(crate) enum LanguageFailure {
    Text(#[from] DataError),
    Tokenizer(#[from] TokenizerError),
    Model(#[from] LanguageError),
}

impl LanguageFailure {
    /// The refusal, in the lab's words; `name` is that of the text.
    pub(crate) fn refused(self, name: &str) -> LabError {
        match self {
            Self::Text(error) => refused_text(name, &error),
            Self::Tokenizer(error) => LabError::invalid("data", shown(name), error.to_string()),
            Self::Model(error) => error.into(),
        }
    }
}
