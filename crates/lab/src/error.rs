//! User-facing errors: the field, the problem and the allowed values.

use serde::{Deserialize, Serialize};
use vivarium_learn::LearnerFault;

/// Error of an experiment, a config or a checkpoint. A failed request changes nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LabError {
    /// A config field, a command or an argument has a value that is not allowed.
    #[error("{field} = {value}: {allowed}")]
    Invalid {
        /// Dotted path of the config field, or name of the argument.
        field: String,
        /// The value that was rejected, as text.
        value: String,
        /// Description of the values that the field or the argument accepts, as a sentence.
        allowed: String,
    },
    /// A command or a view, received as JSON, does not have the fields that the experiment's family defines.
    #[error("cannot parse the request: {message}")]
    Unreadable {
        /// Error message of the parser, with the expected form.
        message: String,
    },
    /// A checkpoint file is invalid or incompatible.
    #[error("checkpoint: {message}")]
    Checkpoint {
        /// Description of the defect in the file.
        message: String,
    },
    /// The compute engine (CPU or GPU) cannot be used.
    #[error("{message}")]
    Engine {
        /// Sentence with the engine, the cause of the error and the remedy.
        message: String,
    },
    /// Training diverged again after the maximum number of rollbacks.
    #[error("training diverged: {message}")]
    Diverged {
        /// Sentence with the cause of the divergence and the remedy.
        message: String,
    },
}

/// Converts a config error or a learner's error to a user-facing error.
impl<E: Into<LearnerFault>> From<E> for LabError {
    fn from(error: E) -> Self {
        match error.into() {
            LearnerFault::Config(error) => Self::invalid(error.field, error.value, error.allowed),
            LearnerFault::State(message) => Self::checkpoint(message),
            LearnerFault::Diverged(message) => Self::Diverged { message },
            #[cfg(feature = "gpu")]
            LearnerFault::Gpu(error) => Self::engine(error.to_string()),
            #[cfg(feature = "gpu")]
            LearnerFault::CpuOnly(reason) => Self::engine(reason),
            LearnerFault::Refused(reason) => Self::invalid("config", "as given", reason),
        }
    }
}

impl LabError {
    /// Creates an [`Invalid`](Self::Invalid) error from a field, its displayed value and the allowed values.
    pub fn invalid(field: impl Into<String>, value: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self::Invalid { field: field.into(), value: value.into(), allowed: allowed.into() }
    }

    /// Creates an [`Engine`](Self::Engine) error: a compute engine (CPU or GPU) cannot be used.
    pub fn engine(message: impl Into<String>) -> Self {
        Self::Engine { message: message.into() }
    }

    /// Creates a [`Checkpoint`](Self::Checkpoint) error: a checkpoint file is invalid or incompatible.
    pub fn checkpoint(message: impl Into<String>) -> Self {
        Self::Checkpoint { message: message.into() }
    }

    /// Converts an error about a checkpoint's config to a [`Checkpoint`](Self::Checkpoint) error.
    #[must_use]
    pub fn in_checkpoint(self) -> Self {
        match self {
            Self::Checkpoint { .. } => self,
            other => Self::checkpoint(format!("its config is invalid: {other}")),
        }
    }
}
