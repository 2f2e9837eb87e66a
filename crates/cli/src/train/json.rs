//! `vivarium train --json`: one JSON object per line on standard output.
//!
//! The first object has the event `start`, the last the event `end`. Between them, each recorded row of `metrics.jsonl`
//! is an object with the event `metrics`. A failed write of a file is an object with the event `warning`, at most one a minute
//! for each message; its first success after that has the event `recovered`. A run that fails has no `end`.
//! Training continues if the reader closes the pipe.

use super::limits::StopReason;
use super::session::TrainingSession;
use crate::terminal;
use serde_json::{Value, json};
use vivarium_lab::checkpoint::evaluation::measures_to_json;
use vivarium_lab::run_metadata::engine_names;

/// Prints the event `start`: experiment, seed, engine, run folder and number of training steps so far.
pub fn print_start(session: &TrainingSession) {
    let (engine, adapter) = engine_names(session.experiment.engine());
    print(&json!({
        "event": "start",
        "experiment": session.info.name,
        "seed": session.experiment.seed(),
        "engine": engine,
        "adapter": adapter,
        "run": session.journal.folder.path().display().to_string(),
        "steps": session.experiment.progress().steps,
        "goal": session.limits.until.as_ref().map(ToString::to_string),
        "steps_limit": session.last_step(),
        "minutes_limit": session.limits.minutes,
    }));
}

/// Prints the event `end`: reason and training steps of the stop, and the recommended checkpoint with its evaluation.
pub fn print_end(session: &TrainingSession, end: &StopReason) {
    let evaluated = session.evaluations.best.as_ref();
    print(&json!({
        "event": "end",
        "reason": end.name(),
        "reached": session.limits.until.as_ref().map(|_| matches!(end, StopReason::Reached(_))),
        "steps": session.saved_steps,
        "elapsed": session.journal.status.elapsed,
        "checkpoint": session.journal.folder.best_or_latest().display().to_string(),
        "evaluated_steps": evaluated.map(|(steps, _)| steps),
        "evaluation": evaluated.map(|(_, evaluation)| measures_to_json(evaluation)),
    }));
}

fn print(event: &Value) {
    terminal::print_if_open(&event.to_string());
}
