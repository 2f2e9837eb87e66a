//! `vivarium man`: man pages of the program and its commands.

use crate::error::CliError;
use crate::terminal;
use clap::{Args, Command};
use std::path::PathBuf;

/// Command-line arguments of `vivarium man`.
#[derive(Args, Debug)]
#[command(after_help = "To install the pages for one user: vivarium man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Folder to write; existing pages of the program are replaced
    dir: PathBuf,
}

/// Writes a man page for the program and for each of its commands. `command_line` is the definition of the command line.
///
/// # Errors
/// [`CliError::Failed`] if the folder or a page cannot be written.
pub fn run(args: &ManArgs, command_line: Command) -> Result<(), CliError> {
    let failed = |error| CliError::file("write in", &args.dir, error);
    std::fs::create_dir_all(&args.dir).map_err(failed)?;
    clap_mangen::generate_to(command_line, &args.dir).map_err(failed)?;
    terminal::print_line(&format!("Man pages are in {}.", args.dir.display()));
    Ok(())
}
