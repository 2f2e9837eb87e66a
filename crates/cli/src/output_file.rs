//! Output files that the user names on the command line: checks of the path before any work, and writing.

use crate::error::CliError;
use crate::{run, terminal};
use std::fs;
use std::path::Path;

/// Checks that a file can be created at the path: the path is not a folder, and its parent folder exists.
///
/// # Errors
/// [`CliError::Failed`] with the path and the cause.
pub fn check_path(path: &Path) -> Result<(), CliError> {
    if path.is_dir() {
        return Err(CliError::file("write", path, "it is a folder; use a file name"));
    }
    check_parent(path)
}

/// Checks that the parent folder of the path exists.
///
/// # Errors
/// [`CliError::Failed`] with the path and the missing folder.
pub fn check_parent(path: &Path) -> Result<(), CliError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => {
            Err(CliError::file("write", path, format!("the folder {} does not exist", folder.display())))
        }
        None => Ok(()),
    }
}

/// Checks that an output file does not overwrite the file `input` that is read, if any, or a file of a run. `option` is
/// the option that names the output file.
///
/// # Errors
/// [`CliError::Usage`] with the option and the file.
pub fn check_not_input(option: &str, path: &Path, input: Option<&Path>) -> Result<(), CliError> {
    let refuse = |what: String| {
        Err(CliError::usage(format!("{option} {}: this is {what}; use another file", path.display())))
    };
    if input.is_some_and(|input| is_same(path, input)) {
        return refuse("the checkpoint itself".into());
    }
    match run::containing_run(path) {
        Some(folder) => refuse(format!("a file of the run in {}", folder.display())),
        None => Ok(()),
    }
}

/// Checks that an output file does not exist, unless `force` allows to overwrite it. `option` is the option that names the
/// output file.
///
/// # Errors
/// [`CliError::Usage`] with the option and the file.
pub fn check_new(option: &str, path: &Path, force: bool) -> Result<(), CliError> {
    if path.exists() && !force {
        return Err(CliError::usage(format!(
            "{option} {}: the file exists; overwrite it with --force, or use another path",
            path.display()
        )));
    }
    Ok(())
}

/// Returns whether two paths refer to the same file. The file need not exist.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            Some(folder.unwrap_or(Path::new(".")).canonicalize().ok()?.join(path.file_name()?))
        })
    };
    place(one).is_some_and(|one| Some(one) == place(other))
}

/// Writes a file, and prints its path to standard error.
///
/// # Errors
/// [`CliError::Failed`] with the file that could not be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    fs::write(path, bytes).map_err(|error| CliError::file("write", path, error))?;
    // The message goes to standard error, because a program may parse standard output.
    terminal::print_message(&format!("Wrote {}.", path.display()));
    Ok(())
}
