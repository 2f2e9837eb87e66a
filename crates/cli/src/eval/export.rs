//! Exported files: animation and circuit (JSON, Verilog) of a logic automaton, weights of a network.

use crate::command_line::EvalArgs;
use crate::error::CliError;
use crate::{run, terminal};
use serde::Serialize;
use std::fs;
use std::path::Path;
use vivarium_exhibit_cube::protocol::CubeCommand;
use vivarium_exhibit_logic_ca::protocol::{ExportFormat, LogicCommand};
use vivarium_lab::AnyExhibit;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::protocol::Reply;

/// Returns the exports of a logic automaton that the command line requests, as (option, path, format).
fn asked(args: &EvalArgs) -> impl Iterator<Item = (&'static str, &Path, ExportFormat)> {
    let files = [
        ("--gif", &args.gif, ExportFormat::Gif),
        ("--circuit", &args.circuit, ExportFormat::Json),
        ("--verilog", &args.verilog, ExportFormat::Verilog),
    ];
    files.into_iter().filter_map(|(option, path, format)| Some((option, path.as_deref()?, format)))
}

/// Checks the export options: the experiment must support them, paths must be writable, and no file may overwrite the
/// checkpoint, a file of a run or another export.
///
/// # Errors
/// [`CliError::Usage`] naming the unsupported option; [`CliError::Failed`] naming the path.
pub fn check(args: &EvalArgs, info: &ExperimentInfo) -> Result<(), CliError> {
    for (option, path, _) in asked(args) {
        if info.family() != "logic_ca" {
            return Err(CliError::usage(format!(
                "{option}: {} has no circuit; --gif, --circuit and --verilog are for logic-ca",
                info.name
            )));
        }
        check_path(path)?;
    }
    args.export_weights.as_deref().map_or(Ok(()), check_path)?;
    check_overwrites(args)
}

/// Returns an error if an exported file would overwrite the checkpoint, a file of a run or another export.
fn check_overwrites(args: &EvalArgs) -> Result<(), CliError> {
    let weights = args.export_weights.as_deref().map(|path| ("--export-weights", path));
    let files: Vec<_> = asked(args).map(|(option, path, _)| (option, path)).chain(weights).collect();
    for (index, &(option, path)) in files.iter().enumerate() {
        let refuse = |what: String| {
            Err(CliError::usage(format!("{option} {}: this is {what}; use another file", path.display())))
        };
        if is_same(path, &args.checkpoint) {
            return refuse("the checkpoint itself".into());
        }
        if let Some(folder) = run::run_of(path) {
            return refuse(format!("a file of the run in {}", folder.display()));
        }
        if let Some((other, _)) = files[..index].iter().find(|(_, other)| is_same(path, other)) {
            return refuse(format!("also the file of {other}"));
        }
    }
    Ok(())
}

/// Returns whether two paths refer to the same file. The file does not have to exist.
fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            Some(folder.unwrap_or(Path::new(".")).canonicalize().ok()?.join(path.file_name()?))
        })
    };
    place(one).is_some_and(|one| Some(one) == place(other))
}

/// Checks that a file can be created at the path.
///
/// # Errors
/// [`CliError::Failed`] naming the path and the cause.
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

/// Writes the files that the command line requests.
///
/// # Errors
/// [`CliError::Failed`] naming the file that could not be written.
pub fn write(args: &EvalArgs, experiment: &mut dyn AnyExhibit) -> Result<(), CliError> {
    for (_, path, format) in asked(args) {
        put(path, &made(experiment, &LogicCommand::Export { format })?)?;
    }
    match &args.export_weights {
        Some(path) => put(path, &made(experiment, &CubeCommand::ExportPlayer)?),
        None => Ok(()),
    }
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    fs::write(path, bytes).map_err(|error| CliError::file("write", path, error))?;
    // The message goes to standard error, because a program may parse standard output.
    terminal::aside(&format!("Wrote {}.", path.display()));
    Ok(())
}

/// Sends an export command to the experiment and returns the bytes of the file.
fn made(experiment: &mut dyn AnyExhibit, command: &impl Serialize) -> Result<Vec<u8>, CliError> {
    let command = serde_json::to_value(command).map_err(CliError::failed_by)?;
    match experiment.any_command(command).map_err(CliError::failed_by)? {
        Reply::File { bytes, .. } => Ok(bytes),
        Reply::Done => Err(CliError::failed(format!("{} returned no file", experiment.name()))),
    }
}
