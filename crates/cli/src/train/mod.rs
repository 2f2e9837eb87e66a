//! `vivarium train`: from a command line to a run in its folder, new or taken up again.

mod evaluation;
mod interrupt;
mod journal;
mod limits;
mod progress;
mod schedule;
mod session;
mod summary;
#[cfg(test)]
mod tests;

use crate::command_line::{Engine, TrainArgs};
use crate::engine::{self, Wish};
use crate::failure::Failure;
use crate::language::text;
use crate::run::{self, About, RunFolder};
use crate::{machine, terminal};
use limits::{End, Limits};
use serde_json::{Value, json};
use session::Session;
use std::path::Path;
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::experiment::Experiment;
use vivarium_lab::{AnyExhibit, checkpoint, config};

/// Trains as the command line asks.
///
/// # Errors
/// [`Failure::Usage`] for what the command line got wrong, before anything is written; [`Failure::Failed`] for what
/// goes wrong later; [`Failure::Interrupted`] after Ctrl-C, once everything is saved.
pub fn run(args: &TrainArgs) -> Result<(), Failure> {
    let threads = args.threads.map_or_else(machine::cores, usize::from);
    let (experiment, folder) = match &args.resume {
        Some(path) => resume(args, path, threads)?,
        None => start(args, threads)?,
    };
    let info = vivarium_exhibits::info(experiment.name()).map_err(Failure::failed_by)?;
    let measures = vivarium_exhibits::measures(experiment.name()).map_err(Failure::failed_by)?;
    if let Some(goal) = &args.until {
        goal.check(&info, &measures).map_err(Failure::usage)?;
    }
    folder.write_config(&experiment.config())?;
    folder.write_about(&about(experiment.as_ref(), threads))?;
    interrupt::listen();
    let limits = Limits::new(args, &measures, experiment.progress().total_steps);
    let mut session = Session::new(experiment, Cpu::new(threads), folder, info, limits)?;
    terminal::aside(&summary::opening(&session));
    let end = session.run()?;
    if end == End::Interrupted {
        terminal::aside(&summary::interrupted(&session, args));
    } else {
        terminal::out(&summary::finished(&session, &end, args));
    }
    session.leave();
    if end == End::Interrupted { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Makes a new run.
fn start(args: &TrainArgs, threads: usize) -> Result<(Box<dyn AnyExhibit>, RunFolder), Failure> {
    let name = args.experiment.as_deref().unwrap_or_default();
    let info = vivarium_exhibits::info(name).map_err(Failure::usage_by)?;
    let measures = vivarium_exhibits::measures(name).map_err(Failure::usage_by)?;
    if let Some(goal) = &args.until {
        goal.check(&info, &measures).map_err(Failure::usage)?;
    }
    let mut given = match &args.config {
        Some(path) => read_config(path)?,
        None => json!({}),
    };
    let mut set = Vec::new();
    for text in &args.set {
        let (path, value) = config::assignment(text).map_err(Failure::usage_by)?;
        config::set(&mut given, &path, value).map_err(Failure::usage_by)?;
        set.push(path);
    }
    let seed = args.seed.unwrap_or(1);
    let refuse = |error: LabError| match (&args.config, &error) {
        (Some(file), LabError::Invalid { field, .. }) if !set.contains(field) => {
            Failure::usage(format!("--config {}: {error}", file.display()))
        }
        _ => Failure::usage_by(error),
    };
    text::check_named(&given).map_err(Failure::usage)?;
    let mut experiment = REGISTRY.create(name, &given, seed).map_err(refuse)?;
    text::bring(experiment.as_mut()).map_err(Failure::usage)?;
    text::prepare(experiment.as_mut(), &Cpu::new(threads)).map_err(Failure::usage)?;
    place(experiment.as_mut(), args, threads)?;
    let about = about(experiment.as_ref(), threads);
    let folder = RunFolder::create(args.out.as_deref(), &about, &experiment.config())?;
    Ok((experiment, folder))
}

/// Takes a run up again where its last checkpoint is, or begins it again where there is none yet.
fn resume(
    args: &TrainArgs,
    path: &Path,
    threads: usize,
) -> Result<(Box<dyn AnyExhibit>, RunFolder), Failure> {
    let (mut folder, about) = RunFolder::open(path)?;
    if let Some(name) = args.experiment.as_ref().filter(|name| **name != about.experiment) {
        return Err(Failure::usage(format!(
            "--resume {}: the run in there is of {}, not of {name}; leave the name out, or name another folder",
            path.display(),
            about.experiment
        )));
    }
    folder.claim()?;
    let latest = folder.latest();
    let mut experiment = match folder.unbegun()? {
        Some(config) => {
            REGISTRY.create(&about.experiment, &config, about.seed).map_err(Failure::failed_by)?
        }
        None => {
            let opened = open_checkpoint(&latest, &about.experiment);
            opened.map_err(|failure| with_best(failure, &folder, &about.experiment))?.0
        }
    };
    text::bring(experiment.as_mut()).map_err(|why| {
        let data = experiment.config()["data"].as_str().is_some_and(|data| Path::new(data).is_relative());
        let hint = if data { "; its place is relative to the folder in which training began" } else { "" };
        Failure::failed(format!("{}: {why}{hint}", latest.display()))
    })?;
    for text in &args.set {
        let (path, value) = config::assignment(text).map_err(Failure::usage_by)?;
        if path == "preset" {
            return Err(Failure::usage(format!(
                "--set {text}: a preset is set when a run begins, and this one goes on; set its fields one by one, or begin a \
                 new run"
            )));
        }
        experiment.set(&path, &value).map_err(Failure::usage_by)?;
    }
    place(experiment.as_mut(), args, threads)?;
    Ok((experiment, folder))
}

/// Adds to what is wrong with the newest checkpoint of a run of the experiment `name` how to go on from its best one, where
/// that can be opened.
fn with_best(failure: Failure, folder: &RunFolder, name: &str) -> Failure {
    let best = folder.best();
    match failure.message().filter(|_| open_checkpoint(&best, name).is_ok()) {
        Some(why) => Failure::failed(format!(
            "{why}; to go on from the best state so far, copy {} to {}",
            best.display(),
            folder.latest().display()
        )),
        None => failure,
    }
}

/// Puts an experiment onto the engine that the command line asks for.
///
/// # Errors
/// [`Failure`] saying why it cannot be; with `--engine auto` it then stays on the CPU.
fn place(experiment: &mut dyn Experiment, args: &TrainArgs, threads: usize) -> Result<(), Failure> {
    let wish = Wish { engine: args.engine, adapter: args.adapter.as_deref(), threads };
    let engine = engine::choose(wish, experiment)?;
    match experiment.set_engine(engine) {
        Err(error) if args.engine == Engine::Auto => {
            terminal::aside(&format!("Training on the CPU: {error}."));
            Ok(())
        }
        outcome => outcome.map_err(Failure::usage_by),
    }
}

/// Opens a checkpoint that must be one of the experiment `name`. Tells also the steps of training behind it: a network alone
/// is of a learner that is not there.
///
/// # Errors
/// [`Failure::Failed`] naming the file and what is wrong with it.
pub fn open_checkpoint(path: &Path, name: &str) -> Result<(Box<dyn AnyExhibit>, u64), Failure> {
    let refuse = |why: String| Failure::failed(format!("{}: {why}", path.display()));
    let bytes = run::read_checkpoint(path)?;
    let experiment = REGISTRY.open(&bytes).map_err(|error| refuse(error.to_string()))?;
    let steps = checkpoint::read_header(&bytes).map_err(|error| refuse(error.to_string()))?.steps;
    // A large one is needed no longer.
    drop(bytes);
    if experiment.name() != name {
        return Err(refuse(format!("this is a checkpoint of {}, not of {name}", experiment.name())));
    }
    Ok((experiment, steps))
}

fn read_config(path: &Path) -> Result<Value, Failure> {
    let bytes = run::read_bytes(path)?;
    let refuse = |why: String| Failure::usage(format!("--config {}: {why}", path.display()));
    let given: Value =
        serde_json::from_slice(&bytes).map_err(|error| refuse(format!("it is not JSON: {error}")))?;
    if given.is_object() { Ok(given) } else { Err(refuse("it must hold a JSON object".into())) }
}

/// What is noted about a run as it is now.
fn about(experiment: &dyn Experiment, threads: usize) -> About {
    let about = About {
        experiment: experiment.name().to_owned(),
        seed: experiment.seed(),
        engine: String::new(),
        adapter: None,
        threads,
        started: run::now(),
        program: concat!("vivarium ", env!("CARGO_PKG_VERSION")).to_owned(),
    };
    about.on(experiment.engine())
}
