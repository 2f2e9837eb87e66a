//! Why the program ends early, and the exit code that says so.

use std::fmt;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// The command line asked for something that is not there or not allowed: exit code 2.
    Usage(String),
    /// It was asked rightly, and something went wrong: exit code 1.
    Failed(String),
    /// A person stopped it; what to say has been said: exit code 130, as a shell expects after Ctrl-C.
    Interrupted,
}

impl Failure {
    /// [`Failure::Usage`] with a message.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// [`Failure::Failed`] with a message.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed(message.into())
    }

    /// What went wrong with a file: its name and the system's words.
    pub fn file(doing: &str, path: &std::path::Path, error: impl fmt::Display) -> Self {
        Self::Failed(format!("cannot {doing} {}: {error}", path.display()))
    }

    /// The exit code of the program.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failed(_) => 1,
            Self::Interrupted => 130,
        }
    }

    /// What to tell the person, if anything is left to tell.
    pub fn message(&self) -> Option<&str> {
        match self {
            Self::Usage(message) | Self::Failed(message) => Some(message),
            Self::Interrupted => None,
        }
    }
}
