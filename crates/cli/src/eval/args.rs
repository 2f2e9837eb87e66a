//! Arguments and options of `vivarium eval`. Some options are common to all experiments; other options belong to one
//! family of experiments, such as board games.

use crate::completions::{assignments, experiments};
use crate::engine::args::SearchEngineArgs;
use crate::error::CliError;
use crate::values::whole;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};
use serde_json::Value;
use std::path::PathBuf;
use vivarium_lab::config;

/// Command-line arguments of `vivarium eval`.
#[derive(Args, Clone, Debug)]
pub struct EvalArgs {
    /// Name of the experiment, such as cartpole or logic-ca [default: the experiment of the checkpoint]
    #[arg(required = false, default_value = "", hide_default_value = true, add = ArgValueCandidates::new(experiments))]
    pub experiment: String,
    /// Checkpoint file, run folder or folder of a study of seeds; of a run the best checkpoint, or the latest one before the first
    /// evaluation [default: the network of the program, for board games and cubes]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Evaluate the latest checkpoint of a run folder, or of each run of a study, instead of the best checkpoint
    #[arg(long, requires = "checkpoint")]
    pub latest: bool,
    /// Number of episodes, boards of a logic automaton, random cubes or windows of held-out text, 1 to 10000
    /// [default: depends on the experiment, at most 100; for text, about one second of evaluation]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u32, 10_000))]
    pub episodes: Option<u32>,
    /// Random seed of the episodes
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
    /// Evaluate in a changed task, such as world.gravity=12; repeatable. Classic control: fields of world; logic automata: fields
    /// of task
    #[arg(long, value_name = "KEY=VALUE", add = ArgValueCompleter::new(assignments))]
    pub set: Vec<String>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: SearchEngineArgs,
    #[command(flatten)]
    pub families: FamilyOptions,
}

impl EvalArgs {
    /// Checks that the command line selects no compute engine. For experiments that are always evaluated on the CPU.
    ///
    /// # Errors
    /// [`CliError::Usage`] that names the experiment to which engine options apply.
    pub fn check_no_engine(&self) -> Result<(), CliError> {
        let why = "is evaluated on the CPU; --engine applies to the beam search of cube3 only";
        self.check_absent("--engine", self.engine.is_given(), why)
    }

    /// Returns the fields of `--set` with their values.
    ///
    /// # Errors
    /// [`CliError::Usage`] for a field that evaluations of the experiment do not depend on.
    pub fn task_changes(&self) -> Result<Vec<(String, Value)>, CliError> {
        let measures = vivarium_exhibits::measures(&self.experiment).map_err(CliError::usage_by)?;
        let section = measures.task_section();
        let change = |text: &String| {
            let (path, value) = config::assignment(text).map_err(CliError::usage_by)?;
            let is_of_task = path.split_once('.').is_some_and(|(first, _)| Some(first) == section);
            match section {
                Some(_) if is_of_task => Ok((path, value)),
                Some(section) => Err(CliError::usage(format!(
                    "--set {text}: an evaluation depends on the fields of {section} only; use such a field"
                ))),
                None => Err(CliError::usage(format!(
                    "--set {text}: no field of {} changes its evaluations; omit --set",
                    self.experiment
                ))),
            }
        };
        self.set.iter().map(change).collect()
    }

    /// Checks that the command line has no `--episodes`. `why` is the reason in the error message.
    ///
    /// # Errors
    /// [`CliError::Usage`] with the reason.
    pub fn check_no_episodes(&self, why: &str) -> Result<(), CliError> {
        self.check_absent("--episodes", self.episodes.is_some(), why)
    }

    fn check_absent(&self, option: &str, is_given: bool, why: &str) -> Result<(), CliError> {
        match is_given {
            true => Err(CliError::usage(format!("{option}: {} {why}", self.experiment))),
            false => Ok(()),
        }
    }
}

/// Parsed family-specific options of the command line. A family is a group of experiments with one kind of learner,
/// such as board games.
#[derive(Clone, Debug)]
pub struct FamilyOptions(ArgMatches);

impl FamilyOptions {
    /// Returns the options of one family; `A` is the type of these options.
    ///
    /// # Errors
    /// [`CliError::Usage`] if the value of an option is invalid.
    pub fn of<A: FromArgMatches>(&self) -> Result<A, CliError> {
        A::from_arg_matches(&self.0).map_err(CliError::usage_by)
    }

    /// Returns whether the command line contains the option with the identifier `id`.
    pub fn is_given(&self, id: &str) -> bool {
        self.0.value_source(id) == Some(ValueSource::CommandLine)
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

/// Parses the options of all families, but defines no options: `families::options` adds the options to the command.
impl Args for FamilyOptions {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}
