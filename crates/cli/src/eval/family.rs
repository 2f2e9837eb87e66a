//! Contributions of the families of experiments (such as board games or cubes) to `vivarium eval`.

use super::args::EvalArgs;
use super::checkpoint::evaluate_checkpoint;
use super::export::Export;
use crate::error::CliError;
use clap::{Arg, Command};
use vivarium_lab::Experiment;
use vivarium_lab::info::ExperimentInfo;

/// Contribution of a family to `vivarium eval`: its options and the differences of its evaluation.
pub trait EvalFamily: Sync {
    /// Name of the family, as in [`ExperimentInfo::family`].
    fn kind(&self) -> &'static str;

    /// One experiment and several experiments of the family, for messages: "board game", "board games".
    fn names(&self) -> [&'static str; 2];

    /// Adds the command-line options of the family to the command `vivarium eval`.
    fn augment(&self, command: Command) -> Command {
        command
    }

    /// Checks the common options, before any file is read or written.
    ///
    /// # Errors
    /// [`CliError::Usage`] for an option that does not apply to the experiment.
    fn check(&self, args: &EvalArgs) -> Result<(), CliError> {
        args.refuse_engine()?;
        args.refuse_weights()
    }

    /// Returns the output files that the family's command-line options request.
    ///
    /// # Errors
    /// [`CliError`] if an option is invalid.
    fn exports(&self, args: &EvalArgs) -> Result<Vec<Export>, CliError> {
        let _ = args;
        Ok(Vec::new())
    }

    /// Prepares the experiment of the checkpoint for its evaluation, such as by loading a language model's training
    /// text.
    ///
    /// # Errors
    /// [`CliError`] if data for the evaluation is missing or invalid.
    fn prepare(&self, args: &EvalArgs, experiment: &mut dyn Experiment) -> Result<(), CliError> {
        let _ = (args, experiment);
        Ok(())
    }

    /// Evaluates the checkpoint and prints the result.
    ///
    /// # Errors
    /// [`CliError`] of the evaluation or of a file.
    fn run(&self, args: &EvalArgs, info: &ExperimentInfo) -> Result<(), CliError> {
        let exports = self.exports(args)?;
        evaluate_checkpoint(args, info, &exports, |experiment| self.prepare(args, experiment))
    }
}

/// Contribution of a family without a row in `crate::families::FAMILIES`: the common options and the common evaluation.
struct CommonEval;

impl EvalFamily for CommonEval {
    fn kind(&self) -> &'static str {
        ""
    }

    fn names(&self) -> [&'static str; 2] {
        ["experiment", "experiments"]
    }
}

/// Returns the contribution to `vivarium eval` of the family of an experiment: one of `families`, or the common
/// evaluation.
pub fn of<'a>(families: &[&'a dyn EvalFamily], info: &ExperimentInfo) -> &'a dyn EvalFamily {
    families.iter().copied().find(|family| family.kind() == info.family()).unwrap_or(&CommonEval)
}

/// Checks that the command line has no option of a family other than that of the experiment.
///
/// # Errors
/// [`CliError::Usage`] naming the option and its family.
pub fn check_options(
    families: &[&dyn EvalFamily],
    args: &EvalArgs,
    info: &ExperimentInfo,
) -> Result<(), CliError> {
    for family in families.iter().filter(|family| family.kind() != info.family()) {
        let options = family.augment(Command::new(""));
        let is_given = |option: &&Arg| args.families.is_given(option.get_id().as_str());
        if let Some(option) = options.get_arguments().find(is_given) {
            let (option, [one, several]) = (option.get_long().unwrap_or_default(), family.names());
            return Err(CliError::usage(format!(
                "--{option}: {} is not a {one}; --{option} applies to {several} only",
                info.name
            )));
        }
    }
    Ok(())
}
