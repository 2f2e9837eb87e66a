//! Errors of commands and their exit codes.

use std::fmt;

/// Error of a command.
#[derive(Debug)]
pub enum CliError {
    /// Invalid command line: exit code 2.
    Usage(String),
    /// Error of a valid command: exit code 1.
    Failed(String),
    /// Interrupted by Ctrl-C, already reported: exit code 130, the shell convention for SIGINT.
    Interrupted,
    /// Panic, which [`explain_panics`] has already reported: exit code 1.
    Bug,
}

impl CliError {
    /// Creates a [`CliError::Usage`] from a message.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// Creates a [`CliError::Failed`] from a message.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed(message.into())
    }

    /// Creates a [`CliError::Usage`] from another error.
    pub fn usage_by(error: impl fmt::Display) -> Self {
        Self::Usage(error.to_string())
    }

    /// Creates a [`CliError::Failed`] from another error.
    pub fn failed_by(error: impl fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }

    /// Creates a file error: "cannot {doing} {path}: {error}".
    pub fn file(doing: &str, path: &std::path::Path, error: impl fmt::Display) -> Self {
        let reason = error.to_string();
        // Drop the numeric code of the system error.
        let reason = reason.split(" (os error").next().unwrap_or_default();
        Self::Failed(format!("cannot {doing} {}: {reason}", path.display()))
    }

    /// Returns the exit code of the program for this error.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failed(_) | Self::Bug => 1,
            Self::Interrupted => 130,
        }
    }

    /// Returns the message to print, or `None` if the error has already been reported.
    pub fn message(&self) -> Option<&str> {
        match self {
            Self::Usage(message) | Self::Failed(message) => Some(message),
            Self::Interrupted | Self::Bug => None,
        }
    }
}

/// Installs a panic hook that prints one line with a request for a bug report.
pub fn explain_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let what = panic.payload_as_str().unwrap_or("no reason given");
        let place =
            panic.location().map_or(String::new(), |place| format!(" at {}:{}", place.file(), place.line()));
        crate::terminal::aside(&format!(
            "vivarium: internal error: {what}{place}. Please report this bug with the command line; existing checkpoints are \
             intact."
        ));
    }));
}
