//! Family-specific parts of `vivarium eval`. A family is a group of experiments with one kind of learner, such as
//! board games or cubes.

use super::args::EvalArgs;
use super::checkpoint::evaluate_checkpoint;
use super::export::Export;
use super::outcome::EvalOutcome;
use crate::error::CliError;
use clap::{Arg, Command};
use vivarium_lab::Experiment;
use vivarium_lab::info::ExperimentInfo;

/// Family-specific part of `vivarium eval`: options, checks, output files and evaluation. The default methods are the
/// common evaluation.
pub trait EvalFamily: Sync {
    /// Name of the family, as in [`ExperimentInfo::family`].
    fn kind(&self) -> &'static str;

    /// Singular and plural name of the family's experiments, for messages, such as "board game" and "board games".
    fn names(&self) -> [&'static str; 2];

    /// Adds the options of the family to a command.
    fn augment(&self, command: Command) -> Command {
        command
    }

    /// Checks the common options of `vivarium eval`, before any file is read or written.
    ///
    /// # Errors
    /// [`CliError::Usage`] for an option that does not apply to the experiment.
    fn check(&self, args: &EvalArgs) -> Result<(), CliError> {
        args.check_no_engine()
    }

    /// Returns the output files that the options request.
    ///
    /// # Errors
    /// [`CliError`] if an option is invalid.
    fn exports(&self, args: &EvalArgs) -> Result<Vec<Export>, CliError> {
        let _ = args;
        Ok(Vec::new())
    }

    /// Prepares the experiment in the checkpoint for its evaluation; for a language model, loads the training text.
    ///
    /// # Errors
    /// [`CliError`] if data of the evaluation is missing or invalid.
    fn prepare(&self, args: &EvalArgs, experiment: &mut dyn Experiment) -> Result<(), CliError> {
        let _ = (args, experiment);
        Ok(())
    }

    /// Evaluates the checkpoint, and prints the result as text by `print`, which is called for each part of the text.
    ///
    /// # Errors
    /// [`CliError`] if the checkpoint is invalid, the evaluation fails, or a file cannot be written.
    fn evaluate(
        &self,
        args: &EvalArgs,
        info: &ExperimentInfo,
        print: &dyn Fn(&str),
    ) -> Result<EvalOutcome, CliError> {
        let exports = self.exports(args)?;
        evaluate_checkpoint(args, info, &exports, print, |experiment| self.prepare(args, experiment))
    }
}

/// Returns the family-specific part of `vivarium eval` for an experiment, an element of `families`; `None` if its
/// family has the common options and the common evaluation only.
pub fn of<'a>(families: &[&'a dyn EvalFamily], info: &ExperimentInfo) -> Option<&'a dyn EvalFamily> {
    families.iter().copied().find(|family| family.kind() == info.family())
}

/// Checks that the command line has no option of another family than the experiment's family.
///
/// # Errors
/// [`CliError::Usage`] with the option and the experiments to which the option applies.
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
