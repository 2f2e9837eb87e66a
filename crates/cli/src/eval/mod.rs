//! `vivarium eval`: evaluation of a checkpoint, and export of files.

pub mod args;
mod checkpoint;
pub mod export;
pub mod family;

use crate::error::CliError;
use args::EvalArgs;
use family::EvalFamily;

/// Runs `vivarium eval`. `families` are the families of experiments with options of their own.
///
/// # Errors
/// [`CliError::Usage`] for an unknown experiment or unsupported options; [`CliError::Failed`] for an invalid checkpoint
/// and for files that cannot be written.
pub fn run(args: &EvalArgs, families: &[&dyn EvalFamily]) -> Result<(), CliError> {
    let info = vivarium_exhibits::info(&args.experiment).map_err(CliError::usage_by)?;
    let family = family::of(families, &info);
    family::check_options(families, args, &info)?;
    family.check(args)?;
    export::check_all(args, &family.exports(args)?)?;
    family.run(args, &info)
}
