//! Files that a logic automaton is made into: its circuit as JSON and as Verilog, a rollout as a moving picture.

use crate::command_line::EvalArgs;
use crate::failure::Failure;
use crate::{run, terminal};
use serde::Serialize;
use std::fs;
use std::path::Path;
use vivarium_exhibit_cube::protocol::CubeCommand;
use vivarium_exhibit_logic_ca::protocol::{ExportFormat, LogicCommand};
use vivarium_lab::AnyExhibit;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::protocol::Reply;

/// The files that the command line asks for: option, path, format.
fn asked(args: &EvalArgs) -> impl Iterator<Item = (&'static str, &Path, ExportFormat)> {
    let files = [
        ("--gif", &args.gif, ExportFormat::Gif),
        ("--circuit", &args.circuit, ExportFormat::Json),
        ("--verilog", &args.verilog, ExportFormat::Verilog),
    ];
    files.into_iter().filter_map(|(option, path, format)| Some((option, path.as_deref()?, format)))
}

/// Refuses files of an experiment that has no circuit, paths that nothing can be written to, and those whose file would
/// be lost: the checkpoint, a file of a run, or another of these files.
///
/// # Errors
/// [`Failure::Usage`] naming the option; [`Failure::Failed`] naming the path.
pub fn check(args: &EvalArgs, info: &ExperimentInfo) -> Result<(), Failure> {
    for (option, path, _) in asked(args) {
        if info.family() != "logic_ca" {
            return Err(Failure::usage(format!(
                "{option}: {} has no circuit; --gif, --circuit and --verilog are for logic-ca",
                info.name
            )));
        }
        check_path(path)?;
    }
    args.network.as_deref().map_or(Ok(()), check_path)?;
    check_kept(args)
}

/// Refuses to write over the checkpoint, over a file of a run, and over another file of the same command.
fn check_kept(args: &EvalArgs) -> Result<(), Failure> {
    let network = args.network.as_deref().map(|path| ("--network", path));
    let files: Vec<_> = asked(args).map(|(option, path, _)| (option, path)).chain(network).collect();
    for (index, &(option, path)) in files.iter().enumerate() {
        let refuse = |what: String| {
            Err(Failure::usage(format!("{option} {}: this is {what}; name another file", path.display())))
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

/// Whether two paths name the same file, whether or not it exists yet.
fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            Some(folder.unwrap_or(Path::new(".")).canonicalize().ok()?.join(path.file_name()?))
        })
    };
    place(one).is_some_and(|one| Some(one) == place(other))
}

/// Refuses a path that no file can be written to.
///
/// # Errors
/// [`Failure::Failed`] naming the path.
fn check_path(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(Failure::file("write", path, "it is a folder; name a file"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => Err(Failure::file("write", path, format!("there is no folder {}", folder.display()))),
        None => Ok(()),
    }
}

/// Writes the files.
///
/// # Errors
/// [`Failure::Failed`] naming the file that could not be made or written.
pub fn write(args: &EvalArgs, experiment: &mut dyn AnyExhibit) -> Result<(), Failure> {
    for (_, path, format) in asked(args) {
        put(path, &made(experiment, &LogicCommand::Export { format })?)?;
    }
    match &args.network {
        Some(path) => put(path, &made(experiment, &CubeCommand::ExportPlayer)?),
        None => Ok(()),
    }
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|error| Failure::file("write", path, error))?;
    // Beside the result, which may be read by a program.
    terminal::aside(&format!("Wrote {}.", path.display()));
    Ok(())
}

/// The bytes of a file that the experiment is made into.
fn made(experiment: &mut dyn AnyExhibit, command: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let command = serde_json::to_value(command).map_err(Failure::failed_by)?;
    match experiment.any_command(command).map_err(Failure::failed_by)? {
        Reply::File { bytes, .. } => Ok(bytes),
        Reply::Done => Err(Failure::failed(format!("{} was made into no file", experiment.name()))),
    }
}
