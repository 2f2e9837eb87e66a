//! Errors of the program's commands, and their exit codes.

use crate::signals::Signal;
use std::fmt;

/// Error of a command of the program, such as `vivarium train`. The variant determines the exit code.
#[derive(Debug)]
pub enum CliError {
    /// Invalid command line: exit code 2.
    Usage(String),
    /// Error of a valid command: exit code 1.
    Failed(String),
    /// Training ended without reaching the goal of `--until`, already reported: exit code 3.
    GoalNotReached,
    /// Stopped by a signal, already reported: exit code 128 and the number of the signal, as in shells.
    Interrupted(Signal),
    /// Panic that [`report_panics`] has already reported: exit code 1.
    Bug,
}

/// Exit code of the program with its meaning, for `--help` and the reference.
pub struct ExitCode {
    pub code: u8,
    pub meaning: &'static str,
    /// Commands that have the exit code; empty for all commands.
    pub commands: &'static [&'static str],
}

/// Exit codes of the program.
pub const EXIT_CODES: [ExitCode; 7] = [
    of_all(0, "success; also if a reader of standard output, such as head, closed the pipe"),
    of_all(1, "error while executing a valid command"),
    of_all(2, "invalid command line; nothing was written"),
    ExitCode {
        code: 3,
        meaning: "train: the run ended without reaching the goal of --until; a checkpoint was saved",
        commands: &["train"],
    },
    of_all(129, "stopped by SIGHUP, which nohup ignores; train saved a checkpoint if training had started"),
    of_all(130, "stopped by Ctrl-C (SIGINT); train saved a checkpoint if training had started"),
    of_all(143, "stopped by SIGTERM; train saved a checkpoint if training had started"),
];

/// Returns an exit code that all commands have.
const fn of_all(code: u8, meaning: &'static str) -> ExitCode {
    ExitCode { code, meaning, commands: &[] }
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

    /// Creates a [`CliError::Usage`] with the message of another error.
    pub fn usage_by(error: impl fmt::Display) -> Self {
        Self::Usage(error.to_string())
    }

    /// Creates a [`CliError::Failed`] with the message of another error.
    pub fn failed_by(error: impl fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }

    /// Creates a [`CliError::Failed`] with the message "cannot {doing} {path}: {error}", such as "cannot read a.json:
    /// No such file or directory".
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
            Self::GoalNotReached => 3,
            Self::Interrupted(signal) => signal.exit_code(),
        }
    }

    /// Returns the message to print, or `None` if the error has already been reported.
    pub fn message(&self) -> Option<&str> {
        match self {
            Self::Usage(message) | Self::Failed(message) => Some(message),
            Self::GoalNotReached | Self::Interrupted(_) | Self::Bug => None,
        }
    }
}

/// Installs a panic hook that prints the cause in one line and requests a bug report.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let what = panic.payload_as_str().unwrap_or("no reason given");
        let place =
            panic.location().map_or(String::new(), |place| format!(" at {}:{}", place.file(), place.line()));
        crate::terminal::print_error(format_args!(
            "internal error: {what}{place}. Please report this bug with the command line; existing checkpoints are \
             intact."
        ));
    }));
}
