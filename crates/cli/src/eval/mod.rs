//! `vivarium eval`: evaluation of a checkpoint or of a study of seeds, and export of files.

pub mod args;
mod checkpoint;
pub mod export;
pub mod family;
pub mod outcome;
mod study;

use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::run::RunFolder;
use crate::terminal;
use args::EvalArgs;
use family::EvalFamily;
use std::path::PathBuf;
use study::EvaluatedStudy;

/// Runs `vivarium eval`. `families` are the families of experiments with options of their own.
///
/// # Errors
/// [`CliError::Usage`] for an unknown experiment or unsupported options; [`CliError::Failed`] for an invalid checkpoint
/// and for files that cannot be written.
pub fn run(args: &EvalArgs, families: &[&dyn EvalFamily]) -> Result<(), CliError> {
    let study = args.checkpoint.as_deref().map(EvaluatedStudy::open).transpose()?.flatten();
    let args = &match &study {
        Some(_) => args.clone(),
        None => EvalArgs { checkpoint: latest_checkpoint(args)?, ..args.clone() },
    };
    let args = &EvalArgs { experiment: experiment_name(args, study.as_ref())?, ..args.clone() };
    let info = vivarium_exhibits::info(&args.experiment).map_err(CliError::usage_by)?;
    family::check_options(families, args, &info)?;
    args.task_changes()?;
    let family = family::of(families, &info);
    let exports = match family {
        Some(family) => {
            family.check(args)?;
            family.exports(args)?
        }
        None => {
            args.check_no_engine()?;
            Vec::new()
        }
    };
    let evaluate = |args: &EvalArgs, print: &dyn Fn(&str)| match family {
        Some(family) => family.evaluate(args, &info, print),
        None => checkpoint::evaluate_checkpoint(args, &info, &[], print, |_| Ok(())),
    };
    if let Some(study) = study {
        study.check(&args.experiment, exports.first().map(export::Export::option))?;
        return study.evaluate(args, |args| evaluate(args, &|_| ()));
    }
    export::check_all(args, &exports)?;
    if args.json {
        terminal::print_line(&evaluate(args, &|_| ())?.json.to_string());
    } else {
        evaluate(args, &terminal::print_line)?;
    }
    Ok(())
}

/// Returns the checkpoint of the command line; with `--latest`, the latest checkpoint of its run folder.
///
/// # Errors
/// [`CliError::Usage`] if the path of `--latest` is not a folder; [`CliError::Failed`] if the folder has no run.
fn latest_checkpoint(args: &EvalArgs) -> Result<Option<PathBuf>, CliError> {
    let path = args.checkpoint.as_ref().filter(|_| args.latest);
    let Some(path) = path else { return Ok(args.checkpoint.clone()) };
    if path.is_file() {
        return Err(CliError::usage(format!(
            "--latest: {} is a checkpoint file; omit --latest, or specify a run folder or the folder of a study",
            path.display()
        )));
    }
    Ok(Some(RunFolder::open(path)?.0.latest()))
}

/// Returns the name of the experiment on the command line, or else of the study or in the checkpoint.
fn experiment_name(args: &EvalArgs, study: Option<&EvaluatedStudy>) -> Result<String, CliError> {
    if !args.experiment.is_empty() {
        return Ok(args.experiment.clone());
    }
    if let Some(study) = study {
        return Ok(study.experiment().to_owned());
    }
    let Some(path) = args.checkpoint.as_deref() else {
        return Err(CliError::usage(
            "specify an experiment, such as `vivarium eval cube3`, or --checkpoint FILE",
        ));
    };
    CheckpointFile::read(path)?.experiment_name()
}
