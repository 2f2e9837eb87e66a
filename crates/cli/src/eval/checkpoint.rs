//! Evaluation of a checkpoint by the evaluation measures of its experiment, such as the mean return.

use super::args::EvalArgs;
use super::export::{self, Export};
use super::outcome::{EvalOutcome, shown_measures, with_changes};
use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::{engine, terminal};
use serde_json::{Map, Value, json};
use vivarium_graph::Cpu;
use vivarium_lab::Experiment;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::measures::EvaluationContext;
use vivarium_lab::protocol::Evaluation;

/// Evaluates the experiment in the checkpoint of `args`, writes the requested files `exports`, and prints the result as text by
/// `print`. `prepare` loads data that the evaluation needs, such as a text.
///
/// # Errors
/// [`CliError`] if the checkpoint is invalid, the preparation or the evaluation fails, or a file cannot be written.
pub fn evaluate_checkpoint(
    args: &EvalArgs,
    info: &ExperimentInfo,
    exports: &[Export],
    print: &dyn Fn(&str),
    prepare: impl FnOnce(&mut dyn Experiment) -> Result<(), CliError>,
) -> Result<EvalOutcome, CliError> {
    let file = CheckpointFile::open(args.checkpoint.as_deref(), &info.name)?;
    let (mut experiment, trained) = file.experiment(&info.name)?;
    let changes = args.task_changes()?;
    for (path, value) in &changes {
        experiment.set(path, value).map_err(CliError::usage_by)?;
    }
    prepare(experiment.as_mut())?;
    let engine = engine::choose_for_search(args.engine.request())?;
    experiment.set_engine(engine).map_err(CliError::usage_by)?;
    let measures = vivarium_exhibits::measures(&info.name).map_err(CliError::usage_by)?;
    let trials = args.episodes.unwrap_or_else(|| measures.trials(&experiment.config()));
    let evaluation = evaluate(experiment.as_mut(), &Cpu::new(args.engine.threads()), trials, args.seed)?;
    export::write(exports, experiment.as_mut())?;
    let report = measures.report(&evaluation).ok_or_else(|| {
        CliError::failed(format!(
            "internal error: unexpected format of the evaluation of {}; please report this bug",
            info.name
        ))
    })?;
    let subject = EvaluationContext {
        title: &info.title,
        trained,
        solved: measures.scale().map(|scale| scale.solved),
        evaluation: &evaluation,
    };
    print(&format!("{}\n  checkpoint: {}{}", report.table(&subject), file.name(), with_changes(&changes)));
    Ok(EvalOutcome {
        trained,
        measures: shown_measures(measures, &evaluation),
        json: json_object(args, file.path(), trained, &changes, report.json(&subject)),
    })
}

/// Converts the evaluation result to a JSON object: experiment, checkpoint (`null` for the network of the program), training
/// steps, seed, fields of `--set`, and the fields of the object `evaluation`.
fn json_object(
    args: &EvalArgs,
    checkpoint: Option<String>,
    trained: u64,
    changes: &[(String, Value)],
    evaluation: Value,
) -> Value {
    let mut object = json!({
        "experiment": args.experiment,
        "checkpoint": checkpoint,
        "trained_steps": trained,
        "seed": args.seed,
        "set": changes.iter().cloned().collect::<Map<_, _>>(),
    });
    if let (Some(object), Value::Object(fields)) = (object.as_object_mut(), evaluation) {
        object.extend(fields);
    }
    object
}

/// Evaluates the experiment in `trials` trials (such as episodes), with a progress bar on standard error.
fn evaluate(
    experiment: &mut dyn Experiment,
    cpu: &Cpu,
    trials: u32,
    seed: u64,
) -> Result<Evaluation, CliError> {
    let bar = terminal::progress_bar(1000, "{msg} {wide_bar} {percent} %, {eta} left");
    bar.set_message("evaluation");
    let stop = |share: f64| {
        bar.set_position((share * 1000.0) as u64);
        false
    };
    let episodes = Episodes { count: trials, seed, stop: &stop };
    let evaluation = experiment.evaluate_interruptible(cpu, episodes).map_err(CliError::usage_by);
    bar.finish_and_clear();
    evaluation?.ok_or_else(|| {
        CliError::failed("internal error: the evaluation stopped without a request; please report this bug")
    })
}
