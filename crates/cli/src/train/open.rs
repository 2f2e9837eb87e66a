//! Opening of a run: a new run in a new folder, or a run that is resumed.

use super::args::TrainArgs;
use super::given_text::GivenText;
use super::settings::Settings;
use super::{given_text, hugging_face, interrupt, limits, summary};
use crate::checkpoint_file::CheckpointFile;
use crate::engine::args::{EngineChoice, EngineRequest};
use crate::error::CliError;
use crate::run::{self, RunFolder, changes_section, now};
use crate::{corpus, engine, machine, terminal, text};
use clap::Args;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::experiment::Experiment;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::run_metadata::{ChangedField, RunMetadata, SessionRecord, changed_fields};
use vivarium_lab::{AnyExhibit, config};

/// Creates the experiment and the folder of a new run. Checks the command line before any file is written.
///
/// # Errors
/// [`CliError::Usage`] for an invalid command line; [`CliError::Failed`] if a file cannot be read or written.
pub fn start_run(args: &TrainArgs, threads: usize) -> Result<(Box<dyn AnyExhibit>, RunFolder), CliError> {
    begin_run(create(args, threads)?, args, threads)
}

/// Selects the compute engine of the experiment, and creates the folder of a new run.
///
/// # Errors
/// [`CliError`] if the engine cannot be used, or the folder cannot be created.
fn begin_run(
    mut experiment: Box<dyn AnyExhibit>,
    args: &TrainArgs,
    threads: usize,
) -> Result<(Box<dyn AnyExhibit>, RunFolder), CliError> {
    select_engine(experiment.as_mut(), args, threads)?;
    let session = session_record(experiment.as_ref(), args, threads);
    let about = RunMetadata::new(experiment.name(), experiment.seed(), session);
    interrupt::save_on_signal();
    let folder = RunFolder::create(args.out.as_deref(), &about, &experiment.config())?;
    Ok((experiment, folder))
}

/// Returns the options that resume the run in the folder of `--out`; `None` if the folder has no run.
///
/// # Errors
/// [`CliError::Usage`] if the folder has a run with another experiment, seed or config than `args` select.
pub fn resumption(args: &TrainArgs, threads: usize) -> Result<Option<TrainArgs>, CliError> {
    let Some(path) = args.out.as_ref().filter(|path| RunFolder::is_run(path)) else { return Ok(None) };
    let (folder, about) = RunFolder::open(path)?;
    let config = folder.current_config(&about)?;
    // Completes the config of an earlier version.
    let config = REGISTRY.configure(&about.experiment, &config).unwrap_or(config);
    let new = create(args, threads)?;
    let differences = differences(&about, &config, new.as_ref())?;
    if !differences.is_empty() {
        return Err(CliError::usage(format!(
            "{}: the folder has a run with other settings ({}); repeat the settings of the run to resume the run, or use another folder",
            path.display(),
            first_three(&differences)
        )));
    }
    Ok(Some(TrainArgs {
        resume: Some(path.clone()),
        threads: args.threads,
        engine: args.engine,
        adapter: args.adapter.clone(),
        until: args.until.clone(),
        steps: args.steps,
        minutes: args.minutes,
        json: args.json,
        quiet: args.quiet,
        evaluate_every: args.evaluate_every,
        keep_checkpoints: args.keep_checkpoints,
        metrics_rows: args.metrics_rows,
        ..TrainArgs::default()
    }))
}

/// Describes the settings in which the run with the metadata `about` and the config `config` differs from the experiment `new`,
/// such as "ppo.epochs: 4 in the run, 8 here".
///
/// # Errors
/// [`CliError::Failed`] if the experiment is unknown.
fn differences(about: &RunMetadata, config: &Value, new: &dyn Experiment) -> Result<Vec<String>, CliError> {
    let describe = |name: &str, run: &Value, here: &Value| {
        format!("{name}: {} in the run, {} here", text::field_value(run), text::field_value(here))
    };
    if about.experiment != new.name() {
        return Ok(vec![describe("experiment", &about.experiment.clone().into(), &new.name().into())]);
    }
    let info = vivarium_exhibits::info(new.name()).map_err(CliError::failed_by)?;
    let changes = changed_fields(&info.fields, config, &new.config());
    let seed = (about.seed != new.seed()).then(|| describe("seed", &about.seed.into(), &new.seed().into()));
    let fields = changes.iter().map(|(path, ChangedField { from, to })| describe(path, from, to));
    Ok(seed.into_iter().chain(fields).collect())
}

/// Joins the first three differences, followed by the number of the others.
fn first_three(differences: &[String]) -> String {
    let (first, others) = differences.split_at(differences.len().min(3));
    let more = if others.is_empty() { String::new() } else { format!("; and {} more", others.len()) };
    format!("{}{more}", first.join("; "))
}

/// Creates the untrained experiment of a new run.
///
/// # Errors
/// [`CliError::Usage`] for invalid settings; [`CliError::Failed`] if a file cannot be read.
fn create(args: &TrainArgs, threads: usize) -> Result<Box<dyn AnyExhibit>, CliError> {
    let name = &experiment_name(args)?;
    let info = vivarium_exhibits::info(name).map_err(CliError::usage_by)?;
    check_goal(args, &info)?;
    let settings = Settings::read(&args.settings, &info)?;
    let given = settings.config().map_err(CliError::usage_by)?;
    let seed = match (args.seed, config_run_seed(args, name)?) {
        (Some(seed), _) => seed,
        (None, Some((seed, folder))) => {
            terminal::print_message(&format!(
                "Seed {seed} of the run in {}; --seed sets another seed.",
                folder.display()
            ));
            seed
        }
        (None, None) => 1,
    };
    let suggest = |error: LabError| match &error {
        LabError::Invalid { field, .. } => settings.unknown_section(field, &given, &info).unwrap_or(error),
        _ => error,
    };
    let refuse = |error: LabError| match &suggest(error) {
        error @ LabError::Invalid { field, .. } => match settings.file_of(field) {
            Some(file) => {
                let of = other_experiment(file, name)
                    .map_or(String::new(), |other| format!(" is of a run of {other}, not of {name}"));
                CliError::usage(format!("--config {}{of}: {error}", file.display()))
            }
            None => field_error(error),
        },
        error => CliError::usage_by(error),
    };
    corpus::check_presets(&settings.presets, &given).map_err(CliError::usage)?;
    let mut experiment = match &args.from_hugging_face {
        Some(folder) => hugging_face::open(folder, name, &given, seed)?,
        None => REGISTRY.create(name, &given, seed).map_err(refuse)?,
    };
    let unused = settings.check_used(&given, &info)?;
    let of_others = args.config.iter().filter_map(|file| {
        let other = other_experiment(file, name)?;
        Some(format!("--config {} is of a run of {other}, not of {name}.", file.display()))
    });
    let outdated = args.config.iter().filter_map(|file| later_changes(file));
    let notices = settings.notices().into_iter().chain(unused).chain(of_others).chain(outdated);
    notices.for_each(|notice| terminal::print_message(&notice));
    corpus::supply(experiment.as_mut()).map_err(CliError::usage)?;
    corpus::train_tokenizer(experiment.as_mut(), &Cpu::new(threads)).map_err(CliError::usage)?;
    Ok(experiment)
}

/// Converts the error of a config field to a usage error, which names the option of `vivarium train` that has the field's name.
fn field_error(error: &LabError) -> CliError {
    match error {
        LabError::Invalid { field, .. } if let Some(option) = option_named(field) => {
            CliError::usage(format!("{field} is not a config field; use the option --{option}"))
        }
        error => CliError::usage_by(error),
    }
}

/// Returns the option of `vivarium train` with the name or alias `name`, such as `steps` for `total_timesteps`.
fn option_named(name: &str) -> Option<String> {
    let command = TrainArgs::augment_args(clap::Command::new("train"));
    let name = name.replace('_', "-");
    let mut options = command.get_arguments();
    let is_named = |option: &&clap::Arg| {
        option.get_long() == Some(&name) || option.get_all_aliases().is_some_and(|all| all.contains(&&*name))
    };
    Some(options.find(is_named)?.get_long()?.to_owned())
}

/// Returns seed and folder of a run whose config `--config` reads: of the last file from a run of the experiment `name`. Returns
/// `None` if no file is from such a run, or if `--seed` is given.
///
/// # Errors
/// [`CliError::Failed`] if the metadata of the run cannot be read.
fn config_run_seed<'a>(args: &'a TrainArgs, name: &str) -> Result<Option<(u64, &'a Path)>, CliError> {
    if args.seed.is_some() {
        return Ok(None);
    }
    for folder in args.config.iter().rev().filter_map(|file| run::containing_run(file)) {
        let (_, metadata) = RunFolder::open(folder)?;
        if metadata.experiment == name {
            return Ok(Some((metadata.seed, folder)));
        }
    }
    Ok(None)
}

/// Returns the experiment of the run whose folder has the file; `None` if the file is in no run folder, or the run is of the
/// experiment `name`.
fn other_experiment(file: &Path, name: &str) -> Option<String> {
    let (_, about) = RunFolder::open(run::containing_run(file)?).ok()?;
    (about.experiment != name).then_some(about.experiment)
}

/// Returns a message with the config fields that sessions of the run have changed after its start, if the file of `--config` is in a
/// run folder: `config.json` has the settings at the start of the run.
fn later_changes(file: &Path) -> Option<String> {
    let (_, about) = RunFolder::open(run::containing_run(file)?).ok()?;
    let changed: BTreeSet<_> = about.sessions.iter().flat_map(|session| session.changes.keys()).collect();
    let fields: Vec<_> = changed.into_iter().map(String::as_str).collect();
    (!fields.is_empty()).then(|| {
        format!(
            "--config {} has the settings at the start of the run, without later changes of {}.",
            file.display(),
            fields.join(", ")
        )
    })
}

/// Opens the run in the folder `path` with the experiment in its latest checkpoint, and appends a training session to
/// `run.json`. Without a checkpoint, creates the experiment from the run's config.
///
/// # Errors
/// [`CliError`] if the folder or the checkpoint is invalid, or another process trains the run.
pub fn resume_run(
    args: &TrainArgs,
    path: &Path,
    threads: usize,
) -> Result<(Box<dyn AnyExhibit>, RunFolder), CliError> {
    if path.is_file() {
        let folder = run::containing_run(path).map_or(String::new(), |folder| {
            format!("; --resume {} resumes the run from its latest checkpoint", folder.display())
        });
        return Err(CliError::usage(format!(
            "--resume {path}: it is a file, not a run folder{folder}; --from {path} starts a new run from a checkpoint",
            path = path.display()
        )));
    }
    let (mut folder, about) = RunFolder::open(path)?;
    if let Some(name) = args.experiment.as_ref().filter(|name| **name != about.experiment) {
        return Err(CliError::usage(format!(
            "--resume {}: the folder has a run of {}, not of {name}; omit the name, or use another folder",
            path.display(),
            about.experiment
        )));
    }
    folder.lock()?;
    let latest = folder.latest();
    let info = vivarium_exhibits::info(&about.experiment).map_err(CliError::failed_by)?;
    let (text, set) = GivenText::split(&args.set, &info)?;
    let mut experiment = match folder.config_without_checkpoint()? {
        Some(mut config) => {
            about.apply_changes(&mut config);
            text.as_ref().map_or(Ok(()), |text| text.set_in(&mut config))?;
            REGISTRY.create(&about.experiment, &config, about.seed).map_err(CliError::failed_by)?
        }
        None => {
            let suggest = |failure| suggest_other_checkpoint(failure, &folder, &about.experiment);
            let file = CheckpointFile::read(&latest).map_err(suggest)?;
            let file = with_text(file, text.as_ref())?;
            file.experiment(&about.experiment).map_err(suggest)?.0
        }
    };
    check_goal(args, &info)?;
    corpus::supply(experiment.as_mut()).map_err(|why| {
        let place = if text.is_some() { String::new() } else { format!("{}: ", latest.display()) };
        given_text::refuse(experiment.as_ref(), text.as_ref(), &format!("{place}{why}"))
    })?;
    set_fields(experiment.as_mut(), &set)?;
    select_engine(experiment.as_mut(), args, threads)?;
    interrupt::save_on_signal();
    retire_later_checkpoints(&folder, experiment.as_ref())?;
    record_resumption(&folder, experiment.as_ref(), session_record(experiment.as_ref(), args, threads))?;
    Ok((experiment, folder))
}

/// Creates a new run from the state of the checkpoint or run folder `path`, the option `--from`.
///
/// # Errors
/// [`CliError`] if the checkpoint is invalid or of another experiment, or a file cannot be written.
pub fn fork_run(
    args: &TrainArgs,
    path: &Path,
    threads: usize,
) -> Result<(Box<dyn AnyExhibit>, RunFolder), CliError> {
    let file = CheckpointFile::read(path)?;
    let trained = file.experiment_name()?;
    let name = args.experiment.as_ref().unwrap_or(&trained);
    let info = vivarium_exhibits::info(name).map_err(CliError::failed_by)?;
    let (text, set) = GivenText::split(&args.set, &info)?;
    let (mut experiment, _) = with_text(file, text.as_ref())?.experiment(name)?;
    // Without the state of the learner (a file with weights only), training starts at 0.
    let steps = experiment.progress().steps;
    check_goal(args, &info)?;
    if let Some(last) = args.steps.filter(|last| *last <= steps) {
        return Err(CliError::usage(format!(
            "--steps {last}: the checkpoint already has {}, and --steps is the total; increase it",
            info.readings.count(steps)
        )));
    }
    corpus::supply(experiment.as_mut())
        .map_err(|why| given_text::refuse(experiment.as_ref(), text.as_ref(), &why))?;
    set_fields(experiment.as_mut(), &set)?;
    begin_run(experiment, args, threads)
}

/// Returns the checkpoint with the training text of `--set data=PATH` in its config, if `text` is one.
///
/// # Errors
/// [`CliError::Usage`] if the run was trained on the built-in encyclopedia.
fn with_text(file: CheckpointFile, text: Option<&GivenText>) -> Result<CheckpointFile, CliError> {
    match text {
        Some(text) => text.set_in_checkpoint(file),
        None => Ok(file),
    }
}

/// Sets live fields of an experiment that has been trained, by the values of `--set`.
///
/// # Errors
/// [`CliError::Usage`] for a preset, and for a field that cannot change.
fn set_fields(experiment: &mut dyn Experiment, assignments: &[String]) -> Result<(), CliError> {
    let info = vivarium_exhibits::info(experiment.name()).map_err(CliError::failed_by)?;
    for text in assignments {
        let (path, value) = config::assignment(text).map_err(CliError::usage_by)?;
        if path == "preset" {
            return Err(CliError::usage(format!(
                "--set {text}: a preset cannot be set when training continues; set its fields one by one, or start a new run"
            )));
        }
        if let Some((_, selected)) = config::unused_learner(&info.fields, &experiment.config(), &path) {
            return Err(CliError::usage(format!(
                "{path} has no effect: the run trains with learner={selected}"
            )));
        }
        experiment.set(&path, &value).map_err(|error| field_error(&error))?;
    }
    Ok(())
}

/// Checks that the experiment can reach the goal of `--until`.
///
/// # Errors
/// [`CliError::Usage`] with the measures of the experiment, or with the range of the measure.
fn check_goal(args: &TrainArgs, info: &ExperimentInfo) -> Result<(), CliError> {
    let Some(goal) = &args.until else { return Ok(()) };
    let measures = vivarium_exhibits::measures(&info.name).map_err(CliError::failed_by)?;
    let refuse = |error| CliError::usage(format!("--until {goal}: {}", corpus::without_field(error)));
    goal.check(info, measures).map_err(refuse)
}

/// Appends the training session `session` to `run.json`, and prints the config fields that have changed since the previous session.
/// If `config.json` is missing or invalid, no change is recorded.
///
/// # Errors
/// [`CliError::Failed`] if `run.json` cannot be read or written.
fn record_resumption(
    folder: &RunFolder,
    experiment: &dyn Experiment,
    mut session: SessionRecord,
) -> Result<(), CliError> {
    let (_, mut metadata) = RunFolder::open(folder.path())?;
    let before = folder.config().ok().and_then(|config| REGISTRY.configure(experiment.name(), &config).ok());
    if let Some(mut before) = before {
        metadata.apply_changes(&mut before);
        let info = vivarium_exhibits::info(experiment.name()).map_err(CliError::failed_by)?;
        session.changes = changed_fields(&info.fields, &before, &experiment.config());
    }
    if !session.changes.is_empty() {
        terminal::print_message(&summary::changes_message(&session.changes));
        retire_best(folder, experiment, &session)?;
    }
    metadata.resume(session);
    folder.write_metadata(&metadata)
}

/// Sets aside the checkpoints that are later than the resumed state of `experiment`, and prints their names. A killed run has
/// such checkpoints if it was evaluated after its latest checkpoint.
fn retire_later_checkpoints(folder: &RunFolder, experiment: &dyn Experiment) -> Result<(), CliError> {
    let info = vivarium_exhibits::info(experiment.name()).map_err(CliError::failed_by)?;
    let retired = folder.retire_later_than(experiment.progress().steps)?;
    if !retired.is_empty() {
        let one = |(steps, name): &(u64, String)| format!("{name} ({})", info.readings.count(*steps));
        terminal::print_message(&format!(
            "Later than the resumed step, therefore set aside as earlier-…: {}.",
            retired.iter().map(one).collect::<Vec<_>>().join(", ")
        ));
    }
    Ok(())
}

/// Retires the best checkpoint if the session changes the task of the run.
fn retire_best(
    folder: &RunFolder,
    experiment: &dyn Experiment,
    session: &SessionRecord,
) -> Result<(), CliError> {
    let measures = vivarium_exhibits::measures(experiment.name()).map_err(CliError::failed_by)?;
    let section = measures.task_section().filter(|section| changes_section(session, section));
    let Some(section) = section else { return Ok(()) };
    if folder.retire_best()? {
        terminal::print_message(&format!(
            "The best checkpoint was evaluated with other values of {section}; it is now earlier-best.safetensors."
        ));
    }
    Ok(())
}

/// Opens the experiment `name` of the checkpoint at `path`.
fn open_checkpoint(path: &Path, name: &str) -> Result<Box<dyn AnyExhibit>, CliError> {
    Ok(CheckpointFile::read(path)?.experiment(name)?.0)
}

/// Adds a remedy to the error `failure` of the latest checkpoint: resuming from the newest numbered checkpoint or else the best
/// checkpoint, if one of them can be opened.
fn suggest_other_checkpoint(failure: CliError, folder: &RunFolder, name: &str) -> CliError {
    let mut others = folder.checkpoints().into_iter();
    match others.find(|path| open_checkpoint(path, name).is_ok()) {
        Some(other) => CliError::failed(format!(
            "{}; to resume from an earlier checkpoint, copy {} to {}",
            failure.message().unwrap_or_default(),
            other.display(),
            folder.latest().display()
        )),
        None => failure,
    }
}

/// Selects the compute engine of an experiment by the engine options of the command line.
///
/// # Errors
/// [`CliError`] if the engine cannot be used. With `--engine auto`, the experiment then stays on the CPU without an
/// error.
fn select_engine(experiment: &mut dyn Experiment, args: &TrainArgs, threads: usize) -> Result<(), CliError> {
    let request = EngineRequest { engine: args.engine, adapter: args.adapter.as_deref(), threads };
    let engine = engine::choose(request, experiment)?;
    match experiment.set_engine(engine) {
        Err(error) if args.engine == EngineChoice::Auto => {
            terminal::print_message(&format!("Training on the CPU: {error}."));
            Ok(())
        }
        outcome => outcome.map_err(CliError::usage_by),
    }
}

/// Returns the name of the experiment of a new run: the name on the command line, or else the experiment of the run
/// whose folder has a file of `--config`, or `language` with `--from-huggingface`.
///
/// # Errors
/// [`CliError::Usage`] without a name.
pub fn experiment_name(args: &TrainArgs) -> Result<String, CliError> {
    if let Some(name) = &args.experiment {
        return Ok(name.clone());
    }
    if args.from_hugging_face.is_some() {
        return Ok(hugging_face::EXPERIMENT.to_owned());
    }
    let folder = args.config.iter().rev().find_map(|file| run::containing_run(file));
    match folder {
        Some(folder) => Ok(RunFolder::open(folder)?.1.experiment),
        None => Err(CliError::usage(
            "the name of the experiment is missing, and no file of --config is in a run folder that has it; add the name, \
             such as vivarium train cartpole --config FILE",
        )),
    }
}

/// Returns the record of a training session that starts now.
fn session_record(experiment: &dyn Experiment, args: &TrainArgs, threads: usize) -> SessionRecord {
    let (origin, steps) = (machine::provenance(), experiment.progress().steps);
    SessionRecord::begin(origin, experiment.engine(), threads, now(), steps, limits::given(args))
}
