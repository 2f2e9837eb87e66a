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
    /// The program itself is wrong; [`explain_panics`] has said so: exit code 1.
    Bug,
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

    /// [`Failure::Usage`] with the words of an error.
    pub fn usage_by(error: impl fmt::Display) -> Self {
        Self::Usage(error.to_string())
    }

    /// [`Failure::Failed`] with the words of an error.
    pub fn failed_by(error: impl fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }

    /// What went wrong with a file: its name and the system's words.
    pub fn file(doing: &str, path: &std::path::Path, error: impl fmt::Display) -> Self {
        let reason = error.to_string();
        // The number of a system error says nothing beside its words.
        let reason = reason.split(" (os error").next().unwrap_or_default();
        Self::Failed(format!("cannot {doing} {}: {reason}", path.display()))
    }

    /// The exit code of the program.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failed(_) | Self::Bug => 1,
            Self::Interrupted => 130,
        }
    }

    /// The message for the person, if anything is left to say.
    pub fn message(&self) -> Option<&str> {
        match self {
            Self::Usage(message) | Self::Failed(message) => Some(message),
            Self::Interrupted | Self::Bug => None,
        }
    }
}

/// Turns a panic into one line that a person can do something with.
pub fn explain_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let what = panic.payload_as_str().unwrap_or("no reason given");
        let place =
            panic.location().map_or(String::new(), |place| format!(" at {}:{}", place.file(), place.line()));
        crate::terminal::aside(&format!(
            "vivarium: this is a bug in the program, not in what you did: {what}{place}. Please report it with the \
             command that you typed; checkpoints already written are whole."
        ));
    }));
}
