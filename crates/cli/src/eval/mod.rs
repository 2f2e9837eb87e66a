//! `vivarium eval`: evaluation of a checkpoint, and export of files.

mod export;

use crate::command_line::{EngineChoice, EvalArgs};
use crate::engine::{self, EngineRequest};
use crate::error::CliError;
use crate::language::text;
use crate::{games, machine, terminal, train};
use serde_json::{Value, json};
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_agents::dqn::{CubeProblem, DqnProblem};
use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_graph::Cpu;
use vivarium_lab::Experiment;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::measures::EvaluationContext;
use vivarium_lab::protocol::Evaluation;

/// Runs `vivarium eval`.
///
/// # Errors
/// [`CliError::Usage`] for an unknown experiment or unsupported options; [`CliError::Failed`] for an invalid checkpoint
/// and for files that cannot be written.
pub fn run(args: &EvalArgs) -> Result<(), CliError> {
    let info = vivarium_exhibits::info(&args.experiment).map_err(CliError::usage_by)?;
    check_kind(args, &info)?;
    export::check(args, &info)?;
    match info.name.as_str() {
        State::NAME => return games::eval::run::<State>(args),
        ConnectFour::NAME => return games::eval::run::<ConnectFour>(args),
        _ => {}
    }
    let (mut experiment, trained) = train::open_checkpoint(&args.checkpoint, &info.name)?;
    text::bring_given(experiment.as_mut(), args.text.as_deref())?;
    let threads = args.threads.map_or_else(machine::cores, usize::from);
    let request = EngineRequest { engine: args.engine, adapter: args.adapter.as_deref(), threads };
    let engine = engine::choose_for_search(request)?;
    experiment.set_engine(engine).map_err(CliError::usage_by)?;
    let measures = vivarium_exhibits::measures(&args.experiment).map_err(CliError::usage_by)?;
    let trials = args.episodes.unwrap_or_else(|| (measures.trials)(&experiment.config()));
    let evaluation = evaluate(experiment.as_mut(), &Cpu::new(threads), trials, args.seed)?;
    export::write(args, experiment.as_mut())?;
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

/// Checks that the given options apply to the experiment.
fn check_kind(args: &EvalArgs, info: &ExperimentInfo) -> Result<(), CliError> {
    let (is_game, is_cube) = (info.family() == "games", info.family() == "cube");
    let games = "is for board games";
    if args.text.is_some() && info.family() != "language" {
        return Err(CliError::usage(format!("--text: {} is not a language model; omit --text", info.name)));
    }
    if (args.engine != EngineChoice::Cpu || args.adapter.is_some()) && info.name != "cube3" {
        return Err(CliError::usage(format!(
            "--engine: {} is evaluated on the CPU; --engine applies to the beam search of cube3 only",
            info.name
        )));
    }
    let options = [
        ("--against", !args.against.is_empty(), is_game, games),
        ("--games", args.games.is_some(), is_game, games),
        ("--simulations", args.simulations.is_some(), is_game, games),
        (
            "--export-weights",
            args.export_weights.is_some(),
            is_game || is_cube,
            "is for board games and cubes",
        ),
        ("--episodes", args.episodes.is_some(), !is_game, "is for everything but board games"),
    ];
    if args.episodes.is_some() && info.name == CubeProblem::NAME {
        return Err(CliError::usage(format!(
            "--episodes: {} is always evaluated in all of its 3,674,160 states; omit --episodes",
            info.name
        )));
    }
    match options.into_iter().find(|&(_, given, fits, _)| given && !fits) {
        Some((option, .., what)) => Err(CliError::usage(format!(
            "{option}: {} is {}; {option} {what}",
            info.name,
            if is_game { "a board game" } else { "no board game" }
        ))),
        None => Ok(()),
    }
}
