//! Contributions of the families of experiments (such as board games or cubes) to `vivarium eval`.

use super::{EvalArgs, Export};
use crate::cube::eval::CubeEval;
use crate::error::CliError;
use crate::games::eval::GamesEval;
use crate::language::eval::LanguageEval;
use crate::logic_ca::LogicEval;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use vivarium_lab::Experiment;
use vivarium_lab::info::ExperimentInfo;

/// Families with options of their own. Any other family is evaluated with the common options.
static FAMILIES: [&dyn EvalFamily; 4] = [&LanguageEval, &LogicEval, &CubeEval, &GamesEval];

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
        super::evaluate_checkpoint(self, args, info)
    }
}

/// Contribution of a family without options of its own: the common options and the common evaluation.
struct CommonEval;

impl EvalFamily for CommonEval {
    fn kind(&self) -> &'static str {
        ""
    }

    fn names(&self) -> [&'static str; 2] {
        ["experiment", "experiments"]
    }
}

/// Returns the contribution to `vivarium eval` of the family of an experiment.
pub fn of(info: &ExperimentInfo) -> &'static dyn EvalFamily {
    FAMILIES.into_iter().find(|family| family.kind() == info.family()).unwrap_or(&CommonEval)
}

/// Parsed command-line options of all families of experiments. Each family reads its own options.
#[derive(Clone, Debug)]
pub struct FamilyOptions(ArgMatches);

impl FamilyOptions {
    /// Parses the options of a family, which are of type `A`.
    ///
    /// # Errors
    /// [`CliError::Usage`] with the invalid option.
    pub fn of<A: FromArgMatches>(&self) -> Result<A, CliError> {
        A::from_arg_matches(&self.0).map_err(CliError::usage_by)
    }

    /// Checks that the command line has no option of a family other than that of the experiment.
    ///
    /// # Errors
    /// [`CliError::Usage`] naming the option and its family.
    pub fn check(&self, info: &ExperimentInfo) -> Result<(), CliError> {
        for family in FAMILIES.into_iter().filter(|family| family.kind() != info.family()) {
            let options = family.augment(Command::new(""));
            let is_given = |id: &str| self.0.value_source(id) == Some(ValueSource::CommandLine);
            if let Some(option) = options.get_arguments().find(|option| is_given(option.get_id().as_str())) {
                let (option, [one, several]) = (option.get_long().unwrap_or_default(), family.names());
                return Err(CliError::usage(format!(
                    "--{option}: {} is not a {one}; --{option} applies to {several} only",
                    info.name
                )));
            }
        }
        Ok(())
    }
}

impl FromArgMatches for FamilyOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = matches.clone();
        Ok(())
    }
}

impl Args for FamilyOptions {
    fn augment_args(command: Command) -> Command {
        FAMILIES.into_iter().fold(command, |command, family| family.augment(command))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::{self, Cli};
    use clap::Parser;

    /// A wrong name would select the common options without an error.
    #[test]
    fn families_are_those_of_the_experiments() {
        let kinds: Vec<String> = vivarium_exhibits::REGISTRY
            .names()
            .map(|name| vivarium_exhibits::info(name).unwrap().family().to_owned())
            .collect();
        for family in FAMILIES {
            assert!(kinds.iter().any(|kind| kind == family.kind()), "{} is not in {kinds:?}", family.kind());
        }
    }

    #[test]
    fn every_option_of_a_family_is_refused_for_the_others() {
        let check = |experiment: &str, option: &str| {
            let typed = ["vivarium", "eval", experiment, "--checkpoint", "x", option, "4"];
            let command = Cli::try_parse_from(typed).unwrap().command;
            let Some(command_line::Command::Eval(args)) = command else { panic!("no eval") };
            args.families.check(&vivarium_exhibits::info(experiment).unwrap())
        };
        for family in FAMILIES {
            for option in family.augment(Command::new("")).get_arguments() {
                let option = format!("--{}", option.get_long().unwrap());
                for name in vivarium_exhibits::REGISTRY.names() {
                    let is_own = vivarium_exhibits::info(name).unwrap().family() == family.kind();
                    assert_eq!(check(name, &option).is_ok(), is_own, "{name} {option}");
                }
            }
        }
    }
}
