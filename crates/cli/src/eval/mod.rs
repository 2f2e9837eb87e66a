//! `vivarium eval`: evaluation of a checkpoint, and export of files.

pub mod args;
mod checkpoint;
pub mod export;
pub mod family;

use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use args::EvalArgs;
use family::EvalFamily;
use vivarium_lab::checkpoint::read_header;

/// Runs `vivarium eval`. `families` are the families of experiments with options of their own.
///
/// # Errors
/// [`CliError::Usage`] for an unknown experiment or unsupported options; [`CliError::Failed`] for an invalid checkpoint
/// and for files that cannot be written.
pub fn run(args: &EvalArgs, families: &[&dyn EvalFamily]) -> Result<(), CliError> {
    let args = &EvalArgs { experiment: experiment_name(args)?, ..args.clone() };
    let info = vivarium_exhibits::info(&args.experiment).map_err(CliError::usage_by)?;
    family::check_options(families, args, &info)?;
    args.task_changes()?;
    let Some(family) = family::of(families, &info) else {
        args.check_no_engine()?;
        return checkpoint::evaluate_checkpoint(args, &info, &[], |_| Ok(()));
    };
    family.check(args)?;
    export::check_all(args, &family.exports(args)?)?;
    family.run(args, &info)
}

/// Returns the name of the experiment on the command line, or else in the checkpoint.
fn experiment_name(args: &EvalArgs) -> Result<String, CliError> {
    if !args.experiment.is_empty() {
        return Ok(args.experiment.clone());
    }
    let Some(path) = args.checkpoint.as_deref() else {
        return Err(CliError::usage(
            "specify an experiment, such as `vivarium eval cube3`, or --checkpoint FILE",
        ));
    };
    let file = CheckpointFile::read(path)?;
    read_header(file.bytes()).map(|header| header.experiment).map_err(|error| file.refuse(error))
}
