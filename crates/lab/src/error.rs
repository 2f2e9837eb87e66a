//! Errors that a person reads: what was wrong, where, what is allowed.

use serde::{Deserialize, Serialize};
use vivarium_learn::LearnerFault;

/// Why something asked of the lab was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LabError {
    /// A config field, command or argument was not acceptable.
    #[error("{field} = {value}: {allowed}")]
    Invalid {
        /// Dotted path of the field.
        field: String,
        /// The value given.
        value: String,
        /// What is allowed, as a sentence.
        allowed: String,
    },
    /// A command or a view is not one that the experiment knows.
    #[error("not understood: {message}")]
    Unreadable {
        /// What does not fit, and what would.
        message: String,
    },
    /// A checkpoint could not be opened.
    #[error("checkpoint: {message}")]
    Checkpoint {
        /// What was wrong with the file.
        message: String,
    },
    /// An engine cannot be used.
    #[error("{message}")]
    Engine {
        /// Which, why, and what is allowed.
        message: String,
    },
    /// Training diverged, and there is no good state left to return to.
    #[error("training diverged: {message}")]
    Diverged {
        /// What went wrong, and what to try.
        message: String,
    },
}

/// From a config's refusal, and from every learner's error.
impl<E: Into<LearnerFault>> From<E> for LabError {
    fn from(error: E) -> Self {
        match error.into() {
            LearnerFault::Config(error) => Self::invalid(error.field, error.value, error.allowed),
            LearnerFault::State(message) => Self::checkpoint(message),
            LearnerFault::Diverged(message) => Self::Diverged { message },
            #[cfg(feature = "gpu")]
            LearnerFault::Gpu(error) => Self::engine(error.to_string()),
            LearnerFault::Refused(reason) => Self::invalid("config", "as given", reason),
        }
    }
}

impl LabError {
    /// A field, its value as shown, and what is allowed.
    pub fn invalid(field: impl Into<String>, value: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self::Invalid { field: field.into(), value: value.into(), allowed: allowed.into() }
    }

    /// Why an engine cannot be used.
    pub fn engine(message: impl Into<String>) -> Self {
        Self::Engine { message: message.into() }
    }

    /// What is wrong with a checkpoint.
    pub fn checkpoint(message: impl Into<String>) -> Self {
        Self::Checkpoint { message: message.into() }
    }

    /// An error about a file's config as one about the file.
    #[must_use]
    pub fn in_checkpoint(self) -> Self {
        match self {
            Self::Checkpoint { .. } => self,
            other => Self::checkpoint(format!("its config cannot be used: {other}")),
        }
    }
}
