//! `vivarium eval`: evaluation of a checkpoint, and export of files.

mod export;
mod family;

pub use export::Export;
pub use family::{EvalFamily, FamilyOptions};

use crate::command_line::SearchEngineArgs;
use crate::command_line::values::whole;
use crate::error::CliError;
use crate::{terminal, train};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use vivarium_graph::Cpu;
use vivarium_lab::Experiment;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::measures::EvaluationContext;
use vivarium_lab::protocol::Evaluation;

/// `vivarium eval`.
#[derive(Args, Debug)]
pub struct EvalArgs {
    /// Name of the experiment, such as cartpole or logic-ca
    pub experiment: String,
    /// Checkpoint file, such as runs/cartpole-1-1/best.safetensors
    #[arg(long, value_name = "FILE")]
    pub checkpoint: PathBuf,
    /// Number of episodes, boards of a logic automaton, random cubes or windows of held-out text, 1 to 10000 [default: depends on the experiment, at most 100; for text, one second's worth]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u32, 10_000))]
    pub episodes: Option<u32>,
    /// Random seed of the episodes
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: SearchEngineArgs,
    /// Write the network's weights without the optimizer state (board games and cubes only)
    #[arg(long, alias = "network", value_name = "FILE")]
    pub export_weights: Option<PathBuf>,
    #[command(flatten)]
    pub families: FamilyOptions,
}

impl EvalArgs {
    /// Checks that the command line selects no engine, for an experiment that is always evaluated on the CPU.
    ///
    /// # Errors
    /// [`CliError::Usage`] with the experiment that can be evaluated on a GPU.
    pub fn refuse_engine(&self) -> Result<(), CliError> {
        let why = "is evaluated on the CPU; --engine applies to the beam search of cube3 only";
        self.refuse("--engine", self.engine.is_given(), why)
    }

    /// Checks that the command line has no `--export-weights`, for an experiment without an exportable network.
    ///
    /// # Errors
    /// [`CliError::Usage`] with the experiments whose weights can be exported.
    pub fn refuse_weights(&self) -> Result<(), CliError> {
        let why = "has no network to export; --export-weights applies to board games and cubes only";
        self.refuse("--export-weights", self.export_weights.is_some(), why)
    }

    /// Checks that the command line has no `--episodes`. `why` is the reason in the error message.
    ///
    /// # Errors
    /// [`CliError::Usage`] with the reason.
    pub fn refuse_episodes(&self, why: &str) -> Result<(), CliError> {
        self.refuse("--episodes", self.episodes.is_some(), why)
    }

    fn refuse(&self, option: &str, is_given: bool, why: &str) -> Result<(), CliError> {
        match is_given {
            true => Err(CliError::usage(format!("{option}: {} {why}", self.experiment))),
            false => Ok(()),
        }
    }
}

/// Runs `vivarium eval`.
///
/// # Errors
/// [`CliError::Usage`] for an unknown experiment or unsupported options; [`CliError::Failed`] for an invalid checkpoint
/// and for files that cannot be written.
pub fn run(args: &EvalArgs) -> Result<(), CliError> {
    let info = vivarium_exhibits::info(&args.experiment).map_err(CliError::usage_by)?;
    let family = family::of(&info);
    args.families.check(&info)?;
    family.check(args)?;
    export::check(args, &family.exports(args)?)?;
    family.run(args, &info)
}

/// Evaluates the experiment of the checkpoint, exports the files that the command line requests, and prints the result.
fn evaluate_checkpoint(
    family: &(impl EvalFamily + ?Sized),
    args: &EvalArgs,
    info: &ExperimentInfo,
) -> Result<(), CliError> {
    let (mut experiment, trained) = train::open_checkpoint(&args.checkpoint, &info.name)?;
    family.prepare(args, experiment.as_mut())?;
    experiment.set_engine(args.engine.open()?).map_err(CliError::usage_by)?;
    let measures = vivarium_exhibits::measures(&info.name).map_err(CliError::usage_by)?;
    let trials = args.episodes.unwrap_or_else(|| (measures.trials)(&experiment.config()));
    let evaluation = evaluate(experiment.as_mut(), &Cpu::new(args.engine.threads()), trials, args.seed)?;
    export::write(&family.exports(args)?, experiment.as_mut())?;
    let subject =
        EvaluationContext { title: &info.title, trained, solved: measures.solved, evaluation: &evaluation };
    terminal::out(&if args.json {
        json_line(args, trained, (measures.json)(&subject))
    } else {
        (measures.table)(&subject)
    });
    Ok(())
}

/// Formats the evaluation result as one line of JSON: experiment, checkpoint, and the fields of the object
/// `evaluation`.
fn json_line(args: &EvalArgs, trained: u64, evaluation: Value) -> String {
    let mut line = json!({
        "experiment": args.experiment,
        "checkpoint": args.checkpoint.display().to_string(),
        "trained_steps": trained,
        "seed": args.seed,
    });
    if let (Some(line), Value::Object(fields)) = (line.as_object_mut(), evaluation) {
        line.extend(fields);
    }
    line.to_string()
}

/// Evaluates the experiment with a progress bar on standard error.
fn evaluate(
    experiment: &mut dyn Experiment,
    cpu: &Cpu,
    trials: u32,
    seed: u64,
) -> Result<Evaluation, CliError> {
    let bar = terminal::bar(1000, "{msg} {wide_bar} {percent} %, {eta} left");
    bar.set_message("evaluation");
    let stop = |share: f64| {
        bar.set_position((share * 1000.0) as u64);
        false
    };
    let episodes = Episodes { count: trials, seed, stop: &stop };
    let evaluation = experiment.evaluate_interruptible(cpu, episodes).map_err(CliError::usage_by);
    bar.finish_and_clear();
    evaluation?.ok_or_else(|| CliError::failed("the evaluation stopped without a request"))
}
