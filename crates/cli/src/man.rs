//! `vivarium man`: man pages of the program and its commands.

use crate::error::CliError;
use crate::{help, machine, terminal};
use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::io;
use std::path::{Path, PathBuf};

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
    let mut command_line = command_line.disable_help_subcommand(true);
    command_line.build();
    write_pages(&command_line, &[], &args.dir).map_err(failed)?;
    terminal::print_line(&format!("Man pages are in {}.", args.dir.display()));
    Ok(())
}

/// Writes the pages of `command` and of its subcommands to `folder`. `path` is the name of the command without the name
/// of the program.
fn write_pages(command: &Command, path: &[&str], folder: &Path) -> io::Result<()> {
    for subcommand in command.get_subcommands() {
        write_pages(subcommand, &[path, &[subcommand.get_name()]].concat(), folder)?;
    }
    let man = Man::new(command.clone()).source(format!("vivarium {}", machine::VERSION)).manual("Vivarium");
    std::fs::write(folder.join(man.get_filename()), page(&man, command, path)?)
}

/// Returns the man page of `command`: the sections of clap_mangen, notes, and the reference sections.
fn page(man: &Man, command: &Command, path: &[&str]) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let mut roff = Roff::new();
    if let Some(notes) = command.get_after_help() {
        roff.control("SH", ["NOTES"]);
        for line in notes.to_string().lines().filter(|line| !line.is_empty()) {
            roff.text([roman(line)]).control("PP", []);
        }
    }
    for section in help::sections(path) {
        roff.control("SH", [section.man_heading]);
        for (name, meaning) in section.entries {
            roff.control("TP", []).text([bold(name.trim())]).text([roman(meaning)]);
        }
    }
    // The commands above this command.
    let parents = (0..path.len()).map(|depth| [&["vivarium"], &path[..depth]].concat().join("-") + "(1)");
    let parents: Vec<_> = parents.collect();
    if !parents.is_empty() {
        roff.control("SH", ["SEE ALSO"]).text([roman(parents.join(", "))]);
    }
    roff.to_writer(&mut page)?;
    Ok(page)
}
