//! Files that `vivarium eval` exports, such as a circuit or the weights of a network.

use super::args::EvalArgs;
use crate::error::CliError;
use crate::{run, terminal};
use serde::Serialize;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use vivarium_lab::AnyExhibit;
use vivarium_lab::protocol::Reply;

/// Output file that an option of `vivarium eval` requests: option, path and origin of the contents.
pub struct Export {
    option: &'static str,
    path: PathBuf,
    /// Command whose reply contains the file; `None` if the evaluation of the experiment's family writes the file.
    command: Option<Value>,
}

impl Export {
    /// Creates an output file of the command-line option `option`: the experiment's reply to `command`, written to
    /// `path`.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the command cannot be serialized.
    pub fn new(option: &'static str, path: PathBuf, command: &impl Serialize) -> Result<Self, CliError> {
        let command = serde_json::to_value(command).map_err(CliError::failed_by)?;
        Ok(Self { option, path, command: Some(command) })
    }

    /// Creates an output file of the command-line option `option` that the evaluation of the experiment's family
    /// writes to `path`.
    pub fn written_by_family(option: &'static str, path: PathBuf) -> Self {
        Self { option, path, command: None }
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
        let refuse = |what: String| {
            Err(CliError::usage(format!("{option} {}: this is {what}; use another file", path.display())))
        };
        if is_same(path, &args.checkpoint) {
            return refuse("the checkpoint itself".into());
        }
        if let Some(folder) = run::containing_run(path) {
            return refuse(format!("a file of the run in {}", folder.display()));
        }
        if let Some(other) = files[..index].iter().find(|other| is_same(path, &other.path)) {
            return refuse(format!("also the file of {}", other.option));
        }
    }
    Ok(())
}

/// Returns whether two paths refer to the same file. The file need not exist.
fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            Some(folder.unwrap_or(Path::new(".")).canonicalize().ok()?.join(path.file_name()?))
        })
    };
    place(one).is_some_and(|one| Some(one) == place(other))
}

/// Checks that a file can be created at the path: the path is not a folder, and its parent folder exists.
///
/// # Errors
/// [`CliError::Failed`] with the path and the cause.
fn check_path(path: &Path) -> Result<(), CliError> {
    if path.is_dir() {
        return Err(CliError::file("write", path, "it is a folder; use a file name"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => {
            Err(CliError::file("write", path, format!("the folder {} does not exist", folder.display())))
        }
        None => Ok(()),
    }
}

/// Writes the output files, except files that the evaluation of the experiment's family writes.
///
/// # Errors
/// [`CliError::Failed`] with the file that could not be written.
pub fn write(files: &[Export], experiment: &mut dyn AnyExhibit) -> Result<(), CliError> {
    for Export { path, command, .. } in files {
        let Some(command) = command else { continue };
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

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    fs::write(path, bytes).map_err(|error| CliError::file("write", path, error))?;
    // The message goes to standard error, because a program may parse standard output.
    terminal::print_message(&format!("Wrote {}.", path.display()));
    Ok(())
}
