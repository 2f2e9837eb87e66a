//! Conversion of errors of the training text, the tokenizer and the model to [`LabError`], whose message the user sees.

use vivarium_lab::LabError;
use vivarium_lm::{DataError, LanguageError, TEXT_FIELD, TokenizerError};

/// Display name of the built-in training text.
pub(crate) const BUILT_IN: &str = "the built-in encyclopedia";

/// Converts an error of the training text `name` to a user-facing error. If the text does not contain the position that
/// a checkpoint stores, returns [`LabError::Checkpoint`]; otherwise [`LabError::Invalid`] for the config field `data`.
pub(crate) fn refused_text(name: &str, error: &DataError) -> LabError {
    match error {
        DataError::Position { .. } => LabError::checkpoint(error.to_string()),
        other => LabError::invalid(TEXT_FIELD, shown(name), other.to_string()),
    }
}

/// Converts an error about a generation prompt to a user-facing error of the field `prompt`.
pub(crate) fn refused_prompt(error: LanguageError) -> LabError {
    match error {
        LanguageError::Prompt { tokens, .. } => {
            LabError::invalid("prompt", format!("{tokens} tokens"), error.to_string())
        }
        LanguageError::Text(_) => LabError::invalid("prompt", "as given", error.to_string()),
        other => other.into(),
    }
}

/// Returns the display name of the training text named `name`; an empty name is the built-in text.
pub(crate) fn shown(name: &str) -> String {
    if name.is_empty() { BUILT_IN.to_owned() } else { vivarium_lab::config::shorten(name) }
}

/// Error of the training text, the tokenizer or the model.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(crate) enum LanguageFailure {
    Text(#[from] DataError),
    Tokenizer(#[from] TokenizerError),
    Model(#[from] LanguageError),
}

impl LanguageFailure {
    /// Converts the error to a [`LabError`], whose message the user sees. `name` is the name of the training text.
    pub(crate) fn refused(self, name: &str) -> LabError {
        match self {
            Self::Text(error) => refused_text(name, &error),
            Self::Tokenizer(error) => LabError::invalid(TEXT_FIELD, shown(name), error.to_string()),
            Self::Model(error) => error.into(),
        }
    }
}
