//! Files that `vivarium eval` exports, such as a circuit.

use super::args::EvalArgs;
use crate::error::CliError;
use crate::output_file::{check_not_input, check_path, is_same, write_file};
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;
use vivarium_lab::AnyExhibit;
use vivarium_lab::protocol::Reply;

/// Output file that an option of `vivarium eval` requests: option, path and command that creates the contents.
pub struct Export {
    option: &'static str,
    path: PathBuf,
    /// Command whose reply contains the file.
    command: Value,
}

impl Export {
    /// Creates an output file of the command-line option `option`: the experiment's reply to `command`, written to
    /// `path`.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the command cannot be serialized.
    pub fn new(option: &'static str, path: PathBuf, command: &impl Serialize) -> Result<Self, CliError> {
        let command = serde_json::to_value(command).map_err(CliError::failed_by)?;
        Ok(Self { option, path, command })
    }

    /// Returns the command-line option of the file.
    pub fn option(&self) -> &'static str {
        self.option
    }
}

/// Checks the paths of all output files: the paths must be writable, and no output file may overwrite the checkpoint,
/// a file of a run or another output file.
///
/// # Errors
/// [`CliError::Usage`] that names the option; [`CliError::Failed`] that names the path.
pub fn check_all(args: &EvalArgs, files: &[Export]) -> Result<(), CliError> {
    for (index, Export { option, path, .. }) in files.iter().enumerate() {
        check_path(path)?;
        check_not_input(option, path, args.checkpoint.as_deref())?;
        if let Some(other) = files[..index].iter().find(|other| is_same(path, &other.path)) {
            let (path, other) = (path.display(), other.option);
            return Err(CliError::usage(format!(
                "{option} {path}: this is also the file of {other}; use another file"
            )));
        }
    }
    Ok(())
}

/// Writes the output files.
///
/// # Errors
/// [`CliError::Failed`] with the file that could not be written.
pub fn write(files: &[Export], experiment: &mut dyn AnyExhibit) -> Result<(), CliError> {
    for Export { path, command, .. } in files {
        match experiment.any_command(command.clone()).map_err(CliError::failed_by)? {
            Reply::File { bytes, .. } => write_file(path, &bytes)?,
            Reply::Done => {
                return Err(CliError::failed(format!(
                    "internal error: {} returned no file; please report this bug",
                    experiment.name()
                )));
            }
        }
    }
    Ok(())
}
