//! Output files that the user names on the command line: checks of the path before any work, and writing.

use crate::error::CliError;
use crate::{run, terminal};
use std::fs;
use std::io::{self, Write};
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

/// Path that stands for standard output.
const STANDARD_OUTPUT: &str = "-";

/// Opens an output file, or standard output for the path `-`.
///
/// # Errors
/// [`CliError::Failed`] with the file that cannot be created.
pub fn create(path: &Path) -> Result<Box<dyn Write>, CliError> {
    if path == Path::new(STANDARD_OUTPUT) {
        return Ok(Box::new(StandardOutput(io::stdout().lock())));
    }
    let file = fs::File::create(path).map_err(|error| CliError::file("write", path, error))?;
    Ok(Box::new(file))
}

/// Standard output. After the reader has closed the pipe, as `head` does, output is discarded without an error.
struct StandardOutput(io::StdoutLock<'static>);

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).or_else(|error| discarded(error, bytes.len()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().or_else(|error| discarded(error, ()))
    }
}

/// Returns `written` if the error is a closed pipe.
fn discarded<T>(error: io::Error, written: T) -> io::Result<T> {
    if error.kind() == io::ErrorKind::BrokenPipe { Ok(written) } else { Err(error) }
}

/// Prints to standard error that a file is written, because a program may parse standard output.
pub fn report_written(path: &Path) {
    if path != Path::new(STANDARD_OUTPUT) {
        terminal::print_message(&format!("Wrote {}.", path.display()));
    }
}

/// Writes a file, and prints its path to standard error; with the path `-`, writes to standard output.
///
/// # Errors
/// [`CliError::Failed`] with the file that could not be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let mut file = create(path)?;
    let written = file.write_all(bytes).and_then(|()| file.flush());
    written.map_err(|error| CliError::file("write", path, error))?;
    report_written(path);
    Ok(())
}
