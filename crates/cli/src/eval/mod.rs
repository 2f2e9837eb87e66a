//! `vivarium eval`: how a checkpoint does, and what can be made of it.

mod export;

use crate::command_line::{Engine, EvalArgs};
use crate::engine::{self, Wish};
use crate::failure::Failure;
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

/// Evaluates as the command line asks, and writes the files that it asks for.
///
/// # Errors
/// [`Failure::Usage`] for an unknown experiment, or files that it cannot be made into; [`Failure::Failed`] for a checkpoint
/// that cannot be opened or is another experiment's, and for a file that cannot be written.
pub fn run(args: &EvalArgs) -> Result<(), Failure> {
    let info = vivarium_exhibits::info(&args.experiment).map_err(Failure::usage_by)?;
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
    let wish = Wish { engine: args.engine, adapter: args.adapter.as_deref(), threads };
    let engine = engine::choose_for_search(wish)?;
    experiment.set_engine(engine).map_err(Failure::usage_by)?;
    let measures = vivarium_exhibits::measures(&args.experiment).map_err(Failure::usage_by)?;
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

/// The evaluation as one line of JSON, after whose it is: the fields of `evaluation`, which is an object.
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

/// Evaluates with a bar on the terminal, where there is one: it may take minutes.
fn evaluate(
    experiment: &mut dyn Experiment,
    cpu: &Cpu,
    trials: u32,
    seed: u64,
) -> Result<Evaluation, Failure> {
    let bar = terminal::bar(1000, "{msg} {wide_bar} {percent} %, {eta} to go");
    bar.set_message("evaluation");
    let go_on = |share: f64| {
        bar.set_position((share * 1000.0) as u64);
        false
    };
    let episodes = Episodes { count: trials, seed, stop: &go_on };
    let evaluation = experiment.evaluate_interruptible(cpu, episodes).map_err(Failure::usage_by);
    bar.finish_and_clear();
    evaluation?.ok_or_else(|| Failure::failed("the evaluation was left, and nothing asked for that"))
}

/// Refuses what is asked of another kind of experiment.
fn check_kind(args: &EvalArgs, info: &ExperimentInfo) -> Result<(), Failure> {
    let (is_game, is_cube) = (info.family() == "games", info.family() == "cube");
    let games = "is for board games";
    if args.text.is_some() && info.family() != "language" {
        return Err(Failure::usage(format!("--text is for language models, and {} is none", info.name)));
    }
    if (args.engine != Engine::Cpu || args.adapter.is_some()) && info.name != "cube3" {
        return Err(Failure::usage(format!(
            "--engine: {} is evaluated on the CPU; --engine is for cube3, whose searches a GPU can look ahead for",
            info.name
        )));
    }
    let options = [
        ("--against", !args.against.is_empty(), is_game, games),
        ("--games", args.games.is_some(), is_game, games),
        ("--simulations", args.simulations.is_some(), is_game, games),
        ("--network", args.network.is_some(), is_game || is_cube, "is for board games and cubes"),
        ("--episodes", args.episodes.is_some(), !is_game, "is for everything but board games"),
    ];
    if args.episodes.is_some() && info.name == CubeProblem::NAME {
        return Err(Failure::usage(format!(
            "--episodes: {} is always evaluated in all of its 3,674,160 states; leave --episodes out",
            info.name
        )));
    }
    match options.into_iter().find(|&(_, given, fits, _)| given && !fits) {
        Some((option, .., what)) => Err(Failure::usage(format!(
            "{option}: {} is {}; {option} {what}",
            info.name,
            if is_game { "a board game" } else { "no board game" }
        ))),
        None => Ok(()),
    }
}
